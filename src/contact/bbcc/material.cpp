#include "contact/bbcc/material.h"

#include "contact/laws/surface_friction.h"

namespace grouser::internal {

void check(const Material& m, const std::string& place, IssueList& issues) {
  const MaterialChecks checks{"no contact material has this", place, issues};
  checks.demand(m.young > 0, "young", m.young, "> 0 [Pa]");
  checks.demand(m.poisson > -1 && m.poisson <= 0.5, "poisson", m.poisson, "> -1, <= 0.5 [-]");
  checks.demand(m.restitution >= 0 && m.restitution <= 1, "restitution", m.restitution,
                "0 ... 1 [-]");
  checks.friction(m);
  checks.demand(m.rolling_friction >= 0, "rolling_friction", m.rolling_friction, ">= 0 [m]");
  checks.demand(m.spinning_friction >= 0, "spinning_friction", m.spinning_friction, ">= 0 [m]");
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
  pair.friction = friction_of(a, b);
  pair.friction.spin = spin_coefficient(laws);
  pair.rolling = a.rolling_friction + b.rolling_friction;
  pair.spinning = a.spinning_friction + b.spinning_friction;
  return pair;
}

}  // namespace grouser::internal
