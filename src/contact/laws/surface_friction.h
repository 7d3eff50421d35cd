#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "contact/laws/friction.h"
#include "core/error.h"
#include "core/text.h"

/// What all materials with `friction` μ [-], `dead_band` v_d [m/s] and an optional `stiction` share.
namespace grouser::internal {

/// Adds the fields of a material that are out of range or not a number.
struct MaterialChecks {
  const char* message;
  const std::string& place;  ///< leads the names of the fields
  IssueList& issues;

  void demand(bool good, const char* field, double value, const char* legal) const {
    if (good && std::isfinite(value)) return;
    issues.add({.message = message,
                .field = place.empty() ? field : place + "." + field,
                .value = format_number(value),
                .legal = legal});
  }

  template <class Material>
  void friction(const Material& m) const {
    demand(m.friction >= 0, "friction", m.friction, ">= 0 [-]");
    demand(m.dead_band > 0, "dead_band", m.dead_band, "> 0 [m/s]");
    if (!m.stiction) return;
    demand(m.stiction->friction >= m.friction, "stiction.friction", m.stiction->friction,
           ">= friction [-]");
    demand(m.stiction->decay >= 0, "stiction.decay", m.stiction->decay, ">= 0 [s/m]");
  }
};

/// Friction, dead band and decay of two materials are harmonic means. Stiction only if both have it.
template <class Material>
FrictionLaw friction_of(const Material& a, const Material& b) {
  FrictionLaw law;
  law.sliding = harmonic_mean(a.friction, b.friction);
  law.dead_band = harmonic_mean(a.dead_band, b.dead_band);
  if (a.stiction && b.stiction) {
    law.stiction = true;
    law.static_friction = harmonic_mean(a.stiction->friction, b.stiction->friction);
    law.decay = harmonic_mean(a.stiction->decay, b.stiction->decay);
  }
  return law;
}

}  // namespace grouser::internal
