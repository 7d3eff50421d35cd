#pragma once

#include <array>
#include <string>

#include "assets/fields.h"
#include "contact/scm/options.h"
#include "core/error.h"

/// The list of parameters of the soil contact model; see assets/fields.h.
namespace grouser::internal {

template <class Visitor>
void visit_fields(ScmOptions& options, Visitor& visit) {
  constexpr std::array<const char*, 2> kDetection = {"triangles", "vertices"};
  constexpr std::array<const char*, 2> kDistribution = {"border", "centrality"};
  constexpr std::array<const char*, 2> kHorizontal = {"normal", "paper"};
  constexpr std::array<const char*, 2> kShear = {"janosi", "coulomb"};
  constexpr std::array<const char*, 2> kBearing = {"vertical", "inclined"};
  constexpr std::array<const char*, 3> kDeformation = {"none", "classic", "flow"};
  visit(FieldInfo{"detection",
                  "how contact is found: `triangles`, by the body's surface; `vertices`, by the "
                  "lowest vertex over each cell, for which meshes are divided into edges of 0.85 "
                  "`spacing` (slow)"},
        options.detection, kDetection);
  visit(FieldInfo{"distribution",
                  "how pressure is shared out under the body: by the distance to the `border`, or "
                  "by `centrality` (slow)"},
        options.distribution, kDistribution);
  visit(FieldInfo{"horizontal",
                  "how pressure acts on slanted faces: along the `normal`, or as in the `paper`"},
        options.horizontal, kHorizontal);
  visit(
      FieldInfo{"shear", "how shear is mobilised: `janosi`, by displacement; `coulomb`, by speed"},
      options.shear, kShear);
  visit(FieldInfo{"bearing",
                  "what slanted faces and shear do to the pressure that soil bears: `vertical`, "
                  "nothing; `inclined`, it bears less and gives way"},
        options.bearing, kBearing);
  visit(FieldInfo{"deformation",
                  "what becomes of soil that is pushed aside: `none`, it stays in memory only; "
                  "`classic`, laid down along the footprint; `flow`, spread around it"},
        options.deformation, kDeformation);
  visit(
      FieldInfo{"update_rate_hz", "of the soil's own clock, on which soil moves", "Hz"}.in(1, 1e5),
      options.update_rate_hz);
  visit(FieldInfo{"carry", "layer that a sliding surface carries along, in shear moduli K"}.in(0,
                                                                                               100),
        options.carry);
  visit(FieldInfo{"ahead_exponent", "how narrowly pushed soil is laid down ahead"}.in(1, 10),
        options.ahead_exponent);
  visit(FieldInfo{"samples", "of the body per cell and axis"}.in(1, 8), options.samples);
  visit(FieldInfo{"damping", "normal stress per speed of penetration", "Pa s/m"}.in(0, 1e9),
        options.damping);
  visit(FieldInfo{"unloading", "slope of unloading over the secant of loading; above the soil's n"}
            .in(3, 1000),
        options.unloading);
  visit(FieldInfo{"coulomb_speed", "at which `shear: coulomb` is mobilised", "m/s"}.in(1e-6, 10),
        options.coulomb_speed);
}

/// Nothing to fit.
inline void check_fit(const ScmOptions&, const std::string&, IssueList&) {}

}  // namespace grouser::internal
