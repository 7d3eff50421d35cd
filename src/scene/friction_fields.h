#pragma once

#include <optional>

#include "assets/fields.h"
#include "contact/laws/friction.h"
#include "scene/yaml_reader.h"

/// The friction of a material, with what goes with sticking.
namespace grouser::internal {

inline constexpr const char* kModulusHint = "moduli are in Pa, not MPa";

template <class Material, class Visitor>
void visit_friction(Material& material, Visitor& visit) {
  visit(FieldInfo{"friction", "of sliding"}.in(0, 100), material.friction);
  visit(FieldInfo{"dead_band", "speed below which friction gives way", "m/s"}.above(0, 10),
        material.dead_band);
  std::optional<double> sticking, decay;
  if (material.stiction) {
    sticking = material.stiction->friction;
    decay = material.stiction->decay;
  }
  visit(FieldInfo{"static_friction", "not below `friction`; of use only if both materials have it"}
            .in(0, 100),
        sticking);
  visit(FieldInfo{"decay",
                  "of friction from static to sliding, with `static_friction`; 100 if not given",
                  "s/m"}
            .in(0, 1e6),
        decay);
  if (!sticking) return;
  material.stiction = Stiction{.friction = *sticking};
  if (decay) material.stiction->decay = *decay;
}

/// Reports keys that do not go together.
template <class Material>
void check_friction_keys(const Material& material, MapReader& map) {
  if (!material.stiction) {
    if (map.find("static_friction") == nullptr) map.refuse("decay", "goes with 'static_friction'");
  } else if (material.stiction->friction < material.friction) {
    map.refuse("static_friction", "must not be below 'friction'");
  }
}

}  // namespace grouser::internal
