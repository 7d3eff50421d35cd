#include "assets/craters.h"

#include <algorithm>
#include <cmath>

#include "assets/crater_profile.h"
#include "assets/field_check.h"
#include "assets/portable_math.h"
#include "core/rng.h"
#include "core/text.h"

namespace grouser::internal {
namespace {

/// N(>D) between the smallest and largest diameter per m².
double crater_density(const RandomCratersSpec& spec) {
  return spec.coefficient * (portable::pow(spec.min_diameter, -spec.index) -
                             portable::pow(spec.max_diameter, -spec.index));
}

}  // namespace

double fresh_depth_ratio(double diameter) {
  if (diameter < 10) return 0.10;
  if (diameter < 40) return 0.11;
  if (diameter >= 400) return 0.21;
  constexpr double kLog10 = 2.302585092994046;  // of 400 / 40
  return 0.13 + 0.08 * portable::log(diameter / 40) / kLog10;
}

// As for rocks: a Poisson process along N(>D), which yields the largest crater first.
std::vector<CraterSpec> random_craters(const RandomCratersSpec& spec, const Rect& domain) {
  std::vector<CraterSpec> craters;
  const Vec2 size = domain.size();
  const double area = size.x() * size.y(), expected = area * crater_density(spec);
  const double beyond = spec.coefficient * portable::pow(spec.max_diameter, -spec.index);
  CounterRng rng(spec.seed);
  double rank = 0;
  for (;;) {
    rank -= portable::log(1 - rng.uniform());
    if (!(rank < expected)) break;
    const double count = beyond + rank / area;
    const double diameter = portable::pow(count / spec.coefficient, -1 / spec.index);
    const double u = rng.uniform(), v = rng.uniform();
    craters.push_back(
        {.position = {domain.lower.x() + u * size.x(), domain.lower.y() + v * size.y()},
         .diameter = std::clamp(diameter, spec.min_diameter, spec.max_diameter),
         .degradation = rng.uniform(spec.min_degradation, spec.max_degradation)});
  }
  return craters;
}

CraterField::CraterField(std::vector<CraterSpec> craters, const Rect& domain)
    : craters_(std::move(craters)), domain_(domain) {
  for (const CraterSpec& crater : craters_) {
    const double ratio =
        crater.depth_ratio > 0 ? crater.depth_ratio : fresh_depth_ratio(crater.diameter);
    placed_.push_back({.centre = crater.position,
                       .radius = crater.diameter / 2,
                       .depth = ratio * crater.diameter,
                       .degradation = crater.degradation,
                       .reach = crater.diameter / 2 * crater_reach(crater.degradation)});
  }
  build_index();
}

int CraterField::cell_x(double x) const {
  const double cell = std::floor((x - domain_.lower.x()) / cell_);
  return static_cast<int>(std::clamp(cell, 0.0, static_cast<double>(nx_ - 1)));
}

int CraterField::cell_y(double y) const {
  const double cell = std::floor((y - domain_.lower.y()) / cell_);
  return static_cast<int>(std::clamp(cell, 0.0, static_cast<double>(ny_ - 1)));
}

std::span<const std::int32_t> CraterField::near(int cx, int cy) const {
  const std::size_t cell =
      static_cast<std::size_t>(cy) * static_cast<std::size_t>(nx_) + static_cast<std::size_t>(cx);
  return std::span(members_).subspan(
      static_cast<std::size_t>(begin_[cell]),
      static_cast<std::size_t>(begin_[cell + 1]) - static_cast<std::size_t>(begin_[cell]));
}

// About as many cells as craters, so that the lists are short and the index no larger than needed.
void CraterField::build_index() {
  const Vec2 size = domain_.size();
  const double wanted = std::clamp(static_cast<double>(placed_.size()), 1.0, 4e6);
  cell_ = std::max({std::sqrt(size.x() * size.y() / wanted), size.x() / 1e4, size.y() / 1e4, 1e-9});
  // Craters that overlap many times over must not fill the memory: longer lists instead.
  constexpr double kMostMembers = 5e7;
  const auto members = [&] {
    double count = 0;
    for (const Placed& crater : placed_) {
      const double cells_x = std::min(2 * crater.reach, size.x()) / cell_ + 2;
      const double cells_y = std::min(2 * crater.reach, size.y()) / cell_ + 2;
      count += cells_x * cells_y;
    }
    return count;
  };
  while (cell_ < size.maxCoeff() && members() > kMostMembers) cell_ *= 2;
  nx_ = std::max(1, static_cast<int>(std::ceil(size.x() / cell_)));
  ny_ = std::max(1, static_cast<int>(std::ceil(size.y() / cell_)));
  begin_.assign(static_cast<std::size_t>(nx_) * static_cast<std::size_t>(ny_) + 1, 0);
  const auto for_each_cell = [&](const Placed& crater, auto&& f) {
    const Vec2 lower = crater.centre - Vec2::Constant(crater.reach);
    const Vec2 upper = crater.centre + Vec2::Constant(crater.reach);
    if ((lower.array() > domain_.upper.array()).any()) return;
    if ((upper.array() < domain_.lower.array()).any()) return;
    for (int cy = cell_y(lower.y()); cy <= cell_y(upper.y()); ++cy) {
      for (int cx = cell_x(lower.x()); cx <= cell_x(upper.x()); ++cx) {
        f(static_cast<std::size_t>(cy) * static_cast<std::size_t>(nx_) +
          static_cast<std::size_t>(cx));
      }
    }
  };
  for (const Placed& crater : placed_) {
    for_each_cell(crater, [&](std::size_t cell) { ++begin_[cell + 1]; });
  }
  for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
  members_.resize(static_cast<std::size_t>(begin_.back()));
  std::vector<std::int32_t> fill(begin_.begin(), begin_.end() - 1);
  for (std::size_t k = 0; k < placed_.size(); ++k) {
    for_each_cell(placed_[k], [&](std::size_t cell) {
      members_[static_cast<std::size_t>(fill[cell]++)] = static_cast<std::int32_t>(k);
    });
  }
}

SurfacePoint CraterField::at(double x, double y) const {
  if (std::isnan(x) || std::isnan(y)) return {.height = x + y, .gradient = {x + y, x + y}};
  const double inside_x = std::clamp(x, domain_.lower.x(), domain_.upper.x());
  const double inside_y = std::clamp(y, domain_.lower.y(), domain_.upper.y());
  SurfacePoint sum;
  for (const std::int32_t k : near(cell_x(inside_x), cell_y(inside_y))) {
    const Placed& crater = placed_[static_cast<std::size_t>(k)];
    const double dx = inside_x - crater.centre.x(), dy = inside_y - crater.centre.y();
    const double squared = dx * dx + dy * dy;
    if (squared >= crater.reach * crater.reach) continue;
    const double distance = std::sqrt(squared);
    const ProfilePoint p = crater_profile(distance / crater.radius, crater.degradation);
    sum.height += crater.depth * p.height;
    if (distance > 0) {
      const double slope = crater.depth * p.slope / (crater.radius * distance);
      sum.gradient += Vec2(slope * dx, slope * dy);
    }
  }
  sum.gradient = continued_gradient(domain_, x, y, sum.gradient);
  return sum;
}

// Cell by cell of the index, since craters that do not meet must not be added up.
HeightRange CraterField::range(const Rect& rect) const {
  const Rect inside{domain_.clamped(rect.lower), domain_.clamped(rect.upper)};
  HeightRange total{.min = INFINITY, .max = -INFINITY};
  for (int cy = cell_y(inside.lower.y()); cy <= cell_y(inside.upper.y()); ++cy) {
    for (int cx = cell_x(inside.lower.x()); cx <= cell_x(inside.upper.x()); ++cx) {
      const Vec2 corner = domain_.lower + cell_ * Vec2(cx, cy);
      // A little more than the cell, against rounding of its borders.
      const Vec2 slack = Vec2::Constant(1e-9 * cell_ + 1e-12 * corner.norm());
      const Rect part{inside.lower.cwiseMax(corner - slack),
                      inside.upper.cwiseMin(corner + Vec2::Constant(cell_) + slack)};
      HeightRange sum;
      for (const std::int32_t k : near(cx, cy)) {
        const Placed& crater = placed_[static_cast<std::size_t>(k)];
        const double least = (part.clamped(crater.centre) - crater.centre).norm();
        const double most = (crater.centre - part.lower)
                                .cwiseAbs()
                                .cwiseMax((part.upper - crater.centre).cwiseAbs())
                                .norm();
        const HeightRange bounds =
            crater_profile_range(least / crater.radius * (1 - 1e-12),
                                 most / crater.radius * (1 + 1e-12), crater.degradation);
        sum.min += crater.depth * bounds.min;
        sum.max += crater.depth * bounds.max;
      }
      total = {std::min(total.min, sum.min), std::max(total.max, sum.max)};
    }
  }
  const double rounding = 1e-12 * (std::abs(total.min) + std::abs(total.max));
  return {total.min - rounding, total.max + rounding};
}

void check_fit(const RandomCratersSpec& spec, const Vec2& size, const std::string& place,
               IssueList& issues) {
  if (!(spec.min_diameter < spec.max_diameter)) {
    add_issue(issues, place, "min_diameter", spec.min_diameter, "not below the largest diameter",
              "< " + format_number(spec.max_diameter) + " [m]");
  }
  if (!(spec.min_degradation <= spec.max_degradation)) {
    add_issue(issues, place, "min_degradation", spec.min_degradation,
              "above the largest degradation", "<= " + format_number(spec.max_degradation));
  }
  constexpr double kMostCraters = 1e6;
  if (size.x() * size.y() * crater_density(spec) > kMostCraters) {
    add_issue(issues, place, "min_diameter", spec.min_diameter, "too many craters are expected",
              "larger craters or a smaller surface, for at most a million");
  }
}

}  // namespace grouser::internal
