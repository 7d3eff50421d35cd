#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "contact/scm/soil_update.h"
#include "terrain/flat_field.h"

/// What the tests of the soil's update share.
namespace grouser {

inline constexpr double kDegree = std::numbers::pi / 180;

inline ScmSoil flat_soil(double spacing, double half, const Vec2& gradient = Vec2::Zero()) {
  return ScmSoil(ElevationMap(
      std::make_shared<FlatField>(FlatOptions{
          .gradient = gradient, .domain = {Vec2::Constant(-half), Vec2::Constant(half)}}),
      {.spacing = spacing}));
}

inline Soil sand(double repose_deg = 30) {
  Soil soil = find_soil("dlr_a");
  soil.repose_angle = repose_deg * kDegree;
  return soil;
}

/// By how much the steepest slope between neighbours that no body holds exceeds the angle of repose
/// or, where it is steeper, that of the untouched ground [deg]. Soil that a body above keeps down is
/// held too.
inline double excess_slope(const ScmSoil& soil, double repose_deg,
                           std::span<const Footprint* const> bodies) {
  const GridSpec& grid = soil.map.grid();
  std::vector<double> base(grid.size()), height(grid.size());
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      const std::size_t n = grid.index(i, j);
      base[n] = soil.map.base().at(grid.node(i, j).x(), grid.node(i, j).y()).height;
      height[n] = base[n] + soil.map.change(i, j);
    }
  }
  for (const Footprint* body : bodies) {
    for (const ContactCell& cell : body->cells) {
      const int nx = body->window.grid.nx;
      height[grid.index(body->window.i0 + cell.node % nx, body->window.j0 + cell.node / nx)] = NAN;
    }
    for (std::size_t n = 0; !body->empty() && n < body->window.size(); ++n) {
      const int nx = body->window.grid.nx, k = static_cast<int>(n);
      double& here = height[grid.index(body->window.i0 + k % nx, body->window.j0 + k / nx)];
      if (body->ceiling[n] - here < 2e-5) here = NAN;
    }
  }
  double most = -90;
  const auto look = [&](int i, int j, int k, int l) {
    if (k < 0 || k >= grid.nx || l >= grid.ny) return;
    std::size_t a = grid.index(i, j), b = grid.index(k, l);
    if (height[a] < height[b]) std::swap(a, b);
    const double distance = grid.spacing * std::hypot(k - i, l - j);
    const double natural = std::atan((base[a] - base[b]) / distance) / kDegree;
    const double slope = std::atan((height[a] - height[b]) / distance) / kDegree;
    most = std::fmax(most, slope - std::max(repose_deg, natural));  // not if one is held
  };
  for (int j = 0; j < grid.ny; ++j) {
    for (int i = 0; i < grid.nx; ++i) {
      look(i, j, i + 1, j);
      look(i, j, i - 1, j + 1);
      look(i, j, i, j + 1);
      look(i, j, i + 1, j + 1);
    }
  }
  return most;
}

/// A body led through soil.
struct Rig {
  ScmBody body;
  ScmScratch scratch;
  ScmBodyMemory memory;
  SoilMap soils;
  ScmOptions options{.damping = 0};
  SoilUpdater updater;
  Pose X;
  Twist V;

  Rig(const TriMesh& mesh, const ScmSoil& soil, const Soil& material)
      : body(mesh, 2 * soil.map.grid().spacing),
        scratch(body, soil.map),
        soils(material),
        updater(soil.map, 1) {}

  void start(const Pose& pose) { memory.X_WB = X = pose; }
  void step(const Pose& pose, double dt, ScmSoil& soil) {
    V.linear = (pose.p - X.p) / dt;
    X = pose;
    scm_force(body, X, V, memory, soil, soils, options, scratch);
    scm_commit(X, V, options, scratch, memory, soil);
  }
  SoilToucher toucher() { return {&scratch.footprint, &scratch.force, X, V, &memory}; }
  SoilUpdateReport update(double dt, ScmSoil& soil) {
    SoilToucher self = toucher();
    return updater.update({&self, 1}, dt, soils, options, soil);
  }
};

}  // namespace grouser
