#include "contact/bbcc/material.h"

#include <cmath>

#include "core/text.h"

namespace grouser {

void check(const Material& m, const std::string& place, IssueList& issues) {
  const auto demand = [&](bool good, const char* field, double value, const char* legal) {
    if (good && std::isfinite(value)) return;
    issues.add({.message = "no contact material has this",
                .field = place.empty() ? field : place + "." + field,
                .value = format_number(value),
                .legal = legal});
  };
  demand(m.young > 0, "young", m.young, "> 0 [Pa]");
  demand(m.poisson > -1 && m.poisson <= 0.5, "poisson", m.poisson, "> -1, <= 0.5 [-]");
  demand(m.restitution >= 0 && m.restitution <= 1, "restitution", m.restitution, "0 ... 1 [-]");
  demand(m.friction >= 0, "friction", m.friction, ">= 0 [-]");
  demand(m.dead_band > 0, "dead_band", m.dead_band, "> 0 [m/s]");
  if (!m.stiction) return;
  demand(m.stiction->friction >= m.friction, "stiction.friction", m.stiction->friction,
         ">= friction [-]");
  demand(m.stiction->decay >= 0, "stiction.decay", m.stiction->decay, ">= 0 [s/m]");
}

void check(const Material& material, const std::string& place) {
  IssueList issues;
  check(material, place, issues);
  issues.throw_if_any();
}

MaterialPair pair_of(ContactLaws laws, const Material& a, const Material& b) {
  MaterialPair pair;
  pair.modulus = effective_modulus(laws, a.young, a.poisson, b.young, b.poisson);
  pair.dissipation_number = dissipation_number(laws, harmonic_mean(a.restitution, b.restitution));
  pair.restitution = harmonic_mean(a.restitution, b.restitution);
  pair.friction.sliding = harmonic_mean(a.friction, b.friction);
  pair.friction.dead_band = harmonic_mean(a.dead_band, b.dead_band);
  pair.friction.spin = spin_coefficient(laws);
  if (a.stiction && b.stiction) {
    pair.friction.stiction = true;
    pair.friction.static_friction = harmonic_mean(a.stiction->friction, b.stiction->friction);
    pair.friction.decay = harmonic_mean(a.stiction->decay, b.stiction->decay);
  }
  return pair;
}

}  // namespace grouser
