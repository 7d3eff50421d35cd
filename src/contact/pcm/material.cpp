#include "contact/pcm/material.h"

#include <cassert>
#include <limits>

#include "contact/laws/surface_friction.h"

namespace grouser::internal {

void check(const LayerMaterial& m, const std::string& place, IssueList& issues) {
  const MaterialChecks checks{"no elastic layer has this", place, issues};
  checks.demand(m.young > 0, "young", m.young, "> 0 [Pa]");
  checks.demand(m.poisson >= 0 && m.poisson <= 0.45, "poisson", m.poisson, "0 ... 0.45 [-]");
  checks.demand(m.thickness > 0, "thickness", m.thickness, "> 0 [m]");
  checks.demand(m.damping >= 0, "damping", m.damping, ">= 0 [N s/m³]");
  checks.friction(m);
}

double layer_stiffness(const LayerMaterial& m) {
  if (m.rigid) return std::numeric_limits<double>::infinity();
  const double modulus = m.young * (1 - m.poisson) / ((1 + m.poisson) * (1 - 2 * m.poisson));
  return modulus / m.thickness;
}

LayerPair pair_of(const LayerMaterial& base, const LayerMaterial& target,
                  const DampingOptions& options, FrictionRise rise) {
  assert(!base.rigid || !target.rigid);
  const double give_base = 1 / layer_stiffness(base), give_target = 1 / layer_stiffness(target);
  LayerPair pair{.stiffness = 1 / (give_base + give_target),
                 .base_share = give_base / (give_base + give_target),
                 .damping = harmonic_mean(base.damping, target.damping),
                 .options = options,
                 .friction = friction_of(base, target)};
  if (!pair.friction.stiction && rise == FrictionRise::parabola) {
    // Bengisu and Akay's law without a peak is the parabola.
    pair.friction.stiction = true;
    pair.friction.static_friction = pair.friction.sliding;
  }
  return pair;
}

}  // namespace grouser::internal
