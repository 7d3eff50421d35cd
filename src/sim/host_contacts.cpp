#include "sim/host_contacts.h"

#include "contact/host/host_contact_system.h"
#include "core/error.h"

namespace grouser::internal {

void add_host_contacts(World& world) {
  if (find_contacts<HostContactSystem>(world) != nullptr) return;
  world.contacts.push_back(std::make_shared<const HostContactSystem>(world.model.body_count()));
}

void set_host_contacts(const World& world, std::span<const HostContact> contacts,
                       std::span<const Pose> X_WB, State& state) {
  const auto* system = find_contacts<HostContactSystem>(world);
  if (system == nullptr) {
    throw Error(ErrorKind::usage,
                Issue{.message = "the world takes no contacts of a host: call "
                                 "add_host_contacts(world) before the simulation is made",
                      .file = world.scene_file});
  }
  system->set(contacts, X_WB, *find_memory<HostContactSystem>(world, state));
}

std::span<const HostContactForce> host_contact_forces(const World& world, const State& state) {
  const auto* memory = find_memory<HostContactSystem>(world, state);
  return memory == nullptr ? std::span<const HostContactForce>() : memory->forces;
}

}  // namespace grouser::internal
