#include "contact/pcm/material.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/text.h"

namespace grouser {

void check(const LayerMaterial& m, const std::string& place, IssueList& issues) {
  const auto demand = [&](bool good, const char* field, double value, const char* legal) {
    if (good && std::isfinite(value)) return;
    issues.add({.message = "no elastic layer has this",
                .field = place.empty() ? field : place + "." + field,
                .value = format_number(value),
                .legal = legal});
  };
  demand(m.young > 0, "young", m.young, "> 0 [Pa]");
  demand(m.poisson >= 0 && m.poisson <= 0.45, "poisson", m.poisson, "0 ... 0.45 [-]");
  demand(m.thickness > 0, "thickness", m.thickness, "> 0 [m]");
  demand(m.damping >= 0, "damping", m.damping, ">= 0 [N s/m³]");
  demand(m.friction >= 0, "friction", m.friction, ">= 0 [-]");
  demand(m.dead_band > 0, "dead_band", m.dead_band, "> 0 [m/s]");
  if (!m.stiction) return;
  demand(m.stiction->friction >= m.friction, "stiction.friction", m.stiction->friction,
         ">= friction [-]");
  demand(m.stiction->decay >= 0, "stiction.decay", m.stiction->decay, ">= 0 [s/m]");
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
                 .options = options};
  FrictionLaw& friction = pair.friction;
  friction.sliding = harmonic_mean(base.friction, target.friction);
  friction.dead_band = harmonic_mean(base.dead_band, target.dead_band);
  if (base.stiction && target.stiction) {
    friction.stiction = true;
    friction.static_friction = harmonic_mean(base.stiction->friction, target.stiction->friction);
    friction.decay = harmonic_mean(base.stiction->decay, target.stiction->decay);
  } else if (rise == FrictionRise::parabola) {
    // Bengisu and Akay's law without a peak is the parabola.
    friction.stiction = true;
    friction.static_friction = friction.sliding;
  }
  return pair;
}

}  // namespace grouser
