#pragma once

#include <span>
#include <vector>

#include "nonsmooth/moreau_jean.h"
#include "sim/body_contact.h"

namespace grouser {

/// Contacts of rigid bodies in one step of time stepping, and the forces there.
struct RigidContacts {
  std::vector<RigidContact> contacts;
  std::vector<PressedPoint> points;  ///< of the same contacts
  std::vector<Wrench> wrenches;      ///< of the same contacts, on the first body at the point
};

/// Where bodies overlap at the poses given. They rest when they overlap by `margin` [m]. At most four points
/// of each pair: those that span most of its patch. Forces begin as those of the same points in `last`.
void find_rigid_contacts(const World& world, const Kinematics& kinematics, double margin,
                         std::span<const PressedPoint> last, BodyContactScratch& scratch,
                         RigidContacts& out);

/// Sum of the forces of the last step on a body [N], axes of W.
Vec3 pressed_force(const World& world, int body, std::span<const PressedPoint> points);

/// Adds the forces of the last step to the wrenches per body (at its origin, axes of W).
void add_pressed_wrenches(const World& world, const Kinematics& kinematics,
                          std::span<const PressedPoint> points, std::span<Wrench> wrenches);

}  // namespace grouser
