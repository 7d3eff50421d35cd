#include "terrain/sum_field.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"

namespace grouser::internal {

SumField::SumField(std::vector<std::shared_ptr<const HeightField>> fields)
    : fields_(std::move(fields)), domain_(infinite_rect()) {
  if (fields_.empty()) {
    throw Error(ErrorKind::input, {.message = "a sum of height fields has no terms",
                                   .field = "fields",
                                   .value = "0",
                                   .legal = ">= 1"});
  }
  for (std::size_t k = 0; k < fields_.size(); ++k) {
    const std::string place = fmt::format("fields[{}]", k);
    if (!fields_[k]) {
      throw Error(ErrorKind::input, {.message = "a term is missing", .field = place});
    }
    const Rect domain = fields_[k]->domain();
    domain_ = {domain_.lower.cwiseMax(domain.lower), domain_.upper.cwiseMin(domain.upper)};
    if ((domain_.lower.array() <= domain_.upper.array()).all()) continue;
    throw Error(ErrorKind::input,
                {.message = "the field is defined nowhere where those before it are",
                 .field = place,
                 .value = fmt::format("({}, {}) ... ({}, {})", domain.lower.x(), domain.lower.y(),
                                      domain.upper.x(), domain.upper.y()),
                 .legal = "overlapping domains [m]"});
  }
}

SurfacePoint SumField::at(double x, double y) const {
  const double inside_x = std::clamp(x, domain_.lower.x(), domain_.upper.x());
  const double inside_y = std::clamp(y, domain_.lower.y(), domain_.upper.y());
  SurfacePoint sum = fields_[0]->at(inside_x, inside_y);
  for (std::size_t k = 1; k < fields_.size(); ++k) {
    const SurfacePoint term = fields_[k]->at(inside_x, inside_y);
    sum.height += term.height;
    sum.gradient += term.gradient;
  }
  sum.gradient = continued_gradient(domain_, x, y, sum.gradient);
  return sum;
}

void SumField::heights(const GridSpec& grid, std::span<double> out) const {
  const Rect rect = grid.rect();
  if (!domain_.contains(rect.lower) || !domain_.contains(rect.upper)) {
    HeightField::heights(grid, out);
    return;
  }
  fields_[0]->heights(grid, out);
  std::vector<double> term(out.size());
  for (std::size_t k = 1; k < fields_.size(); ++k) {
    fields_[k]->heights(grid, term);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += term[i];
  }
}

// Rounded sums keep the order of their terms: added in the same order as in at(), the bounds are
// safe.
HeightRange SumField::range(const Rect& rect) const {
  const Rect inside{domain_.clamped(rect.lower), domain_.clamped(rect.upper)};
  HeightRange sum = fields_[0]->range(inside);
  for (std::size_t k = 1; k < fields_.size(); ++k) {
    const HeightRange term = fields_[k]->range(inside);
    sum.min += term.min;
    sum.max += term.max;
  }
  return sum;
}

}  // namespace grouser::internal
