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
  visit(FieldInfo{"detection", "how contact is found: by the surface, or by lowest vertices"},
        options.detection, kDetection);
  visit(FieldInfo{"distribution", "how pressure is shared out under the body"},
        options.distribution, kDistribution);
  visit(FieldInfo{"horizontal", "how pressure acts on slanted faces"}, options.horizontal,
        kHorizontal);
  visit(FieldInfo{"shear", "how shear is mobilised: by displacement or by speed"}, options.shear,
        kShear);
  visit(FieldInfo{"bearing", "whether soil bears less under slanted faces and shear"},
        options.bearing, kBearing);
  visit(FieldInfo{"deformation", "what becomes of soil that is pushed aside"}, options.deformation,
        kDeformation);
  visit(FieldInfo{"update_rate_hz", "of the soil's own clock", "Hz"}.in(1, 1e5),
        options.update_rate_hz);
  visit(FieldInfo{"carry", "layer that a sliding surface carries along, in shear moduli K"}.in(0,
                                                                                               100),
        options.carry);
  visit(FieldInfo{"ahead_exponent", "how narrowly pushed soil is laid down ahead"}.in(1, 10),
        options.ahead_exponent);
  visit(FieldInfo{"samples", "of the body per cell and axis"}.in(1, 8), options.samples);
  visit(FieldInfo{"damping", "normal stress per speed of penetration", "Pa s/m"}.in(0, 1e9),
        options.damping);
  visit(FieldInfo{"unloading", "slope of unloading over the secant of loading"}.in(3, 1000),
        options.unloading);
  visit(FieldInfo{"coulomb_speed", "at which `shear: coulomb` is mobilised", "m/s"}.in(1e-6, 10),
        options.coulomb_speed);
}

/// Nothing to fit.
inline void check_fit(const ScmOptions&, const std::string&, IssueList&) {}

}  // namespace grouser::internal
