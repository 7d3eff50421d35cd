#include "contact/scm/scm_force.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contact/scm/cell_kernels.h"
#include "contact/scm/scm_walls.h"
#include "core/index.h"
#include "math/lesser.h"
#include "math/power.h"

namespace grouser::internal {
namespace {

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

/// Sums up the stresses over a footprint, step by step for all cells at once: each loop is over plain
/// arrays and without branches.
class ForceSum {
 public:
  ForceSum(const Pose& X_WB, const Twist& V_WB, const ScmBodyMemory& memory, const SoilMap& soils,
           const ScmOptions& options, ScmScratch& scratch)
      : X_WB_(X_WB),
        V_WB_(V_WB),
        memory_(memory),
        X_back_(memory.X_WB * X_WB.inverse()),
        soils_(soils),
        options_(options),
        s_(scratch),
        c_(scratch.cells),
        footprint_(scratch.footprint),
        force_(scratch.force),
        loads_(scratch.force.loads),
        count_(scratch.footprint.cells.size()) {}

  void run() {
    make_laws();
    spread();
    if (options_.shear == ScmOptions::Shear::janosi) {
      slide();
    } else {
      rub();
    }
    press();
    sum_patches();
    if (options_.distribution == ScmOptions::Distribution::border) {
      weigh_by_border();
    } else {
      weigh_by_centrality();
    }
    normalise();
    std::copy_n(loads_.pressure.begin(), count_, c_.undamped.begin());
    if (options_.damping > 0) {
      kernels::damp(count_, geometry(), V_WB_, options_.damping, loads_.pressure.data());
    }
    make_forces();
    add_up();
    if (options_.horizontal == ScmOptions::Horizontal::normal) {
      add_walls(X_WB_, X_back_, memory_.push, options_, s_);
    }
  }

 private:
  void make_laws() {
    s_.laws.clear();
    double widest = 0;
    for (const SoilPatch& patch : footprint_.patches) {
      widest = std::max(widest, patch.plate_width());
    }
    for (const SoilPatch& patch : footprint_.patches) {
      for (const Soil& soil : soils_.soils()) {
        // A negative k_c, which only a fit can have, must not make slivers of contact strengthless.
        const double width =
            soil.cohesive_modulus < 0 ? widest : std::max(patch.plate_width(), 1e-6);
        force_.least_stiffness = std::min(
            force_.least_stiffness, 1 + soil.cohesive_modulus / (width * soil.frictional_modulus));
        const ShearLaw shear = shear_of(soil);
        s_.laws.push_back({bekker_of(soil, width, options_), shear, shear.passive_part()});
      }
    }
    const std::size_t soils = soils_.soils().size();
    s_.law.resize(count_);
    s_.stretches.clear();
    const ContactCells& cells = footprint_.cells;
    if (s_.laws.size() == 1) {
      std::fill(s_.law.begin(), s_.law.end(), s_.laws.data());
      s_.stretches.push_back({0, count_, s_.laws.data(), 0});
      return;
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const int soil = soils == 1 ? 0 : soils_.index_at(cells.x[k], cells.y[k]);
      s_.law[k] = &s_.laws[at(cells.patch[k]) * soils + at(soil)];
      if (k > 0 && s_.law[k] == s_.law[k - 1]) continue;
      if (k > 0) s_.stretches.back().end = k;
      s_.stretches.push_back({k, count_, s_.law[k], at(cells.patch[k])});
    }
  }

  /// Fills the arrays.
  void spread() {
    c_.resize(count_);
    find_columns();
    for (const ScmScratch::Stretch& stretch : s_.stretches) {
      const auto fill = [&](std::vector<double>& values, double value) {
        std::fill_n(&values[stretch.begin], stretch.end - stretch.begin, value);
      };
      fill(c_.stiffness, stretch.laws->bekker.stiffness);
      fill(c_.exponent, stretch.laws->bekker.exponent);
      fill(c_.cohesion, stretch.laws->shear.cohesion);
      fill(c_.tan_friction, stretch.laws->shear.tan_friction);
      fill(c_.modulus, stretch.laws->shear.modulus);
    }
    const ContactCells& cells = footprint_.cells;
    const double cell_area = footprint_.window.grid.spacing * footprint_.window.grid.spacing;
    const double px = X_WB_.p.x(), py = X_WB_.p.y(), pz = X_WB_.p.z();
    for (std::size_t k = 0; k < count_; ++k) {
      c_.x[k] = cells.x[k] - px;
      c_.y[k] = cells.y[k] - py;
      c_.z[k] = cells.body[k] - pz;
      c_.area[k] = cells.coverage[k] * cell_area;
    }
    for (std::size_t k = 0; k < count_; ++k) {
      const double sx = cells.slope_x[k], sy = cells.slope_y[k];
      c_.stretch[k] = std::sqrt(1 + sx * sx + sy * sy);
    }
  }

  /// What the columns remember, and how deep they are pressed.
  void find_columns() {
    const SoilWindow& window = footprint_.window;
    const BekkerLaw unloading{.unloading = options_.unloading};
    s_.filled.clear();
    double most = 0;
    for (std::size_t k = 0; k < count_; ++k) {
      const std::size_t node = at(footprint_.cells.node[k]);
      const SoilMemory& column = window.memory[node];
      const double below = window.base[node] - footprint_.cells.body[k];
      const double sinkage = greater(below + column.deposit, 0);
      most = greater(most, below);
      loads_.sinkage[k] = sinkage;
      c_.deepest[k] = greater(sinkage, unloading.deepest_before(column.sunk));
      loads_.shear_x[k] = column.shear_x;
      loads_.shear_y[k] = column.shear_y;
      if (column.fill > 0 && sinkage > column.dent()) s_.filled.push_back(k);
    }
    force_.sinkage = most;
  }

  /// Bekker's pressure in every cell.
  void press() {
    power(c_.deepest.data(), c_.exponent.data(), count_, c_.value.data());
    const double unloading = options_.unloading;
    for (std::size_t k = 0; k < count_; ++k) {
      // BekkerLaw::elastic_part
      const double part = 1 - unloading * (1 - loads_.sinkage[k] / c_.deepest[k]);
      loads_.pressure[k] = c_.stiffness[k] * c_.value[k] * (part > 0 ? part : 0);
    }
    if (options_.bearing == ScmOptions::Bearing::inclined) {
      yield();
    } else {
      std::fill_n(c_.yields.begin(), count_, 1.0);
    }
    press_fill();
  }

  /// Under slanted faces, and where it is sheared, soil bears less than Bekker's law says, whose plates went
  /// straight down; pressed beyond that it gives way.
  void yield() {
    power(loads_.sinkage.data(), c_.exponent.data(), count_, c_.value.data());
    for (std::size_t k = 0; k < count_; ++k) c_.value[k] *= c_.stiffness[k];
    kernels::bearing(count_, geometry(),
                     {.pressure = c_.value.data(),
                      .cohesion = c_.cohesion.data(),
                      .tan_friction = c_.tan_friction.data(),
                      .mobilised = c_.mobilised.data(),
                      .along_z = c_.along_z.data()},
                     c_.yields.data(), c_.base.data());
    for (std::size_t k = 0; k < count_; ++k) {
      loads_.pressure[k] = lesser(loads_.pressure[k], c_.yields[k] * c_.value[k]);
    }
  }

  /// Loose soil on what was pressed before answers as if nobody had touched it.
  void press_fill() {
    const std::size_t count = s_.filled.size();
    for (std::size_t f = 0; f < count; ++f) {
      const std::size_t k = s_.filled[f];
      const SoilMemory& column = footprint_.window.memory[at(footprint_.cells.node[k])];
      c_.base[f] = loads_.sinkage[k] - column.dent();
      c_.power[f] = c_.exponent[k];
    }
    power(c_.base.data(), c_.power.data(), count, c_.value.data());
    for (std::size_t f = 0; f < count; ++f) {
      const std::size_t k = s_.filled[f];
      loads_.pressure[k] =
          std::max(loads_.pressure[k], c_.yields[k] * c_.stiffness[k] * c_.value[f]);
    }
  }

  void sum_patches() {
    s_.sums.assign(footprint_.patches.size(), {});
    for (const ScmScratch::Stretch& stretch : s_.stretches) {
      ScmScratch::PatchSums sum = s_.sums[stretch.patch];
      for (std::size_t k = stretch.begin; k < stretch.end; ++k) {
        sum.load += footprint_.cells.bears[k] * loads_.pressure[k];
        sum.bears += footprint_.cells.bears[k];
        sum.deepest_border = greater(sum.deepest_border, footprint_.cells.border[k]);
      }
      s_.sums[stretch.patch] = sum;
    }
  }

  /// Pressure under a plate is even in soil that lives by friction, and peaks in the middle in soil that
  /// lives by cohesion (Söhne 1958).
  void weigh_by_border() {
    for (const ScmScratch::Stretch& stretch : s_.stretches) {
      const ShearLaw& law = stretch.laws->shear;
      const ScmScratch::PatchSums& sum = s_.sums[stretch.patch];
      const double strength = law.strength(sum.load / sum.bears);
      const double cohesive = strength > 0 ? law.cohesion / strength : 0;
      const double exponent = 2 * std::exp2(3 * (1 - cohesive)), inverse = 1 / sum.deepest_border;
      for (std::size_t k = stretch.begin; k < stretch.end; ++k) {
        c_.base[k] = greater(1 - footprint_.cells.border[k] * inverse, 0);
        c_.power[k] = exponent;
      }
    }
    power(c_.base.data(), c_.power.data(), count_, c_.value.data());
    for (std::size_t k = 0; k < count_; ++k) c_.value[k] = 1 - c_.value[k];
  }

  /// w_i = Σ_j 1/|r_j - r_i| over the cells of the patch; a cell's own share is that of a disc of its
  /// area, 2√π / ds.
  void weigh_by_centrality() {
    const double ds = footprint_.window.grid.spacing;
    constexpr double kOwn = 3.5449077018110318;
    for (std::size_t k = 0; k < count_; ++k) {
      const ContactCell& cell = footprint_.cells[k];
      double sum = kOwn / ds * cell.coverage;
      for (std::size_t l = 0; l < count_; ++l) {
        const ContactCell& other = footprint_.cells[l];
        if (l == k || other.patch != cell.patch) continue;
        sum += other.coverage / (other.centre - cell.centre).norm();
      }
      c_.value[k] = sum;
    }
  }

  /// The weights have mean 1 over what bears: a flat plate carries what Bekker's law says.
  void normalise() {
    for (const ScmScratch::Stretch& stretch : s_.stretches) {
      double weight = s_.sums[stretch.patch].weight;
      for (std::size_t k = stretch.begin; k < stretch.end; ++k) {
        weight += footprint_.cells.bears[k] * c_.value[k];
      }
      s_.sums[stretch.patch].weight = weight;
    }
    for (ScmScratch::PatchSums& sum : s_.sums) sum.weight = sum.bears / sum.weight;
    for (const ScmScratch::Stretch& stretch : s_.stretches) {
      const double weight = s_.sums[stretch.patch].weight;
      for (auto k = stretch.begin; k < stretch.end; ++k) loads_.pressure[k] *= c_.value[k] * weight;
    }
  }

  kernels::CellGeometry geometry() const {
    return {.x = c_.x.data(),
            .y = c_.y.data(),
            .z = c_.z.data(),
            .slope_x = footprint_.cells.slope_x.data(),
            .slope_y = footprint_.cells.slope_y.data(),
            .stretch = c_.stretch.data()};
  }

  /// How far the soil is bent over by sliding, and what that mobilises.
  void slide() {
    shear_entering();
    kernels::find_steps(count_, geometry(), X_back_, X_WB_.p, c_.modulus.data(), c_.base.data(),
                        c_.power.data(), c_.sheared.data());
    one_minus_exp(c_.sheared.data(), count_, c_.value.data());
    kernels::bend(count_,
                  {.x = c_.base.data(),
                   .y = c_.power.data(),
                   .s = c_.sheared.data(),
                   .slid = c_.value.data(),
                   .modulus = c_.modulus.data()},
                  loads_.shear_x.data(), loads_.shear_y.data(), c_.mobilised.data());
    kernels::lift(count_, geometry(), loads_.shear_x.data(), loads_.shear_y.data(),
                  c_.mobilised.data(), c_.along_x.data(), c_.along_y.data(), c_.along_z.data());
  }

  /// Soil that comes under a body through a wall was pushed along before, and is sheared already. Not so where
  /// the body's face leads gently down to it: one cell on, that is as deep as it rises.
  void shear_entering() {
    const double push_x = memory_.push.x(), push_y = memory_.push.y();
    const double length = memory_.push.norm();
    if (length == 0) return;
    const double ds = footprint_.window.grid.spacing;
    for (const BoundaryPiece& piece : footprint_.boundary) {
      const std::size_t k = at(piece.cell);
      if (loads_.shear_x[k] != 0 || loads_.shear_y[k] != 0) continue;  // not new
      const double out_x = piece.outward.x(), out_y = piece.outward.y();
      const double ahead = (push_x * out_x + push_y * out_y) / length;
      const double rise = footprint_.cells.slope_x[k] * out_x + footprint_.cells.slope_y[k] * out_y;
      const double depth = loads_.sinkage[k], wall = depth - std::max(0.0, rise * ds);
      if (ahead <= 0 || wall <= 0) continue;
      loads_.shear_x[k] = wall / depth * ahead * push_x;
      loads_.shear_y[k] = wall / depth * ahead * push_y;
    }
  }

  /// Friction by speed, without memory.
  void rub() {
    for (std::size_t k = 0; k < count_; ++k) {
      const Vec3 out(footprint_.cells.slope_x[k], footprint_.cells.slope_y[k], -1);
      const Vec3 v = V_WB_.linear + V_WB_.angular.cross(Vec3(c_.x[k], c_.y[k], c_.z[k]));
      const Vec3 sliding = v - v.dot(out) / out.squaredNorm() * out;
      const double speed = sliding.norm();
      c_.mobilised[k] = std::tanh(speed / options_.coulomb_speed);
      const double scale = speed > 0 ? c_.mobilised[k] / speed : 0;
      c_.along_x[k] = scale * sliding.x();
      c_.along_y[k] = scale * sliding.y();
      c_.along_z[k] = scale * sliding.z();
      loads_.shear_x[k] = loads_.shear_y[k] = 0;
    }
  }

  void make_forces() {
    const bool paper = options_.horizontal == ScmOptions::Horizontal::paper;
    const kernels::CellStress stress{.area = c_.area.data(),
                                     .pressure = loads_.pressure.data(),
                                     .cohesion = c_.cohesion.data(),
                                     .tan_friction = c_.tan_friction.data(),
                                     .along_x = c_.along_x.data(),
                                     .along_y = c_.along_y.data(),
                                     .along_z = c_.along_z.data()};
    kernels::forces(count_, geometry(), stress, paper, loads_.force_x.data(), loads_.force_y.data(),
                    loads_.force_z.data());
  }

  void add_up() {
    force_.wrench = kernels::sum_of(count_, geometry(), loads_.force_x.data(),
                                    loads_.force_y.data(), loads_.force_z.data());
    double area = 0;
    for (std::size_t k = 0; k < count_; ++k) area += c_.area[k];
    force_.area = area;
  }

  const Pose& X_WB_;
  const Twist& V_WB_;
  const ScmBodyMemory& memory_;
  Pose X_back_;  // from this pose to the committed one, in W
  const SoilMap& soils_;
  const ScmOptions& options_;
  ScmScratch& s_;
  ScmScratch::Cells& c_;
  const Footprint& footprint_;
  ScmForce& force_;
  CellLoads& loads_;
  std::size_t count_;
};

}  // namespace

const ScmForce& scm_force(const ScmBody& body, const Pose& X_WB, const Twist& V_WB,
                          const ScmBodyMemory& memory, const ScmSoil& soil, const SoilMap& soils,
                          const ScmOptions& options, ScmScratch& scratch) {
  find_footprint(body, X_WB, soil, options, scratch.footprint_scratch, scratch.footprint);
  ScmForce& force = scratch.force;
  static_cast<ScmReaction&>(force) = {};
  force.least_stiffness = 1;
  force.push = Vec2::Zero();
  force.loads.resize(scratch.footprint.cells.size());
  if (!scratch.footprint.empty()) {
    ForceSum(X_WB, V_WB, memory, soils, options, scratch).run();
  }
  return force;
}

}  // namespace grouser::internal
