#pragma once

#include "scene/scene_data.h"
#include "scene/yaml_reader.h"

/// What the entries of `contacts:` for bodies and for meshes have in common.
namespace grouser::internal {

/// Reads which bodies, wheels or ground the entry is about, and its group. Nothing (reported) if that is
/// not clear.
std::optional<TouchData::Subject> read_touch(MapReader& map, TouchData& touch);

namespace ranges {
inline constexpr Range kYoung{0, 1e13, true, "Pa", "moduli are in Pa, not MPa"};
}

/// Reads the friction of a material, with what goes with sticking.
template <class M>
void read_friction(MapReader& map, M& material) {
  constexpr Range kFriction{0, 100, false, "-"};
  constexpr Range kDeadBand{0, 10, true, "m/s"};
  constexpr Range kDecay{0, 1e6, false, "s/m"};
  material.friction = map.number("friction", kFriction, material.friction);
  material.dead_band = map.number("dead_band", kDeadBand, material.dead_band);
  const auto sticking = map.number("static_friction", kFriction);
  const auto decay = map.number("decay", kDecay);
  if (!sticking) {
    if (decay) map.refuse("decay", "goes with 'static_friction'");
  } else if (*sticking < material.friction) {
    map.refuse("static_friction", "must not be below 'friction'");
  } else {
    material.stiction = Stiction{.friction = *sticking};
    if (decay) material.stiction->decay = *decay;
  }
}

}  // namespace grouser::internal
