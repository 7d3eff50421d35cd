#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "contact/laws/friction.h"
#include "core/error.h"

namespace grouser::internal {

/// How friction rises from no speed to the dead band v_d.
enum class FrictionRise {
  parabola,  ///< μ k (2 - k), k = |v_T|/v_d, up to v_d; then μ
  tanh,      ///< μ tanh(|v_T|/v_d)
};
inline constexpr std::array<const char*, 2> kFrictionRiseNames = {"parabola", "tanh"};

/// What the elastic layer around a mesh is made of.
struct LayerMaterial {
  bool rigid = false;    ///< the layer does not give way; modulus and thickness are not used then
  double young = 1e6;    ///< E [Pa], > 0
  double poisson = 0.4;  ///< ν [-], 0 ... 0.45: the layer is stiff beyond use near 0.5
  double thickness = 0.01;  ///< b [m], > 0
  double damping = 1e4;     ///< d_l, by area [N s/m³], >= 0
  double friction = 0.3;    ///< μ [-], >= 0
  double dead_band = 1e-3;  ///< v_d, speed below which friction gives way [m/s], > 0
  std::optional<Stiction> stiction;

  friend bool operator==(const LayerMaterial&, const LayerMaterial&) = default;
};

/// Adds every field that is out of range or not a number. `place` leads the names of the fields.
void check(const LayerMaterial& material, const std::string& place, IssueList& issues);

/// c_l = K/b with K = E (1 - ν)/((1 + ν)(1 - 2ν)) [N/m³]: the elastic foundation, Johnson, Contact
/// Mechanics (1985), ch. 4.3. Infinite if rigid.
double layer_stiffness(const LayerMaterial& material);

/// What damping may do while bodies part.
enum class Expansion {
  clip,  ///< damps, but the element never pulls
  none,  ///< does not damp
  full,  ///< damps, and may pull
};
inline constexpr std::array<const char*, 3> kExpansionNames = {"clip", "none", "full"};

struct DampingOptions {
  Expansion expansion = Expansion::clip;
  /// Depth over which damping fades in [m], >= 0, so that the force is continuous at the touch; 0: at once.
  double fade_in = 0;

  friend bool operator==(const DampingOptions&, const DampingOptions&) = default;
};

/// The laws of two layers against each other.
struct LayerPair {
  double stiffness = 0;   ///< c [N/m³]: both in series
  double base_share = 0;  ///< part of the depth by which the base's layer gives way [-]
  double damping = 0;     ///< d_l [N s/m³]
  DampingOptions options;
  FrictionLaw friction;

  /// Pressure [Pa] at a depth [m] that grows with `rate` [m/s].
  double pressure(double depth, double rate) const {
    const double elastic = stiffness * depth;
    if (options.expansion == Expansion::none && rate < 0) return elastic;
    const double fade = depth < options.fade_in ? depth / options.fade_in : 1;
    const double total = elastic + damping * fade * rate;
    return options.expansion == Expansion::clip ? std::max(0.0, total) : total;
  }
};

/// Layers act in series; damping, friction, dead band and decay are harmonic means. Stiction only if both
/// have it. At most one of the two may be rigid.
LayerPair pair_of(const LayerMaterial& base, const LayerMaterial& target,
                  const DampingOptions& options, FrictionRise rise);

}  // namespace grouser::internal
