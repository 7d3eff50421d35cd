#include "sim/wheel_contact.h"

#include <algorithm>

namespace grouser {
namespace {

WheelPlace place_of(const World& world, const Kinematics& kinematics, const WheelContact& contact,
                    const State& state, const Vec3& up) {
  const Pose X_WS = kinematics.X_WB[static_cast<std::size_t>(contact.body)] * contact.X_BS;
  const Twist V_WS = twist_at(world.model, kinematics, contact.body, X_WS.p);
  // Ruts that bodies of the soil contact model have left count.
  const ElevationMap& map = state.soil ? state.soil->soil.map : world.ground->map;
  const int soil = world.ground->soils.index_at(X_WS.p.x(), X_WS.p.y());
  return {.frame = wheel_frame(contact.form, X_WS, V_WS, ground_under(map, contact.form, X_WS), up),
          .soil = &contact.soils[static_cast<std::size_t>(soil)],
          .middle = X_WS.p};
}

Vec3 up_of(const World& world) {
  const Vec3& gravity = world.model.gravity();
  const double size = gravity.norm();
  return size > 0 ? Vec3(-gravity / size) : Vec3(0, 0, 0);
}

/// Since wheels were committed [s]; only where there are any, as there is no slot otherwise.
double elapsed(const State& state, const WheelSlots& slots, double time) {
  return std::max(0.0, time - state.memory[slots.time]);
}

}  // namespace

WheelContactScratch::WheelContactScratch(const World& world)
    : places(world.wheel_contacts.size()),
      reactions(world.wheel_contacts.size()),
      wrenches(world.wheel_contacts.size()),
      memories(world.wheel_contacts.size()) {}

WheelContact make_wheel_contact(int body, const Pose& X_BS, const WheelForm& form,
                                const WheelModel& model, const Ground& ground,
                                const Vec3& gravity) {
  WheelContact contact{.body = body, .X_BS = X_BS, .form = form, .model = model, .soils = {}};
  for (const Soil& soil : ground.soils.soils()) {
    validate(model, form, soil);
    contact.soils.push_back(wheel_soil(soil, form, gravity.norm()));
  }
  return contact;
}

void add_wheel_wrenches(const World& world, const Kinematics& kinematics, double time,
                        const State& committed, const WheelSlots& slots,
                        WheelContactScratch& scratch, std::span<Wrench> wrenches) {
  if (world.wheel_contacts.empty()) return;
  const Vec3 up = up_of(world);
  const double dt = elapsed(committed, slots, time);
  const double* memory = committed.memory.data() + slots.first;
  for (std::size_t c = 0; c < world.wheel_contacts.size(); ++c) {
    const WheelContact& contact = world.wheel_contacts[c];
    const WheelPlace& place = scratch.places[c] =
        place_of(world, kinematics, contact, committed, up);
    scratch.memories[c].read(memory + c * WheelMemory::kSize);
    scratch.reactions[c] = wheel_commit(contact.model, contact.form, *place.soil,
                                        place.frame.motion, dt, scratch.memories[c]);
    const std::size_t body = static_cast<std::size_t>(contact.body);
    scratch.wrenches[c] = wrench_of(place.frame, scratch.reactions[c])
                              .shifted(kinematics.X_WB[body].p - place.middle);
    wrenches[body] += scratch.wrenches[c];
  }
}

void add_wheel_slopes(const World& world, const Kinematics& kinematics, double time,
                      const State& committed, const WheelSlots& slots, double reach,
                      const WheelContactScratch& scratch, std::span<SpatialMatrix> bodies) {
  if (world.wheel_contacts.empty()) return;
  const double dt = elapsed(committed, slots, time);
  for (std::size_t c = 0; c < world.wheel_contacts.size(); ++c) {
    const WheelContact& contact = world.wheel_contacts[c];
    const WheelPlace& place = scratch.places[c];
    const WheelFrame& frame = place.frame;
    WheelMemory memory;
    memory.read(committed.memory.data() + slots.first + c * WheelMemory::kSize);
    const WheelSlopes slopes = wheel_slopes(contact.model, contact.form, *place.soil, frame.motion,
                                            memory, dt, scratch.reactions[c], reach);
    const auto tree =
        static_cast<std::size_t>(world.model.joints()[static_cast<std::size_t>(contact.body)].tree);
    const Vec3 arm = place.middle - kinematics.p_WO[tree];
    // Speeds of the rim where it touches: the soil answers to these, and pushes back there.
    Mat6 sum = Mat6::Zero();
    const auto add = [&](double slope, const Vec3& about, const Vec3& along) {
      Vec6 speed;
      speed << about + arm.cross(along), along;
      sum.noalias() += slope * speed * speed.transpose();
    };
    add(reach * slopes.normal, Vec3::Zero(), frame.normal);
    add(reach * slopes.pull, -contact.form.radius * frame.axle, frame.heading);
    add(reach * slopes.lateral, frame.radius * frame.heading, frame.side);
    bodies[static_cast<std::size_t>(contact.body)] += to_matrix(sum);
  }
}

bool commit_wheels(double time, const WheelSlots& slots, const WheelContactScratch& scratch,
                   State& state) {
  if (scratch.memories.empty()) return false;
  bool jumped = false;
  double* memory = state.memory.data() + slots.first;
  for (const WheelMemory& next : scratch.memories) {
    WheelMemory before;
    before.read(memory);
    jumped = jumped || next.sliding != before.sliding;  // stiction let go, or took hold
    next.write(memory);
    memory += WheelMemory::kSize;
  }
  state.memory[slots.time] = time;
  return jumped;
}

}  // namespace grouser
