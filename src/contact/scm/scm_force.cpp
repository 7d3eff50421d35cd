#include "contact/scm/scm_force.h"

#include <algorithm>
#include <cmath>

#include "contact/laws/bekker.h"
#include "contact/laws/shear.h"

namespace grouser {
namespace {

std::size_t at(std::int32_t index) { return static_cast<std::size_t>(index); }

/// A fit may have a negative k_c that makes narrow plates carry nothing; no soil does that. Below this
/// part of k_φ the stiffness is held.
constexpr double kLeastStiffness = 0.05;

BekkerLaw bekker_of(const Soil& soil, double plate_width, const ScmOptions& options) {
  const double stiffness = soil.cohesive_modulus / plate_width + soil.frictional_modulus;
  return {.stiffness = std::max(stiffness, kLeastStiffness * soil.frictional_modulus),
          .exponent = soil.sinkage_exponent,
          .unloading = options.unloading};
}

ShearLaw shear_of(const Soil& soil) {
  return {.cohesion = soil.cohesion,
          .tan_friction = std::tan(soil.friction_angle),
          .modulus = soil.shear_modulus};
}

/// Laws of a soil under a patch.
struct PatchLaws {
  BekkerLaw bekker;
  ShearLaw shear;
};

class ForceSum {
 public:
  ForceSum(const Pose& X_WB, const Twist& V_WB, const ScmBodyMemory& memory, const SoilMap& soils,
           const ScmOptions& options, const Footprint& footprint, ScmForce& force)
      : X_WB_(X_WB),
        V_WB_(V_WB),
        X_moved_(X_WB * memory.X_WB.inverse()),
        soils_(soils),
        options_(options),
        footprint_(footprint),
        force_(force) {}

  void run() {
    make_laws();
    press();
    distribute();
    for (std::size_t c = 0; c < footprint_.cells.size(); ++c) add(c);
  }

 private:
  int soil_at(const ContactCell& cell) const {
    return soils_.soils().size() == 1 ? 0 : soils_.index_at(cell.centre.x(), cell.centre.y());
  }
  const PatchLaws& laws_of(const ContactCell& cell) const {
    return laws_[at(cell.patch) * soils_.soils().size() + at(soil_at(cell))];
  }

  void make_laws() {
    force_.least_stiffness = std::numeric_limits<double>::infinity();
    for (const ContactPatch& patch : footprint_.patches) {
      for (const Soil& soil : soils_.soils()) {
        const double width = std::max(patch.plate_width(), 1e-6);
        force_.least_stiffness = std::min(force_.least_stiffness,
                                          soil.cohesive_modulus / width + soil.frictional_modulus);
        laws_.push_back({bekker_of(soil, width, options_), shear_of(soil)});
      }
    }
  }

  /// Bekker's pressure in every cell.
  void press() {
    const SoilWindow& window = footprint_.window;
    force_.loads.clear();
    for (const ContactCell& cell : footprint_.cells) {
      const std::size_t n = at(cell.node);
      CellLoad load;
      load.sinkage = std::max(0.0, window.level(n) - cell.body);
      load.pressure = laws_of(cell).bekker.pressure(load.sinkage, window.memory[n].sunk);
      force_.loads.push_back(load);
    }
  }

  /// Pressure under a plate is even in soil that lives by friction, and peaks in the middle in soil that
  /// lives by cohesion (Söhne 1958). The weights have mean 1 over a patch: the load stays Bekker's.
  void distribute() {
    struct Sums {
      double load = 0, area = 0, weight = 0, deepest_border = 0;
    };
    std::vector<Sums> sums(footprint_.patches.size());
    for (std::size_t c = 0; c < footprint_.cells.size(); ++c) {
      const ContactCell& cell = footprint_.cells[c];
      Sums& sum = sums[at(cell.patch)];
      sum.load += cell.coverage * force_.loads[c].pressure;
      sum.area += cell.coverage;
      sum.deepest_border = std::max(sum.deepest_border, cell.border);
    }
    weights_.resize(footprint_.cells.size());
    for (std::size_t c = 0; c < footprint_.cells.size(); ++c) {
      const ContactCell& cell = footprint_.cells[c];
      Sums& sum = sums[at(cell.patch)];
      const ShearLaw& shear = laws_of(cell).shear;
      const double mean = sum.load / sum.area;
      const double strength = shear.strength(mean);
      const double cohesive = strength > 0 ? shear.cohesion / strength : 0;
      const double exponent = 2 * std::pow(8, 1 - cohesive);
      const double inward = std::min(1.0, cell.border / sum.deepest_border);
      weights_[c] = 1 - std::pow(1 - inward, exponent);
      sum.weight += cell.coverage * weights_[c];
    }
    for (std::size_t c = 0; c < footprint_.cells.size(); ++c) {
      const Sums& sum = sums[at(footprint_.cells[c].patch)];
      weights_[c] *= sum.area / sum.weight;
    }
  }

  void add(std::size_t c) {
    const ContactCell& cell = footprint_.cells[c];
    CellLoad& load = force_.loads[c];
    const ShearLaw& shear = laws_of(cell).shear;
    const Vec3 p_W(cell.centre.x(), cell.centre.y(), cell.body);
    const Vec3 arm = p_W - X_WB_.p;
    const Vec3 velocity = V_WB_.linear + V_WB_.angular.cross(arm);
    // Outward from the body, as long as the cell's area of surface over its area from above.
    const Vec3 outward(cell.slope.x(), cell.slope.y(), -1);
    const double closing = velocity.dot(outward) / outward.norm();
    load.pressure = std::max(0.0, weights_[c] * load.pressure + options_.damping * closing);
    const double area =
        cell.coverage * footprint_.window.grid.spacing * footprint_.window.grid.spacing;
    load.force = area * (normal_stress(outward, load.pressure, shear) +
                         shear_stress(cell, load, shear, outward, velocity));
    force_.wrench.force += load.force;
    force_.wrench.torque += arm.cross(load.force);
  }

  Vec3 normal_stress(const Vec3& outward, double pressure, const ShearLaw& shear) const {
    if (options_.horizontal == ScmOptions::Horizontal::normal) return -pressure * outward;
    const double across = shear.strength(pressure);
    return {-across * outward.x(), -across * outward.y(), pressure};
  }

  /// Against the sliding of the surface over the soil, in the surface.
  Vec3 shear_stress(const ContactCell& cell, CellLoad& load, const ShearLaw& shear,
                    const Vec3& outward, const Vec3& velocity) const {
    const Vec3 p_W(cell.centre.x(), cell.centre.y(), cell.body);
    const Vec3 n = outward.normalized();
    const double strength = outward.norm() * shear.strength(load.pressure);
    if (options_.shear == ScmOptions::Shear::coulomb) {
      const Vec3 sliding = velocity - velocity.dot(n) * n;
      const double speed = sliding.norm();
      if (speed == 0) return Vec3::Zero();
      return -strength * std::tanh(speed / options_.coulomb_speed) / speed * sliding;
    }
    const SoilMemory& memory = footprint_.window.memory[at(cell.node)];
    const Vec3 step = p_W - X_moved_.inverse() * p_W;
    const Vec3 sliding = step - step.dot(n) * n;
    load.shear = shear.saturated(Vec2(memory.shear_x, memory.shear_y) + sliding.head<2>());
    const double length = load.shear.norm();
    if (length == 0) return Vec3::Zero();
    // Lifted from the plan into the surface.
    const Vec3 along(load.shear.x(), load.shear.y(), cell.slope.dot(load.shear));
    return -strength * shear.mobilised(length) * along.normalized();
  }

  const Pose& X_WB_;
  const Twist& V_WB_;
  Pose X_moved_;  // from the committed pose to this one, in W
  const SoilMap& soils_;
  const ScmOptions& options_;
  const Footprint& footprint_;
  ScmForce& force_;
  std::vector<PatchLaws> laws_;
  std::vector<double> weights_;
};

}  // namespace

const ScmForce& scm_force(const ScmBody& body, const Pose& X_WB, const Twist& V_WB,
                          const ScmBodyMemory& memory, const ScmSoil& soil, const SoilMap& soils,
                          const ScmOptions& options, ScmScratch& scratch) {
  find_footprint(body, X_WB, soil, options, scratch.footprint_scratch, scratch.footprint);
  scratch.force.wrench = {};
  scratch.force.loads.clear();
  if (!scratch.footprint.empty()) {
    ForceSum(X_WB, V_WB, memory, soils, options, scratch.footprint, scratch.force).run();
  }
  return scratch.force;
}

void scm_commit(const Pose& X_WB, const ScmOptions& options, ScmScratch& scratch,
                ScmBodyMemory& memory, ScmSoil& soil) {
  memory.X_WB = X_WB;
  if (scratch.footprint.empty()) return;
  SoilWindow& window = scratch.footprint.window;
  const BekkerLaw law{.unloading = options.unloading};
  for (std::size_t c = 0; c < scratch.footprint.cells.size(); ++c) {
    SoilMemory& column = window.memory[at(scratch.footprint.cells[c].node)];
    const CellLoad& load = scratch.force.loads[c];
    column.sunk = std::max(column.sunk, law.sunk_after(load.sinkage));
    column.shear_x = load.shear.x();
    column.shear_y = load.shear.y();
  }
  window.store(soil);
}

}  // namespace grouser
