#include "assets/noise.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "assets/field_check.h"
#include "assets/lattice_noise.h"
#include "assets/noise_row.h"
#include "assets/noise_weights.h"
#include "core/parallel.h"
#include "core/rng.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

/// The crest of all values between two bounds of the noise.
HeightRange crest_range(const HeightRange& noise) {
  const double nearest = noise.min > 0 ? noise.min : noise.max < 0 ? noise.max : 0;
  return {.min = std::min(crest(noise.min), crest(noise.max)), .max = crest(nearest)};
}

/// Points spread evenly over the unit square: the sequence k (1/ρ, 1/ρ²) mod 1 with ρ³ = ρ + 1, the
/// plane's analogue of the golden ratio.
Vec2 even_point(int k) {
  constexpr double kStepX = 0.7548776662466927, kStepY = 0.5698402909980532;
  const double x = 0.5 + k * kStepX, y = 0.5 + k * kStepY;
  return {x - std::floor(x), y - std::floor(y)};
}

}  // namespace

NoiseField::NoiseField(const NoiseSpec& spec, const Rect& domain) : spec_(spec), domain_(domain) {
  IssueList issues;
  FieldChecker checker("", issues);
  visit_fields(spec_, checker);
  if (issues.empty()) check_fit(spec_, domain.size(), "", issues);
  issues.throw_if_any();
  const std::vector<double> weights = octave_weights(spec.hurst, spec.octaves, spec.lacunarity);
  const CounterRng rng(spec.seed);
  // Gradient noise is strongest at wavelengths of 1.4 to 1.9 cells. Within that the golden ratio is the
  // choice that keeps the lattice out of step with grids that divide the wavelength evenly.
  double frequency = std::numbers::phi / spec.wavelength;
  for (int o = 0; o < spec.octaves; ++o, frequency *= spec.lacunarity) {
    const std::uint64_t draw = 3 * static_cast<std::uint64_t>(o);
    octaves_.push_back({.frequency = frequency,
                        .offset = {rng.uniform_at(draw), rng.uniform_at(draw + 1)},
                        .seed = rng.bits_at(draw + 2),
                        .weight = weights[static_cast<std::size_t>(o)]});
  }
  calibrate();
}

// Scales the octaves by what the surface itself shows on a fixed pattern of pairs of points.
void NoiseField::calibrate() {
  constexpr int kPairs = 1 << 14;  // along each axis; the scale is then known to about 1 %
  double squares = 0, sum = 0;
  for (int axis = 0; axis < 2; ++axis) {
    const Vec2 step = spec_.lag * Vec2::Unit(axis);
    const Vec2 room = domain_.size() - step;
    for (int k = 0; k < kPairs; ++k) {
      const Vec2 p = domain_.lower + even_point(k).cwiseProduct(room);
      const double here = raw_height(p.x(), p.y());
      const double there = raw_height(p.x() + step.x(), p.y() + step.y());
      squares += (there - here) * (there - here);
      sum += here + there;
    }
  }
  const double rms = std::sqrt(squares / (2 * kPairs));
  const double scale = spec_.rms_deviation / rms;
  for (NoiseOctave& octave : octaves_) octave.weight *= scale;
  shift_ = -scale * sum / (4 * kPairs);
}

double NoiseField::raw_height(double x, double y) const {
  double sum = shift_;
  for (const NoiseOctave& octave : octaves_) {
    const double noise = lattice_noise(octave.seed, x * octave.frequency + octave.offset.x(),
                                       y * octave.frequency + octave.offset.y());
    sum += octave.weight * (spec_.kind == NoiseKind::ridged ? crest(noise) : noise);
  }
  return sum;
}

SurfacePoint NoiseField::at(double x, double y) const {
  if (std::isnan(x) || std::isnan(y)) return {.height = x + y, .gradient = {x + y, x + y}};
  const double inside_x = std::clamp(x, domain_.lower.x(), domain_.upper.x());
  const double inside_y = std::clamp(y, domain_.lower.y(), domain_.upper.y());
  SurfacePoint sum{.height = shift_};
  for (const NoiseOctave& octave : octaves_) {
    const NoiseValue noise =
        lattice_noise_gradient(octave.seed, inside_x * octave.frequency + octave.offset.x(),
                               inside_y * octave.frequency + octave.offset.y());
    double slope = octave.weight * octave.frequency;
    double value = noise.value;
    if (spec_.kind == NoiseKind::ridged) {
      value = crest(noise.value);
      slope *= noise.value / value;
    }
    sum.height += octave.weight * value;
    sum.gradient += slope * Vec2(noise.dx, noise.dy);
  }
  sum.gradient = continued_gradient(domain_, x, y, sum.gradient);
  return sum;
}

void NoiseField::heights(const GridSpec& grid, std::span<double> out) const {
  assert(out.size() == grid.size());
  std::vector<double> x(static_cast<std::size_t>(grid.nx));
  for (int i = 0; i < grid.nx; ++i) {
    x[static_cast<std::size_t>(i)] =
        std::clamp(grid.node(i, 0).x(), domain_.lower.x(), domain_.upper.x());
  }
  std::vector<NoiseRow> rows;
  for (const NoiseOctave& octave : octaves_) rows.emplace_back(octave, spec_.kind, x);
  constexpr std::size_t kRowsPerChunk = 16;
  parallel_for(static_cast<std::size_t>(grid.ny), kRowsPerChunk,
               [&](std::size_t begin, std::size_t end) {
                 NoiseRow::Scratch scratch;
                 for (const NoiseRow& row : rows) {
                   scratch.reset();
                   for (std::size_t j = begin; j < end; ++j) {
                     const std::span<double> line = out.subspan(j * x.size(), x.size());
                     if (&row == rows.data()) std::ranges::fill(line, shift_);
                     const double y = grid.node(0, static_cast<int>(j)).y();
                     row.add(std::clamp(y, domain_.lower.y(), domain_.upper.y()), scratch, line);
                   }
                 }
               });
}

// Per octave the noise at the middle, and how far it can change on the way to a corner.
HeightRange NoiseField::range(const Rect& rect) const {
  const Rect inside{domain_.clamped(rect.lower), domain_.clamped(rect.upper)};
  const Vec2 middle = inside.centre();
  const double reach = 0.5 * inside.size().norm();
  HeightRange sum{shift_, shift_};
  for (const NoiseOctave& octave : octaves_) {
    const double noise =
        lattice_noise(octave.seed, middle.x() * octave.frequency + octave.offset.x(),
                      middle.y() * octave.frequency + octave.offset.y());
    const double change = kNoiseSlopeBound * reach * octave.frequency;
    HeightRange bounds{std::max(noise - change, -kNoiseBound),
                       std::min(noise + change, kNoiseBound)};
    if (spec_.kind == NoiseKind::ridged) bounds = crest_range(bounds);
    sum.min += octave.weight * bounds.min;
    sum.max += octave.weight * bounds.max;
  }
  // Sums in another order than in at() may differ by rounding.
  const double slack = 1e-12 * (std::abs(sum.min) + std::abs(sum.max));
  return {sum.min - slack, sum.max + slack};
}

void check_fit(const NoiseSpec& spec, const Vec2& size, const std::string& place,
               IssueList& issues) {
  const double side = std::min(size.x(), size.y());
  if (!std::isfinite(side) || !(spec.lag <= side / 2)) {
    add_issue(issues, place, "lag", spec.lag, "the surface is too small to measure this deviation",
              "<= " + format_number(side / 2) + " [m], half the shorter side");
  }
  constexpr double kSmallestLag = 1e-7;  // of the longer side; less would drown in rounding
  if (spec.lag < kSmallestLag * size.maxCoeff()) {
    add_issue(issues, place, "lag", spec.lag, "too small for the size of the surface",
              ">= " + format_number(kSmallestLag * size.maxCoeff()) + " [m]");
  }
  double finest = spec.wavelength;
  for (int o = 1; o < spec.octaves; ++o) finest /= spec.lacunarity;
  constexpr double kMostCells = 1e9;  // along a side; more would lose digits inside a cell
  if (size.maxCoeff() / finest > kMostCells) {
    add_issue(
        issues, place, "octaves", spec.octaves,
        "the shortest wavelength is too small for the size of the surface",
        ">= " + format_number(size.maxCoeff() / kMostCells) + " [m] for the shortest wavelength");
  }
}

}  // namespace grouser::internal
