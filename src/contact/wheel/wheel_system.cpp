#include "contact/wheel/wheel_system.h"

#include <algorithm>
#include <cassert>

#include "contact/number_stream.h"
#include "contact/wheel/terra_range.h"
#include "contact/wheel/wheel_damping.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

template <class Memory, class Visit>
void visit_wheel(Memory& memory, Visit&& visit) {
  visit(memory.sunk);
  visit(memory.dug);
  for_each_component(memory.shear, visit);
  visit(memory.rim);
  for_each_component(memory.bow, visit);
  for_each_component(memory.held, visit);
  visit(memory.sliding);
  visit(memory.slow);
}

}  // namespace

struct WheelSystem::Scratch final : ContactScratch {
  /// Where a wheel is and on what.
  struct Place {
    WheelFrame frame;
    const WheelSoil* soil = nullptr;
    Vec3 middle = Vec3::Zero();  // axes of W [m]
  };

  /// What a reaction was found for.
  struct Instant {
    Pose X_WB;
    Twist V_WR;
    Vec3 p_WR = Vec3::Zero();

    static Instant of(const BodyMotions& bodies, std::size_t body) {
      return {bodies.X_WB[body], bodies.V_WR[body], bodies.p_WR[body]};
    }
    bool operator==(const Instant& o) const {
      return X_WB.p == o.X_WB.p && X_WB.R == o.X_WB.R && V_WR.angular == o.V_WR.angular &&
             V_WR.linear == o.V_WR.linear && p_WR == o.p_WR;
    }
  };

  std::vector<Place> places;             // per contact
  std::vector<WheelReaction> reactions;  // per contact
  std::vector<Wrench> wrenches;          // per contact, at its body's origin, axes of W
  std::vector<WheelMemory> memories;     // per contact: as a commit would leave them
  std::vector<Instant> instants;         // per contact: what these were found for,
  double time = 0;                       // when,
  std::uint64_t revision = 0;            // with what memory; 0: none
  const ElevationMap* ground = nullptr;  // and on what
};

WheelContact make_wheel_contact(int body, const Pose& X_BS, const WheelForm& form,
                                const WheelModel& model, const SoilMap& soils,
                                const Vec3& gravity) {
  WheelContact contact{.body = body, .X_BS = X_BS, .form = form, .model = model, .soils = {}};
  for (const Soil& soil : soils.soils()) {
    validate(model, form, soil);
    contact.soils.push_back(wheel_soil(soil, form, gravity.norm()));
  }
  return contact;
}

void WheelMemories::hash(Hasher& hasher) const {
  NumberHasher add(hasher);
  add(time);
  for (const WheelMemory& wheel : wheels) visit_wheel(wheel, add);
}

WheelSystem::WheelSystem(std::vector<WheelContact> contacts, std::shared_ptr<const SoilMap> soils,
                         const Vec3& gravity)
    : contacts_(std::move(contacts)), soils_(std::move(soils)) {
  const double size = gravity.norm();
  up_ = size > 0 ? Vec3(-gravity / size) : Vec3(0, 0, 0);
}

std::vector<ContactElementInfo> WheelSystem::elements() const {
  std::vector<ContactElementInfo> elements;
  for (const WheelContact& contact : contacts_) {
    elements.push_back({.name = {},
                        .model = name_of(contact.model),
                        .body = contact.body,
                        .ground = GroundContact::soil});
  }
  return elements;
}

std::unique_ptr<ContactScratch> WheelSystem::make_scratch() const {
  auto scratch = std::make_unique<Scratch>();
  scratch->places.resize(contacts_.size());
  scratch->reactions.resize(contacts_.size());
  scratch->wrenches.resize(contacts_.size());
  scratch->memories.resize(contacts_.size());
  scratch->instants.resize(contacts_.size());
  return scratch;
}

ContactMemory WheelSystem::initial_memory(const BodyMotions& /*bodies*/) const {
  return ContactMemory(WheelMemories{.wheels = std::vector<WheelMemory>(contacts_.size())});
}

bool WheelSystem::fits(const ContactMemory& memory) const {
  return memory.holds<WheelMemories>() &&
         memory.as<WheelMemories>().wheels.size() == contacts_.size();
}

void WheelSystem::find_reactions(const ContactInput& input, const ContactMemory& memory,
                                 Scratch& scratch) const {
  assert(input.ground != nullptr);
  const auto& state = memory.as<WheelMemories>();
  const double dt = std::max(0.0, input.time - state.time);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const WheelContact& contact = contacts_[c];
    const std::size_t body = at(contact.body);
    const Pose X_WS = input.bodies.X_WB[body] * contact.X_BS;
    const Twist V_WS = input.bodies.twist_at(contact.body, X_WS.p);
    const int soil = soils_->index_at(X_WS.p.x(), X_WS.p.y());
    Scratch::Place& place = scratch.places[c];
    place = {.frame = wheel_frame(contact.form, X_WS, V_WS,
                                  ground_under(*input.ground, contact.form, X_WS), up_),
             .soil = &contact.soils[at(soil)],
             .middle = X_WS.p};
    scratch.memories[c] = state.wheels[c];
    scratch.reactions[c] = wheel_commit(contact.model, contact.form, *place.soil,
                                        place.frame.motion, dt, scratch.memories[c]);
    scratch.wrenches[c] = wrench_of(place.frame, scratch.reactions[c])
                              .shifted(input.bodies.X_WB[body].p - place.middle);
    scratch.instants[c] = Scratch::Instant::of(input.bodies, body);
  }
  scratch.time = input.time;
  scratch.revision = memory.revision();
  scratch.ground = input.ground;
}

void WheelSystem::evaluate(const ContactInput& input, const ContactMemory& memory,
                           Purpose /*purpose*/, ContactScratch& any,
                           std::span<Wrench> wrenches) const {
  auto& scratch = static_cast<Scratch&>(any);
  find_reactions(input, memory, scratch);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    wrenches[at(contacts_[c].body)] += scratch.wrenches[c];
  }
}

void WheelSystem::stiffness(const ContactInput& input, const ContactMemory& memory, double reach,
                            ContactScratch& any, ContactStiffness& out) const {
  const auto& scratch = static_cast<Scratch&>(any);
  const auto& state = memory.as<WheelMemories>();
  const double dt = std::max(0.0, input.time - state.time);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const WheelContact& contact = contacts_[c];
    const Scratch::Place& place = scratch.places[c];
    const WheelFrame& frame = place.frame;
    const WheelDamping damping =
        wheel_damping(contact.model, contact.form, *place.soil, frame.motion, state.wheels[c], dt,
                      scratch.reactions[c], reach);
    const Vec3 arm = place.middle - input.bodies.p_WR[at(contact.body)];
    // Speeds of the rim where it touches: the soil answers to these, and pushes back there.
    Mat6 sum = Mat6::Zero();
    const auto add = [&](double slope, const Vec3& about, const Vec3& along) {
      Vec6 speed;
      speed << about + arm.cross(along), along;
      sum.noalias() += slope * speed * speed.transpose();
    };
    add(reach * damping.normal, Vec3::Zero(), frame.normal);
    add(reach * damping.pull, -contact.form.radius * frame.axle, frame.heading);
    add(reach * damping.lateral, frame.radius * frame.heading, frame.side);
    out.bodies.push_back({.body = contact.body, .matrix = sum});
  }
}

bool WheelSystem::commit(const ContactInput& input, ContactMemory& memory,
                         ContactScratch& any) const {
  auto& scratch = static_cast<Scratch&>(any);
  bool is_found = scratch.time == input.time && scratch.revision == memory.revision() &&
                  scratch.ground == input.ground;
  for (std::size_t c = 0; c < contacts_.size() && is_found; ++c) {
    is_found = scratch.instants[c] == Scratch::Instant::of(input.bodies, at(contacts_[c].body));
  }
  if (!is_found) find_reactions(input, memory, scratch);
  auto& state = memory.write<WheelMemories>();
  bool jumped = false;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    // Stiction let go, or took hold.
    jumped = jumped || scratch.memories[c].sliding != state.wheels[c].sliding;
    state.wheels[c] = scratch.memories[c];
  }
  state.time = input.time;
  return jumped;
}

Vec3 WheelSystem::force_on(int body, const ContactMemory& /*memory*/,
                           const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  Vec3 sum = Vec3::Zero();
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].body == body) sum += scratch.wrenches[c].force;
  }
  return sum;
}

double WheelSystem::sinkage_of(int body, const ContactScratch& any) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  double sinkage = 0;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    if (contacts_[c].body == body) sinkage = std::max(sinkage, scratch.reactions[c].sinkage);
  }
  return sinkage;
}

void WheelSystem::sample(const ContactInput& input, const ContactMemory& /*memory*/,
                         const ContactScratch& any, std::vector<ContactReading>& out) const {
  const auto& scratch = static_cast<const Scratch&>(any);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const int body = contacts_[c].body;
    const Scratch::Place& place = scratch.places[c];
    const WheelReaction& reaction = scratch.reactions[c];
    const Vec3 to_middle = place.middle - input.bodies.X_WB[at(body)].p;
    GatheredReading gathered{.body = body,
                             .origin = place.middle,
                             .wrench = scratch.wrenches[c].shifted(to_middle),
                             .depth = reaction.sinkage};
    const bool touches = reaction.normal > 0;
    if (touches) gathered.add_place(1, place.middle - place.frame.radius * place.frame.normal);
    out.push_back(gathered.reading(input.bodies.twist_at(body, gathered.origin), touches));
  }
}

std::vector<std::string> WheelSystem::warnings(const ContactUse& use) const {
  std::vector<std::string> warnings;
  for (const WheelUse& wheel : use.wheels) {
    const auto contact = std::ranges::find(contacts_, wheel.body, &WheelContact::body);
    if (contact == contacts_.end()) continue;
    const auto* terra = std::get_if<TerraModel>(&contact->model);
    if (terra == nullptr) continue;
    const std::string text = terra_range_warning(*terra, contact->form, wheel, use.gravity);
    if (text.empty() || std::ranges::find(warnings, text) != warnings.end()) continue;
    warnings.push_back(text);
  }
  return warnings;
}

std::vector<ContactPiece> WheelSystem::pieces() const {
  std::vector<ContactPiece> pieces;
  for (const WheelContact& contact : contacts_) {
    pieces.push_back({std::string(name_of(contact.model)) + " contact", contact.body});
  }
  return pieces;
}

std::vector<double> WheelSystem::save(const ContactMemory& memory) const {
  const auto& state = memory.as<WheelMemories>();
  NumberWriter write;
  write(state.time);
  for (const WheelMemory& wheel : state.wheels) visit_wheel(wheel, write);
  return write.take();
}

ContactMemory WheelSystem::load(std::span<const double> numbers) const {
  WheelMemories state{.wheels = std::vector<WheelMemory>(contacts_.size())};
  NumberReader read(numbers);
  read(state.time);
  for (WheelMemory& wheel : state.wheels) visit_wheel(wheel, read);
  read.expect_end();
  return ContactMemory(std::move(state));
}

}  // namespace grouser::internal
