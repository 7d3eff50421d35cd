#pragma once

#include <atomic>
#include <cmath>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.h"
#include "core/rng.h"
#include "terrain/raster_field.h"

/// Ground for the tests of this folder.
namespace grouser::internal {

inline std::vector<double> random_heights(std::size_t count, std::uint64_t seed) {
  CounterRng rng(seed);
  std::vector<double> heights(count);
  for (double& height : heights) height = rng.uniform(-1, 1);
  return heights;
}

inline RasterField random_raster(const GridSpec& grid, std::uint64_t seed,
                                 Interpolation interpolation) {
  return RasterField(grid, random_heights(grid.size(), seed), interpolation);
}

inline Vec2 random_point(CounterRng& rng, const Rect& rect) {
  const double x = rng.uniform(rect.lower.x(), rect.upper.x());
  return {x, rng.uniform(rect.lower.y(), rect.upper.y())};
}

/// Hills a sin(kx) cos(ky), and how often they were asked.
class CountedHills final : public HeightField {
 public:
  CountedHills(const Rect& domain, double amplitude, double wave_number)
      : domain_(domain), a_(amplitude), k_(wave_number) {}

  Rect domain() const override { return domain_; }
  SurfacePoint at(double x, double y) const override {
    ++evaluations;
    const Vec2 p = domain_.clamped({x, y});
    const double sx = std::sin(k_ * p.x()), cx = std::cos(k_ * p.x());
    const double sy = std::sin(k_ * p.y()), cy = std::cos(k_ * p.y());
    return {a_ * sx * cy, continued_gradient(domain_, x, y, a_ * k_ * Vec2(cx * cy, -sx * sy))};
  }
  /// From the slope, which is at most a k, and the height in the middle.
  HeightRange range(const Rect& rect) const override {
    ++evaluations;
    const Rect inside{domain_.clamped(rect.lower), domain_.clamped(rect.upper)};
    const Vec2 p = inside.centre();
    const double middle = a_ * std::sin(k_ * p.x()) * std::cos(k_ * p.y());
    const double reach = std::min(a_ * k_ * 0.5 * inside.size().norm() + 1e-12, 2 * a_);
    return {std::max(middle - reach, -a_), std::min(middle + reach, a_)};
  }

  mutable std::atomic<long> evaluations = 0;

 private:
  Rect domain_;
  double a_, k_;
};

/// The issues of the Error that f throws; none if it does not throw.
template <class F>
std::vector<Issue> issues_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.issues();
  }
  return {};
}

/// Largest distance between a field's gradient and central differences of its height, at points
/// inside the rectangle that keep_off() does not refuse.
template <class Field, class KeepOff>
double gradient_defect(const Field& field, const Rect& rect, std::uint64_t seed, KeepOff keep_off) {
  constexpr double kStep = 1e-5;
  CounterRng rng(seed);
  double worst = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vec2 p = random_point(rng, rect);
    if (keep_off(p)) continue;
    const auto height = [&](double dx, double dy) {
      return field.at(p.x() + dx, p.y() + dy).height;
    };
    const Vec2 difference((height(kStep, 0) - height(-kStep, 0)) / (2 * kStep),
                          (height(0, kStep) - height(0, -kStep)) / (2 * kStep));
    worst = std::max(worst, (field.at(p.x(), p.y()).gradient - difference).cwiseAbs().maxCoeff());
  }
  return worst;
}

/// How far any of many heights within random rectangles lies outside of range(); <= 0 if it is
/// safe.
template <class Field>
double range_defect(const Field& field, const Rect& rect, std::uint64_t seed, int rects = 300) {
  CounterRng rng(seed);
  double worst = -1e300;
  for (int k = 0; k < rects; ++k) {
    const Vec2 a = random_point(rng, rect);
    // From tiny to all.
    const Vec2 b = a + std::pow(10.0, rng.uniform(-4, 0)) * (random_point(rng, rect) - a);
    const Rect part{a.cwiseMin(b), a.cwiseMax(b)};
    const HeightRange range = field.range(part);
    for (int n = 0; n < 200; ++n) {
      const Vec2 p = random_point(rng, part);
      const double height = field.at(p.x(), p.y()).height;
      worst = std::max({worst, height - range.max, range.min - height});
    }
  }
  return worst;
}

}  // namespace grouser::internal
