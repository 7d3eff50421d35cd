#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grouser/contact.h"
#include "grouser/grouser.h"
#include "grouser/simulation.h"
#include "handles.h"

/// What handles stand for, and plain types that C and C++ lay out alike.
namespace grouser::c {

struct WorldObject {
  static HandleTable& table();
  explicit WorldObject(World its_world);

  World world;
  std::vector<std::vector<std::string>> names;  // per grouser_list
};

struct StateObject {
  static HandleTable& table();
  StateObject(World its_world, State its_state)
      : world(std::move(its_world)), state(std::move(its_state)) {}

  World world;
  State state;
  std::vector<std::byte> bytes;  // that were shown last
};

/// Whether a type of C's and one of C++'s may stand for each other in memory.
template <class C, class Cpp>
constexpr bool are_alike = sizeof(C) == sizeof(Cpp) && alignof(C) == alignof(Cpp) &&
                           std::is_trivially_copyable_v<C>&& std::is_trivially_copyable_v<
                               Cpp>&& std::is_standard_layout_v<Cpp>;

static_assert(are_alike<grouser_pose, Pose>);
static_assert(are_alike<grouser_twist, Twist>);
static_assert(are_alike<grouser_wrench, Wrench>);
static_assert(are_alike<grouser_body_sample, BodySample>);
static_assert(are_alike<grouser_actuator_sample, ActuatorSample>);
static_assert(are_alike<grouser_rover_sample, RoverSample>);
static_assert(are_alike<grouser_wheel_sample, WheelSample>);
static_assert(are_alike<grouser_contact_sample, ContactSample>);
static_assert(are_alike<grouser_host_contact, HostContact>);
static_assert(are_alike<grouser_host_contact_force, HostContactForce>);
static_assert(offsetof(grouser_wheel_sample, sinkage) == offsetof(WheelSample, sinkage));
static_assert(offsetof(grouser_wheel_sample, power) == offsetof(WheelSample, power));
static_assert(offsetof(grouser_contact_sample, depth) == offsetof(ContactSample, depth));
static_assert(offsetof(grouser_host_contact, gap) == offsetof(HostContact, gap));
static_assert(offsetof(grouser_pose, position) == offsetof(Pose, position));

template <class To, class From>
const To* alike(const From* pointer) {
  static_assert(are_alike<To, From>);
  return reinterpret_cast<const To*>(pointer);
}
/// An array of C's as C++ takes it. Throws Error(usage) for NULL, unless it is empty.
template <class To, class From>
std::span<const To> array(const From* pointer, std::size_t count, const char* what) {
  if (count > 0) given(pointer, what);
  return {alike<To>(pointer), count};
}

GroundWindow inner(const grouser_ground_window* window);
grouser_ground_point plain(const GroundPoint& point);
/// Throws Error(usage) if there is not enough room.
void copy_heights(const std::vector<double>& from, double* to, std::size_t room);

}  // namespace grouser::c
