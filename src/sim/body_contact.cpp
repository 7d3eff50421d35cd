#include "sim/body_contact.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace grouser {
namespace {

/// Moves the elements with their bodies. True if any of them is elsewhere or has another velocity now.
bool place_elements(const World& world, const Kinematics& kinematics, BodyContactScratch& scratch) {
  bool moved = false;
  for (const int e : world.body_contacts->moving()) {
    const auto index = static_cast<std::size_t>(e);
    const ContactElement& element = world.body_contacts->elements()[index];
    const Pose X_WE = kinematics.X_WB[static_cast<std::size_t>(element.body)] * element.X_BE;
    const Twist V_WE = twist_at(world.model, kinematics, element.body, X_WE.p);
    Pose& X = scratch.X_WE[index];
    Twist& V = scratch.V_WE[index];
    moved = moved || X.R != X_WE.R || X.p != X_WE.p || V.angular != V_WE.angular ||
            V.linear != V_WE.linear;
    X = X_WE;
    V = V_WE;
  }
  return moved;
}

void find_forces(const World& world, const Kinematics& kinematics, const BbccState& state,
                 BodyContactScratch& scratch) {
  const bool moved = place_elements(world, kinematics, scratch);
  if (scratch.current && !moved) return;
  bbcc_force(*world.body_contacts, scratch.X_WE, scratch.V_WE, state, *scratch.bbcc);
  scratch.current = true;
}

}  // namespace

BodyContactScratch::BodyContactScratch(const World& world) {
  if (!world.body_contacts) return;
  bbcc.emplace(*world.body_contacts);
  X_WE.resize(world.body_contacts->elements().size());
  V_WE.resize(X_WE.size());
}

void add_contact_wrenches(const World& world, const Kinematics& kinematics, const BbccState& state,
                          BodyContactScratch& scratch, std::span<Wrench> wrenches) {
  find_forces(world, kinematics, state, scratch);
  for (const int e : world.body_contacts->moving()) {
    const auto index = static_cast<std::size_t>(e);
    const auto body = static_cast<std::size_t>(world.body_contacts->elements()[index].body);
    const Vec3 back = kinematics.X_WB[body].p - scratch.X_WE[index].p;
    wrenches[body] += scratch.bbcc->force.wrenches[index].shifted(back);
  }
}

std::vector<std::string> overlap_warnings(const World& world, const BodyContactScratch& scratch) {
  // Rigid bodies are moved apart at once, however little they overlap. Others stand in each other a little under
  // their weight; more than a part of the smaller one's shortest side is a mistake.
  constexpr double kRigid = 1e-3;  // [m]
  constexpr double kPart = 0.02;   // [-]
  const bool is_rigid = world.has_rigid_contact();
  const BbccScene& scene = *world.body_contacts;
  const int count = static_cast<int>(scene.elements().size());
  const auto size = [&](int e) {
    return e < count ? scene.local_box(e).size().minCoeff() : std::numeric_limits<double>::max();
  };
  const auto name = [&](int e) {
    return e < count ? scene.elements()[static_cast<std::size_t>(e)].name
                     : scene.terrains()[static_cast<std::size_t>(e - count)].name;
  };
  std::vector<std::string> warnings;
  for (const BbccContact& contact : scratch.bbcc->force.contacts) {
    const int a = contact.pair.a, b = contact.pair.b;
    if (contact.depth <= (is_rigid ? kRigid : kPart * std::min(size(a), size(b)))) continue;
    warnings.push_back(fmt::format("{} and {} overlap by {:.3g} m at the start: they will be {}",
                                   name(a), name(b), contact.depth,
                                   is_rigid ? "moved apart in the first step" : "thrown apart"));
  }
  return warnings;
}

bool commit_contacts(const World& world, const Kinematics& kinematics, BodyContactScratch& scratch,
                     BbccState& state) {
  find_forces(world, kinematics, state, scratch);
  if (!bbcc_commit(*scratch.bbcc, state)) return false;
  scratch.current = false;
  return true;
}

}  // namespace grouser
