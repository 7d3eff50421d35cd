#pragma once

#include <string>

#include "scene/bbcc/bbcc_scene.h"
#include "scene/friction_fields.h"

/// The lists of what a scene says about bbcc; see assets/fields.h.
namespace grouser::internal {

template <class Visitor>
void visit_fields(Material& material, Visitor& visit) {
  visit(FieldInfo{"young", "Young's modulus", "Pa"}.above(0, 1e13).hinted(kModulusHint),
        material.young);
  visit(FieldInfo{"poisson", "Poisson's ratio"}.in(-0.99, 0.5), material.poisson);
  visit(FieldInfo{"restitution", "speed after over speed before an impact"}.in(0, 1),
        material.restitution);
  visit_friction(material, visit);
  constexpr const char* kTurningHint = "a torque over a force: millimetres for most wheels";
  visit(FieldInfo{"rolling_friction",
                  "greatest torque against rolling over normal force, that of both materials "
                  "added; with `moreau_jean`",
                  "m"}
            .in(0, 1)
            .hinted(kTurningHint),
        material.rolling_friction);
  visit(FieldInfo{"spinning_friction",
                  "the same against spinning about the normal; with `moreau_jean`", "m"}
            .in(0, 1)
            .hinted(kTurningHint),
        material.spinning_friction);
}

inline void check_keys(const Material& material, MapReader& map) {
  check_friction_keys(material, map);
}

template <class Visitor>
void visit_fields(BbccGrousers& grousers, Visitor& visit) {
  visit(FieldInfo{"count", "around the wheel"}.in(1, 1000), grousers.count);
  visit(FieldInfo{"height", "above the rim", "m"}.above(0, 1000).hinted(ranges::kMetresHint),
        grousers.height);
  visit(FieldInfo{"thickness", "around the axle, below the wheel's diameter", "m"}
            .above(0, 1000)
            .hinted(ranges::kMetresHint),
        grousers.thickness);
}

inline void check_keys(const BbccGrousers&, MapReader& map) { map.require("count"); }

inline constexpr FieldInfo kBbccGrousers{"grousers", "with `wheels`: straight bars on the rim"};
inline constexpr FieldInfo kBbccMaterial{"material", "what it is made of"};

template <class Visitor>
void visit_fields(BbccOptions& options, Visitor& visit) {
  visit(FieldInfo{"laws",
                  "`hertz`; or `paper`, as printed: twice as stiff, more damping and spin torque"},
        options.laws, kContactLawsNames);
  visit(FieldInfo{"single_point",
                  "one point per pair of parts instead of a patch, as in the paper; not on the "
                  "terrain"},
        options.single_point);
}

/// Nothing to fit.
inline void check_fit(const BbccOptions&, const std::string&, IssueList&) {}

}  // namespace grouser::internal
