#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <variant>

#include "contact/wheel/bekker_wheel.h"
#include "contact/wheel/bekker_wong_reece.h"
#include "contact/wheel/rheological.h"
#include "contact/wheel/terra.h"

/// The fast models of a wheel in soft soil behind one interface. All are functions of how the wheel stands
/// and moves and of what it remembers; soil is not deformed. Memory goes on with the motion in closed form,
/// so that a reaction may be asked for at any time after it was written: the force of a step's end is that
/// which the next one begins with, and implicit integrators see how the soil gives way within a step.
namespace grouser::internal {

/// In the order of kWheelModelNames.
using WheelModel = std::variant<TerraModel, BekkerModel, BjhModel, BwrModel, RheologicalModel>;

inline constexpr std::array<const char*, 5> kWheelModelNames = {"terra", "bekker", "bjh", "bwr",
                                                                "rheological"};

/// With default parameters; nothing if there is no such model.
std::optional<WheelModel> find_wheel_model(std::string_view name);
const char* name_of(const WheelModel& model);

/// Throws Error(input) naming every value out of range, a soil that the model cannot take among them.
void validate(const WheelModel& model, const WheelForm& wheel, const Soil& soil);

/// The reaction dt [s] >= 0 after the memory was written. Pure.
inline WheelReaction wheel_force(const WheelModel& model, const WheelForm& wheel,
                                 const WheelSoil& soil, const WheelMotion& motion,
                                 WheelMemory memory, double dt) {
  return std::visit([&](const auto& m) { return react(m, wheel, soil, motion, dt, memory); },
                    model);
}

/// At an accepted step: the memory goes on by dt [s]. Returns the same reaction.
inline WheelReaction wheel_commit(const WheelModel& model, const WheelForm& wheel,
                                  const WheelSoil& soil, const WheelMotion& motion, double dt,
                                  WheelMemory& memory) {
  return std::visit([&](const auto& m) { return react(m, wheel, soil, motion, dt, memory); },
                    model);
}

}  // namespace grouser::internal
