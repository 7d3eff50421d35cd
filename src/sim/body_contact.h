#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "contact/bbcc/bbcc_force.h"
#include "multibody/kinematics.h"
#include "sim/world.h"

namespace grouser {

/// Work space for the contact of bodies with each other and with hard ground; one per run.
struct BodyContactScratch {
  explicit BodyContactScratch(const World& world);

  std::optional<BbccScratch> bbcc;  ///< nothing if no bodies of the world may touch
  std::vector<Pose> X_WE;           ///< per element
  std::vector<Twist> V_WE;          ///< per element, at its origin, axes of W
  bool current = false;  ///< `bbcc` shows the contacts there, with what pairs remember now
};

/// Forces of all contacts, from kinematics that are current; adds them to the wrenches per body (at its
/// origin, axes of W). Pure in what the pairs remember.
void add_contact_wrenches(const World& world, const Kinematics& kinematics, const BbccState& state,
                          BodyContactScratch& scratch, std::span<Wrench> wrenches);

/// "a and b overlap by 0.1 m ..." for each pair that begins deeper in each other than bodies that touch
/// do: they will be thrown apart. After add_contact_wrenches().
std::vector<std::string> overlap_warnings(const World& world, const BodyContactScratch& scratch);

/// At an accepted step, the kinematics of which are given: pairs remember how fast they closed. Returns
/// whether anything changed, so that forces may change.
bool commit_contacts(const World& world, const Kinematics& kinematics, BodyContactScratch& scratch,
                     BbccState& state);

}  // namespace grouser
