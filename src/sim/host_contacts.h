#pragma once

#include <span>

#include "contact/host/host_contact.h"
#include "sim/world.h"

/// Contacts that a host finds: Simulation::set_contacts() takes them where a world has a place for them.
namespace grouser::internal {

/// Makes that place, as the last of its contact systems, unless there is one. Such a world needs the integrator
/// moreau_jean. Its states hold the contacts; with none they have the hashes of states without that place.
void add_host_contacts(World& world);

/// Throws Error(usage) if the world has no place for contacts, or some are wrong; the state is as before then.
/// `X_WB`: poses of the bodies in that state.
void set_host_contacts(const World& world, std::span<const HostContact> contacts,
                       std::span<const Pose> X_WB, State& state);

/// Of the contacts given last, in their order.
std::span<const HostContactForce> host_contact_forces(const World& world, const State& state);

}  // namespace grouser::internal
