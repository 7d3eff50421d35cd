#pragma once

#include <span>
#include <vector>

#include "contact/wheel/wheel_frame.h"
#include "contact/wheel/wheel_slopes.h"
#include "multibody/kinematics.h"
#include "sim/world.h"

namespace grouser {

/// Which slots of State::memory belong to the wheels. Without wheel contacts there are none, and both numbers lie
/// beyond its end.
struct WheelSlots {
  std::size_t time = 0;   ///< when they were written [s]
  std::size_t first = 0;  ///< WheelMemory::kSize of each wheel contact

  static std::size_t size(const World& world) {
    return world.wheel_contacts.empty() ? 0 : 1 + WheelMemory::kSize * world.wheel_contacts.size();
  }
};

/// Where a wheel is and on what.
struct WheelPlace {
  WheelFrame frame;
  const WheelSoil* soil = nullptr;
  Vec3 middle = Vec3::Zero();  ///< axes of W [m]
};

/// Wheels by the fast models at an instant; one per run.
struct WheelContactScratch {
  explicit WheelContactScratch(const World& world);

  std::vector<WheelPlace> places;        ///< per contact
  std::vector<WheelReaction> reactions;  ///< per contact
  std::vector<Wrench> wrenches;          ///< per contact, at its body's origin, axes of W
  std::vector<WheelMemory> memories;     ///< per contact: as a commit would leave them
};

/// Contact of a wheel of this form with the ground of a world under gravity [m/s²]. Throws Error(input) if
/// the model cannot take the form or a soil of the ground.
WheelContact make_wheel_contact(int body, const Pose& X_BS, const WheelForm& form,
                                const WheelModel& model, const Ground& ground, const Vec3& gravity);

/// Reactions of the ground on all wheels, from kinematics that are current at a time [s]; adds them to the
/// wrenches per body (at its origin, axes of W). Pure in what was committed.
void add_wheel_wrenches(const World& world, const Kinematics& kinematics, double time,
                        const State& committed, const WheelSlots& slots,
                        WheelContactScratch& scratch, std::span<Wrench> wrenches);

/// After add_wheel_wrenches() at the same time: adds what an implicit step has beside the mass of each body,
/// reach · C + reach² · K of the reactions' slopes, about O of its tree; reach is θ h [s].
void add_wheel_slopes(const World& world, const Kinematics& kinematics, double time,
                      const State& committed, const WheelSlots& slots, double reach,
                      const WheelContactScratch& scratch, std::span<SpatialMatrix> bodies);

/// At an accepted step, at which add_wheel_wrenches() was called last: wheels remember. Returns whether forces
/// change; else they stay the same to the bit.
bool commit_wheels(double time, const WheelSlots& slots, const WheelContactScratch& scratch,
                   State& state);

}  // namespace grouser
