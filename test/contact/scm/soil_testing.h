#pragma once

#include <memory>
#include <numbers>
#include <span>
#include <vector>

#include "contact/scm/soil_update.h"
#include "math/angle.h"
#include "terrain/flat_field.h"
#include "terrain/slope_check.h"

/// What the tests of the soil's update share.
namespace grouser::internal {

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
  std::vector<char> held(grid.size(), 0);
  for (const Footprint* body : bodies) {
    const int nx = body->window.grid.nx;
    const auto i_of = [&](int node) { return body->window.i0 + node % nx; };
    const auto j_of = [&](int node) { return body->window.j0 + node / nx; };
    for (const std::int32_t node : body->cells.node) held[grid.index(i_of(node), j_of(node))] = 1;
    const NodeRect& below = body->underside.rect;
    for (int j = below.j0; j < below.j0 + below.ny; ++j) {
      for (int i = below.i0; i < below.i0 + below.nx; ++i) {
        const Vec2 node = grid.node(i, j);
        const double height = soil.map.base().at(node.x(), node.y()).height + soil.map.change(i, j);
        if (body->underside.at(i, j) - height < 2e-5) held[grid.index(i, j)] = 1;
      }
    }
  }
  return excess_slope(soil.map, repose_deg * kDegree, held) / kDegree;
}

/// A body led through soil.
struct Rig {
  ScmBody body;
  ScmScratch scratch;
  ScmBodyMemory memory;
  SoilMap soils;
  ScmOptions options{.deformation = ScmOptions::Deformation::classic, .damping = 0};
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
  SoilToucher toucher(const ScmSoil& soil) {
    find_underside(body, X, soil, options, scratch.footprint_scratch, scratch.footprint);
    return {&scratch.footprint, &scratch.force, X, V, &memory};
  }
  SoilUpdateReport update(double dt, ScmSoil& soil) {
    SoilToucher self = toucher(soil);
    return updater.update({&self, 1}, dt, soils, options, soil);
  }
};

}  // namespace grouser::internal
