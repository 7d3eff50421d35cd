#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "math/spatial.h"

/// What a contact system tells of an instant and of a run.
namespace grouser::internal {

/// What the contact of one element feels. Where bodies are rigid, forces are those of the last step.
struct ContactReading {
  bool in_contact = false;
  Vec3 force = Vec3::Zero();   ///< on the body, axes of W [N]
  Vec3 torque = Vec3::Zero();  ///< the same, about the origin of the shape that touches [N m]
  double power = 0;            ///< that the contact takes from the body [W]
  double depth = 0;            ///< sinkage or greatest penetration [m]; 0 where bodies are rigid
  Vec3 point =
      Vec3::Zero();  ///< middle of the contact by load [m]; without contact the shape's origin
};

/// A reading in the making.
struct GatheredReading {
  int body = -1;               ///< -1: fixed, nobody reads it
  Vec3 origin = Vec3::Zero();  ///< of the shape, in W [m]
  Wrench wrench;               ///< there
  double depth = 0;            ///< [m]
  Vec3 places = Vec3::Zero();  ///< of contact, times their weights
  double weight = 0;

  void add_place(double w, const Vec3& p) {
    weight += w;
    places += w * p;
  }
  /// `motion` of the body at the origin.
  ContactReading reading(const Twist& motion, bool in_contact) const {
    return {.in_contact = in_contact,
            .force = wrench.force,
            .torque = wrench.torque,
            .power = -power(wrench, motion),
            .depth = depth,
            .point = weight > 0 ? Vec3(places / weight) : origin};
  }
};

/// A cell of soil under a body at an instant.
struct SoilCellSample {
  int contact = 0;               ///< number of the element in its contact system
  Vec3 position = Vec3::Zero();  ///< middle of the covered part, on the body's surface [m]
  double sinkage = 0;            ///< below the column's level [m]
  double pressure = 0;           ///< normal stress [Pa]
  double shear = 0;              ///< shear stress [Pa]
  double normal = 0;             ///< force on the body along its surface's normal [N]
};

/// Details of an instant that only one system has, as a table with named columns.
struct ContactTable {
  std::string name;                  ///< snake_case; also that of its file
  std::vector<std::string> columns;  ///< "depth [m]"
};

/// A cell of such a table. Texts live as long as the system.
using TableCell = std::variant<double, int, std::string_view>;

/// What became of the soil.
struct SoilReport {
  double displaced = 0;     ///< moved from under bodies since the scene began [m³]
  double volume_error = 0;  ///< of all changes together [m³]: 0, or soil was lost
};

/// How deep two surfaces got in each other.
struct PairReport {
  std::string base, target;
  std::string reason;          ///< why these roles, and in whose frame
  double greatest_depth = 0;   ///< in any evaluation, trial steps too [m]
  double max_penetration = 0;  ///< beyond which contact is lost [m]
};

/// What contacts did in a run.
struct ContactReport {
  std::optional<SoilReport> soil;  ///< if bodies press into soft soil
  std::vector<PairReport> pairs;   ///< of surfaces that touched
  std::vector<std::string> warnings;
};

}  // namespace grouser::internal
