#include "scene/gravity.h"

#include <algorithm>

namespace grouser::internal {
namespace {

// Mean surface values. Earth is the standard value of ISO 80000-3, Mars the value customary in
// planetary robotics, the others follow NASA's planetary fact sheets. On small bodies gravity varies
// from place to place by tens of percent: give a vector where that matters.
constexpr GravityField kFields[] = {
    {"zero", 0},        {"mercury", 3.70},  {"venus", 8.87},      {"earth", 9.80665},
    {"moon", 1.62},     {"mars", 3.72076},  {"phobos", 0.0057},   {"deimos", 0.003},
    {"ceres", 0.27},    {"vesta", 0.25},    {"eros", 0.0059},     {"itokawa", 8.6e-5},
    {"ryugu", 1.1e-4},  {"bennu", 6.3e-5},  {"io", 1.80},         {"europa", 1.31},
    {"ganymede", 1.43}, {"callisto", 1.24}, {"enceladus", 0.113}, {"titan", 1.35},
    {"triton", 0.78},   {"pluto", 0.62},
};

}  // namespace

std::span<const GravityField> gravity_fields() { return kFields; }

std::optional<double> find_gravity(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &GravityField::name);
  if (found == std::end(kFields)) return std::nullopt;
  return found->acceleration;
}

}  // namespace grouser::internal
