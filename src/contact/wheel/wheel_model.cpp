#include "contact/wheel/wheel_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace grouser::internal {
namespace {

/// Models by index, default made.
template <std::size_t... I>
WheelModel model_at(std::size_t index, std::index_sequence<I...>) {
  WheelModel model;
  ((index == I ? (model.emplace<I>(), 0) : 0), ...);
  return model;
}

class Checks {
 public:
  void operator()(const char* field, double value, bool legal, const char* range) {
    if (legal) return;
    issues.add({.message = "is out of range",
                .field = field,
                .value = fmt::format("{:g}", value),
                .legal = range});
  }
  /// Of models that carry by Bekker's formula for wheels.
  void bekker(const Soil& soil) {
    (*this)("soil.sinkage_exponent", soil.sinkage_exponent, soil.sinkage_exponent < 3,
            "< 3: Bekker's wheel carries nothing else");
  }
  void press(const PressLaw& law, const Soil& soil) {
    (*this)("press.unloading", law.unloading, law.unloading > std::max(1.0, soil.sinkage_exponent),
            "> 1, > n");
    (*this)("press.delay", law.delay, law.delay >= 0, ">= 0 [s]");
  }

  IssueList issues;
};

void check(const TerraModel& model, const Soil& soil, Checks& checks) {
  checks("dig", model.dig, model.dig >= 0, ">= 0");
  checks("fill_length", model.fill_length, model.fill_length > 0, "> 0 [m]");
  checks("dig_limit", model.dig_limit, model.dig_limit > 0, "> 0");
  checks("dig_load", model.dig_load, model.dig_load >= 0, ">= 0");
  checks("slope_fill", model.slope_fill, model.slope_fill >= 0, ">= 0");
  checks("dug_traction", model.dug_traction, model.dug_traction >= 0 && model.dug_traction <= 1,
         "0 ... 1");
  checks("pressure", model.pressure, model.pressure > 0, "> 0");
  checks("strength", model.strength, model.strength > 0, "> 0");
  checks("shear", model.shear, model.shear > 0, "> 0");
  checks("compaction", model.compaction, model.compaction >= 0, ">= 0");
  checks("bulldozing", model.bulldozing, model.bulldozing >= 0, ">= 0");
  checks.bekker(soil);
  checks.press(model.press, soil);
}

void check(const BekkerModel& model, const Soil& soil, Checks& checks) {
  checks("grip", model.grip, model.grip > 0, "> 0 [m]");
  checks.bekker(soil);
  checks.press(model.press, soil);
}

void check(const BjhModel& model, const Soil& soil, Checks& checks) {
  checks.bekker(soil);
  checks.press(model.press, soil);
}

void check(const BwrModel& model, const Soil& soil, Checks& checks) {
  checks.press(model.press, soil);
}

void check(const RheologicalModel& model, const Soil& soil, Checks& checks) {
  checks("mass", model.mass, model.mass >= 0, ">= 0 [kg]");
  checks("damping_ratio", model.damping_ratio, model.damping_ratio > 0, "> 0");
  checks("static_friction", model.static_friction, model.static_friction >= 1, ">= 1");
  checks("slide_speed", model.slide_speed, model.slide_speed > 0, "> 0 [m/s]");
  checks("stick_speed", model.stick_speed, model.stick_speed > 0, "> 0 [m/s]");
  checks("rolling_speed", model.rolling_speed, model.rolling_speed > 0, "> 0 [m/s]");
  checks.bekker(soil);
}

}  // namespace

std::optional<WheelModel> find_wheel_model(std::string_view name) {
  const auto found = std::ranges::find(kWheelModelNames, name);
  if (found == kWheelModelNames.end()) return std::nullopt;
  return model_at(static_cast<std::size_t>(found - kWheelModelNames.begin()),
                  std::make_index_sequence<kWheelModelNames.size()>());
}

const char* name_of(const WheelModel& model) { return kWheelModelNames[model.index()]; }

void validate(const WheelModel& model, const WheelForm& wheel, const Soil& soil) {
  Checks checks;
  std::visit([&](const auto& m) { check(m, soil, checks); }, model);
  try {
    if (const auto* bwr = std::get_if<BwrModel>(&model)) {
      validate(wheel, soil, bwr->stress);
    } else {
      validate(wheel, soil);
    }
  } catch (const Error& error) {
    checks.issues.append(error.issues());
  }
  checks.issues.throw_if_any();
}

}  // namespace grouser::internal
