#pragma once

#include <array>
#include <string>

#include "assets/fields.h"
#include "core/error.h"

/// How many rocks of which size lie on a square metre.
namespace grouser::internal {

enum class RockLaw {
  golombek_rapp,  ///< area covered by rocks larger than D: k e^(-q D), q = 1.79 + 0.152 / k (D in m)
  power,          ///< N(>D) = coefficient (D / 1 m)^-index
};
inline constexpr std::array<const char*, 2> kRockLawNames = {"golombek_rapp", "power"};

/// Places with a known law. Any but `custom` sets the law and its parameters, except that the bodies
/// marked * have a known index only: the coefficient is the spec's.
enum class RockSite {
  custom,
  pathfinder,
  spirit,
  insight,
  phoenix,
  ryugu,    ///< *
  itokawa,  ///< *
  eros,     ///< *
  phobos,   ///< *
  lunar,
  lunar_low,
  lunar_high,
};
inline constexpr std::array<const char*, 12> kRockSiteNames = {
    "custom",  "pathfinder", "spirit", "insight", "phoenix",   "ryugu",
    "itokawa", "eros",       "phobos", "lunar",   "lunar_low", "lunar_high"};

/// Number of rocks by diameter.
struct RockSizeSpec {
  RockSite site = RockSite::custom;
  RockLaw law = RockLaw::golombek_rapp;
  double k = 0.1;             ///< Golombek-Rapp: part of the area covered by all rocks [-]
  double coefficient = 1e-2;  ///< power: rocks larger than 1 m [1/m²]
  double index = 2.5;         ///< power [-]
  double min_diameter = 0.1;  ///< smaller rocks are left out [m]
  double max_diameter = 2;    ///< larger rocks are left out [m]
};

/// The same with the site's law and parameters filled in, and `custom` as site.
RockSizeSpec resolved(const RockSizeSpec& spec);

/// N(>D): rocks larger than the diameter D [m], > 0, per m², whatever the smallest and largest.
/// Golombek & Rapp, J. Geophys. Res. 102 (1997): N = (4 k q / π) (e^(-q D) / D - q E1(q D)).
double expected_count_above(const RockSizeSpec& spec, double diameter);

/// Rocks between the smallest and largest diameter per m².
double expected_count(const RockSizeSpec& spec);

/// The diameter D [m] between smallest and largest above which lies the part `fraction` (0 ... 1) of
/// the rocks: inverse of (N(>D) - N(>max)) / (N(>min) - N(>max)).
double diameter_at(const RockSizeSpec& spec, double fraction);

template <class Visitor>
void visit_fields(RockSizeSpec& spec, Visitor& visit) {
  visit(FieldInfo{"site", "a place with a known law; custom = as given here"}, spec.site,
        kRockSiteNames);
  visit(FieldInfo{"law", "law of sizes"}, spec.law, kRockLawNames);
  visit(FieldInfo{"k", "Golombek-Rapp: part of the area covered"}.in(1e-4, 1), spec.k);
  visit(FieldInfo{"coefficient", "power: rocks larger than 1 m", "1/m²"}.in(0, 1e6),
        spec.coefficient);
  visit(FieldInfo{"index", "power: N(>D) falls with D to this power"}.in(0.1, 10), spec.index);
  visit(FieldInfo{"min_diameter", "smallest rocks", "m"}.in(1e-3, 1e3), spec.min_diameter);
  visit(FieldInfo{"max_diameter", "largest rocks", "m"}.in(1e-3, 1e3), spec.max_diameter);
}

}  // namespace grouser::internal
