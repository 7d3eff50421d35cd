#include "contact/host/host_contact_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "contact/number_stream.h"
#include "core/error.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

/// How far a normal may be from unit length: hosts may reckon in single precision [-].
constexpr double kUnit = 1e-5;
constexpr std::size_t kNumbersPerContact = 22;

bool is_unit(const Vec3& normal) { return std::abs(normal.norm() - 1) <= kUnit; }

/// Where a held contact is at other poses.
struct Place {
  Vec3 point;   // where forces act, in W [m]
  Vec3 normal;  // in W
  double gap;   // [m]
};

Place place_of(const HeldContact& contact, std::span<const Pose> X_WB) {
  const Pose& X_WA = X_WB[at(contact.body_a)];
  const Vec3 point = X_WA.p + contact.arm_W, p_Wa = X_WA * contact.p_A;
  if (contact.body_b == RigidContact::kWorld) {
    return {point, contact.n_B, contact.n_B.dot(p_Wa - contact.p_B)};
  }
  const Pose& X_WB_b = X_WB[at(contact.body_b)];
  const Vec3 normal = X_WB_b.R * contact.n_B;
  return {point, normal, normal.dot(p_Wa - X_WB_b * contact.p_B)};
}

HeldContact held(const HostContact& contact, std::span<const Pose> X_WB) {
  const Vec3 normal = contact.normal.normalized();
  const Vec3 opposite = contact.point - contact.gap * normal;
  HeldContact out{.body_a = contact.body_a,
                  .body_b = contact.body_b,
                  .p_A = X_WB[at(contact.body_a)].inverse() * contact.point,
                  .p_B = opposite,
                  .n_B = normal,
                  .arm_W = contact.point - X_WB[at(contact.body_a)].p,
                  .friction = contact.friction,
                  .restitution = contact.restitution};
  if (contact.body_b != RigidContact::kWorld) {
    const Pose X_BW = X_WB[at(contact.body_b)].inverse();
    out.p_B = X_BW * opposite;
    out.n_B = X_BW.R * normal;
  }
  return out;
}

/// Findings about a row of contacts.
class HostContactChecks {
 public:
  explicit HostContactChecks(int body_count) : body_count_(body_count) {}

  void check(std::size_t index, const HostContact& contact) {
    index_ = index;
    const auto is_body = [&](int body) { return body >= 0 && body < body_count_; };
    const double mu = contact.friction, e = contact.restitution;
    demand(is_body(contact.body_a), "body_a", contact.body_a, "a body of the world");
    demand(contact.body_b == RigidContact::kWorld || is_body(contact.body_b), "body_b",
           contact.body_b, "a body, or the world");
    demand(contact.body_a != contact.body_b, "body_b", contact.body_b, "not body_a");
    demand(contact.point.allFinite(), "point", contact.point.norm(), "finite [m]");
    demand(is_unit(contact.normal), "normal", contact.normal.norm(), "of length 1");
    demand(std::isfinite(contact.gap), "gap", contact.gap, "finite [m]");
    demand(std::isfinite(mu) && mu >= 0, "friction", mu, ">= 0 [-]");
    demand(e >= 0 && e <= 1, "restitution", e, "0 ... 1 [-]");
  }
  void throw_if_any() const {
    if (!issues_.empty()) throw Error(ErrorKind::usage, issues_);
  }

 private:
  void demand(bool is_met, const char* field, double value, const char* legal) {
    if (is_met) return;
    issues_.push_back({.message = "is no contact",
                       .field = fmt::format("contacts[{}].{}", index_, field),
                       .value = fmt::format("{:g}", value),
                       .legal = legal});
  }

  int body_count_;
  std::size_t index_ = 0;
  std::vector<Issue> issues_;
};

template <class State, class Visit>
void visit_contact(State& contact, Visit&& visit) {
  visit(contact.body_a);
  visit(contact.body_b);
  for_each_component(contact.p_A, visit);
  for_each_component(contact.p_B, visit);
  for_each_component(contact.n_B, visit);
  for_each_component(contact.arm_W, visit);
  visit(contact.friction);
  visit(contact.restitution);
}

template <class Force, class Visit>
void visit_force(Force& force, Visit&& visit) {
  for_each_component(force.point, visit);
  for_each_component(force.force, visit);
}

template <class Visit>
void visit_contacts(const HostContactState& state, Visit&& visit) {
  visit(static_cast<std::int32_t>(state.contacts.size()));
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    visit_contact(state.contacts[k], visit);
    visit_force(state.forces[k], visit);
  }
}

bool is_legal(const HeldContact& contact, int body_count) {
  return contact.body_a >= 0 && contact.body_a < body_count &&
         contact.body_b >= RigidContact::kWorld && contact.body_b < body_count &&
         contact.body_a != contact.body_b && is_unit(contact.n_B) && contact.friction >= 0 &&
         contact.restitution >= 0 && contact.restitution <= 1;
}

}  // namespace

void HostContactState::hash(Hasher& hasher) const {
  if (!contacts.empty()) visit_contacts(*this, NumberHasher(hasher));
}

void HostContactSystem::set(std::span<const HostContact> contacts, std::span<const Pose> X_WB,
                            HostContactState& state) const {
  HostContactChecks checks(body_count_);
  for (std::size_t k = 0; k < contacts.size(); ++k) checks.check(k, contacts[k]);
  checks.throw_if_any();
  const std::size_t before = state.contacts.size();
  state.contacts.resize(contacts.size());
  state.forces.resize(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const HeldContact next = held(contacts[k], X_WB);
    HeldContact& now = state.contacts[k];
    const bool is_known = k < before && now.body_a == next.body_a && now.body_b == next.body_b;
    state.forces[k] = {.point = contacts[k].point,
                       .force = is_known ? state.forces[k].force : Vec3(Vec3::Zero())};
    now = next;
  }
}

std::vector<ContactElementInfo> HostContactSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (int body = 0; body < body_count_; ++body) {
    elements.push_back(
        {.name = {}, .model = std::string(kName), .body = body, .ground = GroundContact::hard});
  }
  return elements;
}

std::unique_ptr<ContactScratch> HostContactSystem::make_scratch() const {
  return std::make_unique<ContactScratch>();
}

ContactMemory HostContactSystem::initial_memory(const BodyMotions& /*bodies*/) const {
  return ContactMemory(HostContactState{});
}

bool HostContactSystem::fits(const ContactMemory& memory) const {
  return memory.holds<HostContactState>() &&
         std::ranges::all_of(
             memory.as<HostContactState>().contacts,
             [&](const HeldContact& contact) { return is_legal(contact, body_count_); });
}

void HostContactSystem::evaluate(const ContactInput& input, const ContactMemory& memory,
                                 Purpose /*purpose*/, ContactScratch& /*scratch*/,
                                 std::span<Wrench> wrenches) const {
  const auto& state = memory.as<HostContactState>();
  const auto add = [&](int body, const HostContactForce& at_point, double sign) {
    const Wrench wrench{Vec3::Zero(), sign * at_point.force};
    wrenches[at(body)] += wrench.shifted(input.bodies.X_WB[at(body)].p - at_point.point);
  };
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    const HeldContact& contact = state.contacts[k];
    add(contact.body_a, state.forces[k], 1);
    if (contact.body_b != RigidContact::kWorld) add(contact.body_b, state.forces[k], -1);
  }
}

void HostContactSystem::find_rigid(std::span<const Pose> X_WB, double margin,
                                   const ContactMemory& memory, ContactScratch& /*scratch*/,
                                   RigidContacts& out) const {
  const auto& state = memory.as<HostContactState>();
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    const HeldContact& contact = state.contacts[k];
    const Place place = place_of(contact, X_WB);
    out.contacts.push_back({.body_a = contact.body_a,
                            .body_b = contact.body_b,
                            .p_Wa = place.point,
                            .p_Wb = place.point - place.gap * place.normal,
                            .normal = place.normal,
                            .gap = margin + place.gap,
                            .friction = contact.friction,
                            .restitution = contact.restitution});
    out.points.push_back({.key = {static_cast<std::int32_t>(k)}, .p_W = place.point});
    out.wrenches.push_back({Vec3::Zero(), state.forces[k].force});
  }
}

void HostContactSystem::commit_rigid(std::span<const RigidPoint> points,
                                     std::span<const Wrench> wrenches,
                                     ContactMemory& memory) const {
  if (points.empty()) return;
  std::vector<HostContactForce>& forces = memory.write<HostContactState>().forces;
  for (std::size_t k = 0; k < points.size(); ++k) {
    forces[k] = {.point = points[k].p_W, .force = wrenches[k].force};
  }
}

bool HostContactSystem::commit(const ContactInput& input, ContactMemory& memory,
                               ContactScratch& /*scratch*/) const {
  if (memory.as<HostContactState>().contacts.empty()) return false;
  for (HeldContact& contact : memory.write<HostContactState>().contacts) {
    contact.arm_W = input.bodies.X_WB[at(contact.body_a)].R * contact.p_A;
  }
  return false;  // forces are found in the next step
}

Vec3 HostContactSystem::force_on(int body, const ContactMemory& memory,
                                 const ContactScratch& /*scratch*/) const {
  const auto& state = memory.as<HostContactState>();
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    if (state.contacts[k].body_a == body) sum += state.forces[k].force;
    if (state.contacts[k].body_b == body) sum -= state.forces[k].force;
  }
  return sum;
}

void HostContactSystem::sample(const ContactInput& input, const ContactMemory& memory,
                               const ContactScratch& /*scratch*/,
                               std::vector<ContactReading>& out) const {
  const auto& state = memory.as<HostContactState>();
  std::vector<GatheredReading> bodies(at(body_count_));
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    bodies[b].body = static_cast<int>(b);
    bodies[b].origin = input.bodies.X_WB[b].p;
  }
  const auto add = [&](int body, double sign, const HostContactForce& at_point, double depth) {
    GatheredReading& gathered = bodies[at(body)];
    const Wrench wrench{Vec3::Zero(), sign * at_point.force};
    gathered.wrench += wrench.shifted(gathered.origin - at_point.point);
    gathered.add_place(at_point.force.norm(), at_point.point);
    gathered.depth = std::max(gathered.depth, depth);
  };
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    const HeldContact& contact = state.contacts[k];
    const double depth = -place_of(contact, input.bodies.X_WB).gap;
    add(contact.body_a, 1, state.forces[k], depth);
    if (contact.body_b != RigidContact::kWorld) add(contact.body_b, -1, state.forces[k], depth);
  }
  for (const GatheredReading& gathered : bodies) {
    out.push_back(gathered.reading(input.bodies.twist_at(gathered.body, gathered.origin),
                                   gathered.weight > 0));
  }
}

std::vector<ContactPiece> HostContactSystem::pieces() const { return {{"contacts by a host"}}; }

std::vector<double> HostContactSystem::save(const ContactMemory& memory) const {
  NumberWriter write;
  visit_contacts(memory.as<HostContactState>(), write);
  return write.take();
}

ContactMemory HostContactSystem::load(std::span<const double> numbers) const {
  HostContactState state;
  NumberReader read(numbers);
  state.contacts.resize(read.count(kNumbersPerContact));
  state.forces.resize(state.contacts.size());
  for (std::size_t k = 0; k < state.contacts.size(); ++k) {
    visit_contact(state.contacts[k], read);
    visit_force(state.forces[k], read);
    if (!is_legal(state.contacts[k], body_count_)) {
      throw DamagedMemory("a contact of a host makes no sense");
    }
  }
  read.expect_end();
  return ContactMemory(std::move(state));
}

}  // namespace grouser::internal
