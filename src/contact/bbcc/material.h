#pragma once

#include <optional>
#include <string>

#include "contact/laws/friction.h"
#include "core/error.h"

namespace grouser::internal {

/// What a contact element is made of.
struct Material {
  double young = 1e7;        ///< E [Pa], > 0
  double poisson = 0.3;      ///< ν [-], > -1, <= 0.5
  double restitution = 0.5;  ///< ζ [-], 0 ... 1; below kLeastRestitution it counts as that
  double friction = 0.5;     ///< μ [-], >= 0
  double dead_band = 0.01;   ///< v_d, speed below which friction gives way [m/s], > 0
  std::optional<Stiction> stiction;
  double rolling_friction =
      0;  ///< torque against rolling over normal force [m], >= 0; of rigid bodies
  double spinning_friction = 0;  ///< the same about the normal [m], >= 0

  friend bool operator==(const Material&, const Material&) = default;
};

/// Adds every field that is out of range or not a number. `place` leads the names of the fields.
void check(const Material& material, const std::string& place, IssueList& issues);

/// Throws Error(input) with the same findings.
void check(const Material& material, const std::string& place = {});

/// The laws of two materials against each other.
struct MaterialPair {
  double modulus = 0;             ///< E* [Pa]
  double dissipation_number = 0;  ///< d δ̇⁻ [-]
  double restitution = 0;         ///< e of rigid bodies, which need no least one [-]
  FrictionLaw friction;
  double rolling = 0;   ///< torque over normal force of rigid bodies that roll [m]
  double spinning = 0;  ///< the same about the normal [m]
};

/// Restitution, friction, dead band and decay are harmonic means. Stiction only if both have it. Friction against
/// rolling and spinning is that of both together, as each body loses energy of its own.
/// Symmetric to the last bit. Both materials must have passed check().
MaterialPair pair_of(ContactLaws laws, const Material& a, const Material& b);

}  // namespace grouser::internal
