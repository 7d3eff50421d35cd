#pragma once

#include <span>

#include "collision/overlap.h"
#include "contact/bbcc/bbcc_scene.h"
#include "contact/bbcc/bbcc_state.h"
#include "contact/rigid_contact.h"

namespace grouser::internal {

/// Adds the pairs that were found as contacts of rigid bodies, which rest when they overlap by `margin` [m]. At most
/// four points of each pair: those that span most of its patch. Wrenches begin as those of the same points in `last`.
void add_rigid_contacts(const BbccScene& scene, std::span<const OverlappingPair> found,
                        double margin, std::span<const PressedPoint> last, RigidContacts& out);

/// Adds the forces of the last step to the wrenches per body (at its origin, axes of W).
void add_pressed(const BbccState& state, const BbccScene& scene, std::span<const Pose> X_WB,
                 std::span<Wrench> wrenches);

}  // namespace grouser::internal
