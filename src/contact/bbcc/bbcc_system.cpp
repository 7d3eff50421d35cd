#include "contact/bbcc/bbcc_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "contact/bbcc/rigid_points.h"
#include "core/index.h"

namespace grouser::internal {

struct BbccSystem::Scratch final : ContactScratch {
  explicit Scratch(const BbccScene& scene)
      : bbcc(scene), finder(scene), X_WE(scene.elements().size()), V_WE(scene.elements().size()) {}

  BbccScratch bbcc;
  OverlapFinder finder;
  std::vector<Pose> X_WE;   // per element
  std::vector<Twist> V_WE;  // per element, at its origin, axes of W
  /// With which memory `bbcc` shows the forces there; 0: it does not.
  std::uint64_t found = 0;
};

std::vector<ContactElementInfo> BbccSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    elements.push_back(
        {.name = element.name,
         .model = std::string(kName),
         .body = element.body,
         .ground = scene_->terrains().empty() ? GroundContact::none : GroundContact::hard});
  }
  return elements;
}

std::unique_ptr<ContactScratch> BbccSystem::make_scratch() const {
  return std::make_unique<Scratch>(*scene_);
}

ContactMemory BbccSystem::initial_memory(const BodyMotions& /*bodies*/) const {
  return ContactMemory(BbccState{});
}

void BbccSystem::find_forces(const BodyMotions& bodies, const ContactMemory& memory,
                             Scratch& scratch) const {
  bool is_same = scratch.found == memory.revision();
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    const Pose X_WE = bodies.X_WB[at(element.body)] * element.X_BE;
    const Twist V_WE = bodies.twist_at(element.body, X_WE.p);
    Pose& X = scratch.X_WE[at(e)];
    Twist& V = scratch.V_WE[at(e)];
    is_same = is_same && X.R == X_WE.R && X.p == X_WE.p && V.angular == V_WE.angular &&
              V.linear == V_WE.linear;
    X = X_WE;
    V = V_WE;
  }
  if (is_same) return;
  bbcc_force(*scene_, scratch.X_WE, scratch.V_WE, memory.as<BbccState>(), scratch.bbcc);
  scratch.found = memory.revision();
}

std::span<const OverlappingPair> BbccSystem::find_places(std::span<const Pose> X_WB,
                                                         Scratch& scratch) const {
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    scratch.X_WE[at(e)] = X_WB[at(element.body)] * element.X_BE;
  }
  scratch.found = 0;
  return scratch.finder.find(*scene_, scratch.X_WE,
                             {.single_point = scene_->options().single_point});
}

void BbccSystem::evaluate(const ContactInput& input, const ContactMemory& memory,
                          Purpose /*purpose*/, ContactScratch& any,
                          std::span<Wrench> wrenches) const {
  const BodyMotions& bodies = input.bodies;
  if (is_rigid_) {
    add_pressed(memory.as<BbccState>(), *scene_, bodies.X_WB, wrenches);
    return;
  }
  auto& scratch = static_cast<Scratch&>(any);
  find_forces(bodies, memory, scratch);
  for (const int e : scene_->moving()) {
    const std::size_t body = at(scene_->elements()[at(e)].body);
    const Vec3 back = bodies.X_WB[body].p - scratch.X_WE[at(e)].p;
    wrenches[body] += scratch.bbcc.force.wrenches[at(e)].shifted(back);
  }
}

void BbccSystem::find_rigid(std::span<const Pose> X_WB, double margin, const ContactMemory& memory,
                            ContactScratch& any, RigidContacts& out) const {
  const auto found = find_places(X_WB, static_cast<Scratch&>(any));
  add_rigid_contacts(*scene_, found, margin, memory.as<BbccState>().points, out);
}

void BbccSystem::commit_rigid(std::span<const RigidPoint> points, std::span<const Wrench> wrenches,
                              ContactMemory& memory) const {
  std::vector<PressedPoint>& pressed = memory.write<BbccState>().points;
  pressed.clear();
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto& key = points[k].key;
    pressed.push_back({.pair = {key[0], key[1], key[2], key[3]},
                       .point = key[4],
                       .p_W = points[k].p_W,
                       .force = wrenches[k].force,
                       .torque = wrenches[k].torque});
  }
}

bool BbccSystem::commit(const ContactInput& input, ContactMemory& memory,
                        ContactScratch& any) const {
  auto& scratch = static_cast<Scratch&>(any);
  find_forces(input.bodies, memory, scratch);
  // What does not change must not count as another memory: its forces still hold.
  if (!bbcc_touch(memory.as<BbccState>(), scratch.bbcc)) return false;
  std::swap(scratch.bbcc.touches, memory.write<BbccState>().touches);
  return true;
}

Vec3 BbccSystem::force_on(int body, const ContactMemory& memory, const ContactScratch& any) const {
  Vec3 sum = Vec3::Zero();
  if (is_rigid_) {
    const std::span<const ContactElement> elements = scene_->elements();
    const auto is_on = [&](int e) {
      return at(e) < elements.size() && elements[at(e)].body == body;
    };
    for (const PressedPoint& point : memory.as<BbccState>().points) {
      if (is_on(point.pair.a)) sum += point.force;
      if (is_on(point.pair.b)) sum -= point.force;
    }
    return sum;
  }
  const BbccForce& force = static_cast<const Scratch&>(any).bbcc.force;
  for (const int e : scene_->moving()) {
    if (scene_->elements()[at(e)].body == body) sum += force.wrenches[at(e)].force;
  }
  return sum;
}

/// Forces of the last step.
void BbccSystem::gather_pressed(const BbccState& state, std::span<GatheredReading> elements) const {
  const auto add = [&](int e, double sign, const PressedPoint& point) {
    if (at(e) >= elements.size() || elements[at(e)].body < 0) return;
    GatheredReading& gathered = elements[at(e)];
    const Wrench at_point{sign * point.torque, sign * point.force};
    gathered.wrench += at_point.shifted(gathered.origin - point.p_W);
    gathered.add_place(point.force.norm(), point.p_W);
  };
  for (const PressedPoint& point : state.points) {
    add(point.pair.a, 1, point);
    add(point.pair.b, -1, point);
  }
}

void BbccSystem::gather_compliant(const BbccForce& force,
                                  std::span<GatheredReading> elements) const {
  for (const BbccContact& contact : force.contacts) {
    for (const int e : {contact.pair.a, contact.pair.b}) {
      if (at(e) >= elements.size() || elements[at(e)].body < 0) continue;
      GatheredReading& gathered = elements[at(e)];
      gathered.depth = std::max(gathered.depth, contact.depth);
      for (const ContactPoint& point : contact.points) gathered.add_place(point.depth, point.p);
    }
  }
  for (std::size_t e = 0; e < elements.size(); ++e) elements[e].wrench = force.wrenches[e];
}

void BbccSystem::sample(const ContactInput& input, const ContactMemory& memory,
                        const ContactScratch& any, std::vector<ContactReading>& out) const {
  std::vector<GatheredReading> elements(scene_->elements().size());
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    elements[at(e)].body = element.body;
    elements[at(e)].origin = input.bodies.X_WB[at(element.body)] * element.X_BE.p;
  }
  if (is_rigid_) {
    gather_pressed(memory.as<BbccState>(), elements);
  } else {
    gather_compliant(static_cast<const Scratch&>(any).bbcc.force, elements);
  }
  for (const int e : scene_->moving()) {
    const GatheredReading& gathered = elements[at(e)];
    out.push_back(gathered.reading(input.bodies.twist_at(gathered.body, gathered.origin),
                                   gathered.weight > 0));
  }
}

std::vector<std::string> BbccSystem::overlaps(const ContactInput& input,
                                              const ContactMemory& /*memory*/,
                                              ContactScratch& any) const {
  // Rigid bodies are moved apart at once, however little they overlap. Others stand in each other a little under
  // their weight; more than a part of the smaller one's shortest side is a mistake.
  constexpr double kRigid = 1e-3;  // [m]
  constexpr double kPart = 0.02;   // [-]
  const int count = static_cast<int>(scene_->elements().size());
  const auto size = [&](int e) {
    return e < count ? scene_->local_box(e).size().minCoeff() : std::numeric_limits<double>::max();
  };
  const auto name = [&](int e) {
    return e < count ? scene_->elements()[at(e)].name : scene_->terrains()[at(e - count)].name;
  };
  std::vector<std::string> warnings;
  for (const OverlappingPair& contact :
       find_places(input.bodies.X_WB, static_cast<Scratch&>(any))) {
    const int a = contact.pair.a, b = contact.pair.b;
    if (contact.depth <= (is_rigid_ ? kRigid : kPart * std::min(size(a), size(b)))) continue;
    warnings.push_back(fmt::format("{} and {} overlap by {:.3g} m at the start: they will be {}",
                                   name(a), name(b), contact.depth,
                                   is_rigid_ ? "moved apart in the first step" : "thrown apart"));
  }
  return warnings;
}

std::vector<std::string> BbccSystem::warnings(const ContactUse& use) const {
  constexpr double kMost = 0.95;
  std::vector<std::string> warnings;
  for (const int e : scene_->moving()) {
    const ContactElement& element = scene_->elements()[at(e)];
    if (element.material.restitution <= kMost) continue;
    if (std::ranges::find(use.wheels, element.body, &WheelUse::body) == use.wheels.end()) continue;
    warnings.push_back(
        fmt::format("{}: a wheel with a restitution of {:g} hardly loses energy when it "
                    "bounces",
                    element.name, element.material.restitution));
  }
  return warnings;
}

std::vector<ContactPiece> BbccSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const ContactElement& element : scene_->elements()) {
    pieces.push_back(
        {fmt::format("contact element {} of {} parts", element.name, element.parts.size())});
  }
  for (const TerrainElement& terrain : scene_->terrains()) {
    pieces.push_back({"hard ground " + terrain.name});
  }
  return pieces;
}

}  // namespace grouser::internal
