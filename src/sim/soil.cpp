#include "sim/soil.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.h"
#include "sim/clock.h"

namespace grouser {
namespace {

bool is_same(const Pose& a, const Pose& b) { return a.R == b.R && a.p == b.p; }
bool is_same(const Twist& a, const Twist& b) {
  return a.angular == b.angular && a.linear == b.linear;
}

void find_reactions(const World& world, const Kinematics& kinematics, const ScmState& soil,
                    SoilScratch& scratch) {
  parallel_for(world.soil_contacts.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      const SoilContact& contact = world.soil_contacts[c];
      const ScmBodyMemory& memory = soil.bodies[c];
      const Pose X_WS = kinematics.X_WB[static_cast<std::size_t>(contact.body)] * contact.X_BS;
      const Twist V_WS = twist_at(world.model, kinematics, contact.body, X_WS.p);
      const auto is_at = [&](const Pose& X, const Twist& V) {
        return is_same(X, X_WS) && is_same(V, V_WS);
      };
      const bool holds = memory.holds && is_at(memory.X_WB, memory.V_WB);
      if (holds && !scratch.fresh) {
        scratch.reactions[c] = memory.reaction;
        scratch.current[c] = 0;
      } else if (scratch.current[c] == 0 || !is_at(scratch.X_WS[c], scratch.V_WS[c])) {
        scratch.reactions[c] = scm_force(*contact.shape, X_WS, V_WS, memory, soil.soil,
                                         world.ground->soils, world.scm, scratch.bodies[c]);
        scratch.current[c] = 1;
      }
      scratch.X_WS[c] = X_WS;
      scratch.V_WS[c] = V_WS;
    }
  });
}

}  // namespace

std::vector<std::string> soil_warnings(const SoilStatistics& statistics) {
  std::vector<std::string> warnings;
  if (statistics.unsettled > 0) {
    warnings.push_back(
        fmt::format("after {} of {} updates of the soil some slope was still steeper than the "
                    "angle of repose",
                    statistics.unsettled, statistics.updates));
  }
  if (statistics.least_stiffness < kLeastStiffness) {
    warnings.push_back(fmt::format(
        "a footprint was so narrow that k_c/b + k_φ fell to {:.2g} k_φ; it was held at {} k_φ: "
        "the soil's k_c is not meant for plates as narrow as that",
        statistics.least_stiffness, kLeastStiffness));
  }
  return warnings;
}

SoilScratch::SoilScratch(const World& world) {
  for (const SoilContact& contact : world.soil_contacts) {
    bodies.emplace_back(*contact.shape, world.ground->map);
  }
  X_WS.resize(bodies.size());
  V_WS.resize(bodies.size());
  reactions.resize(bodies.size());
  slopes.resize(bodies.size());
  current.resize(bodies.size());
  touchers.resize(bodies.size());
  if (!bodies.empty()) updater.emplace(world.ground->map, bodies.size());
}

std::optional<ScmState> initial_soil(const World& world) {
  if (world.soil_contacts.empty()) return std::nullopt;
  ScmState state{.soil = ScmSoil(world.ground->map), .bodies = {}};
  Kinematics kinematics(world.model);
  forward_kinematics(world.model, world.initial.q, world.initial.v, kinematics);
  for (const SoilContact& contact : world.soil_contacts) {
    state.bodies.push_back(
        {.X_WB = kinematics.X_WB[static_cast<std::size_t>(contact.body)] * contact.X_BS});
  }
  return state;
}

void add_soil_wrenches(const World& world, const Kinematics& kinematics, const ScmState& soil,
                       SoilScratch& scratch, std::span<Wrench> wrenches) {
  find_reactions(world, kinematics, soil, scratch);
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    const std::size_t body = static_cast<std::size_t>(world.soil_contacts[c].body);
    const Wrench& at_shape = scratch.reactions[c].wrench;
    const Vec3 arm = scratch.X_WS[c].p - kinematics.X_WB[body].p;
    wrenches[body].force += at_shape.force;
    wrenches[body].torque += at_shape.torque + arm.cross(at_shape.force);
  }
}

void add_soil_slopes(const World& world, const Kinematics& kinematics, double damping,
                     double stiffness, SoilScratch& scratch, std::span<SpatialMatrix> bodies) {
  parallel_for(scratch.bodies.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      scratch.slopes[c] = scm_slopes(world.scm, scratch.bodies[c]);
    }
  });
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    const std::size_t body = static_cast<std::size_t>(world.soil_contacts[c].body);
    const auto tree = static_cast<std::size_t>(world.model.joints()[body].tree);
    Mat6 shift = Mat6::Identity();  // of a twist from O to the shape
    shift.bottomLeftCorner<3, 3>() = -skew(scratch.X_WS[c].p - kinematics.p_WO[tree]);
    const ScmSlopes& slopes = scratch.slopes[c];
    const Mat6 sum = damping * slopes.damping + stiffness * slopes.stiffness;
    bodies[body] += to_matrix(Mat6(shift.transpose() * sum * shift));
  }
}

bool commit_soil(const World& world, const Kinematics& kinematics, double time,
                 SoilScratch& scratch, ScmState& soil, SoilStatistics& statistics) {
  const Clock clock{0, 1 / world.scm.update_rate_hz};
  scratch.fresh = true;
  find_reactions(world, kinematics, soil, scratch);
  scratch.fresh = false;
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    scm_commit(scratch.X_WS[c], scratch.V_WS[c], world.scm, scratch.bodies[c], soil.bodies[c],
               soil.soil);
    scratch.current[c] = 0;
    statistics.least_stiffness =
        std::min(statistics.least_stiffness, scratch.bodies[c].force.least_stiffness);
  }
  if (!clock.is_due(soil.updates + 1, time)) return false;
  parallel_for(scratch.bodies.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      ScmScratch& body = scratch.bodies[c];
      find_underside(*world.soil_contacts[c].shape, scratch.X_WS[c], soil.soil, world.scm,
                     body.footprint_scratch, body.footprint);
    }
  });
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    scratch.touchers[c] = {.footprint = &scratch.bodies[c].footprint,
                           .force = &scratch.bodies[c].force,
                           .X_WB = scratch.X_WS[c],
                           .V_WB = scratch.V_WS[c],
                           .memory = &soil.bodies[c]};
  }
  const SoilUpdateReport report = scratch.updater->update(
      scratch.touchers, time - soil.updated, world.ground->soils, world.scm, soil.soil);
  soil.updated = time;
  while (clock.is_due(soil.updates + 1, time)) soil.updates += 1;
  ++statistics.updates;
  statistics.unsettled += report.settled ? 0 : 1;
  return true;
}

}  // namespace grouser
