#include "assets/noise_row.h"

#include <algorithm>

namespace grouser::internal {

NoiseRow::NoiseRow(const NoiseOctave& octave, NoiseKind kind, std::span<const double> x)
    : octave_(octave), kind_(kind) {
  for (const double xi : x) place_.push_back(xi * octave.frequency + octave.offset.x());
  if (x.empty()) return;
  first_column_ = static_cast<std::int64_t>(std::floor(place_.front()));
  const std::int64_t last = static_cast<std::int64_t>(std::floor(place_.back())) + 1;
  const std::int64_t count = last - first_column_ + 1;
  // Points farther apart than cells: going through all columns would be a waste.
  if (count > 4 * static_cast<std::int64_t>(x.size()) + 16) return;
  columns_ = static_cast<std::size_t>(count);
  for (const double place : place_) {
    const double floor = std::floor(place);
    column_.push_back(static_cast<int>(static_cast<std::int64_t>(floor) - first_column_));
    part_.push_back(place - floor);
    fade_.push_back(fade(part_.back()));
  }
}

void NoiseRow::fill_gradients(std::int64_t lattice_row, Scratch& scratch) const {
  const bool next = scratch.valid && lattice_row == scratch.lattice_row + 1;
  if (next) std::swap(scratch.below, scratch.above);
  scratch.below.resize(columns_);
  scratch.above.resize(columns_);
  for (std::size_t c = 0; c < columns_; ++c) {
    const std::int64_t column = first_column_ + static_cast<std::int64_t>(c);
    if (!next) scratch.below[c] = lattice_gradient(octave_.seed, column, lattice_row);
    scratch.above[c] = lattice_gradient(octave_.seed, column, lattice_row + 1);
  }
  scratch.lattice_row = lattice_row;
  scratch.valid = true;
}

void NoiseRow::add(double y, Scratch& scratch, std::span<double> sum) const {
  if (columns_ == 0) {
    add_point_by_point(y, sum);
    return;
  }
  const double place = y * octave_.frequency + octave_.offset.y();
  const double floor = std::floor(place), v = place - floor, fade_v = fade(v);
  const std::int64_t lattice_row = static_cast<std::int64_t>(floor);
  if (!scratch.valid || scratch.lattice_row != lattice_row) fill_gradients(lattice_row, scratch);

  scratch.slope.resize(columns_);
  scratch.value.resize(columns_);
  for (std::size_t c = 0; c < columns_; ++c) {
    const NoiseColumn column = noise_column(scratch.below[c], scratch.above[c], v, fade_v);
    scratch.slope[c] = column.slope;
    scratch.value[c] = column.value;
  }
  const double* slope = scratch.slope.data();
  const double* value = scratch.value.data();
  const auto noise = [&](std::size_t i) {
    const int left = column_[i], right = left + 1;
    return noise_between({slope[left], value[left]}, {slope[right], value[right]}, part_[i],
                         fade_[i]);
  };
  double* out = sum.data();
  const double weight = octave_.weight;
  const std::size_t count = sum.size();
  if (kind_ == NoiseKind::ridged) {
    for (std::size_t i = 0; i < count; ++i) out[i] += weight * crest(noise(i));
  } else {
    for (std::size_t i = 0; i < count; ++i) out[i] += weight * noise(i);
  }
}

void NoiseRow::add_point_by_point(double y, std::span<double> sum) const {
  const double place = y * octave_.frequency + octave_.offset.y();
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const double noise = lattice_noise(octave_.seed, place_[i], place);
    sum[i] += octave_.weight * (kind_ == NoiseKind::ridged ? crest(noise) : noise);
  }
}

}  // namespace grouser::internal
