#pragma once

#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "math/spatial.h"
#include "multibody/elements.h"

namespace grouser::internal {

enum class TargetQuantity { position, velocity, effort };

const char* to_string(TargetQuantity quantity);

/// Whether an actuator of a type heeds such a target.
bool takes(ActuatorType type, TargetQuantity quantity);

/// What an actuator is asked from outside; it goes before what the scene commands.
struct TargetInput {
  int actuator = 0;
  TargetQuantity quantity = TargetQuantity::velocity;
  double value = 0;  ///< [rad], [rad/s], [N m] or [m], [m/s], [N]

  friend bool operator==(const TargetInput&, const TargetInput&) = default;
};

/// A load on a body, at its origin, axes of W.
struct WrenchInput {
  int body = 0;
  Wrench wrench;

  friend bool operator==(const WrenchInput& a, const WrenchInput& b);
};

/// What a simulation is told from outside. Each input is held until it is changed, and is part of the State: a run
/// that is resumed goes on with it.
struct Inputs {
  std::vector<TargetInput> targets;   ///< sorted by actuator, then quantity; each at most once
  std::vector<WrenchInput> wrenches;  ///< sorted by body; each at most once
  std::vector<double> ticks;          ///< behind us, of each controller that was added

  bool empty() const { return targets.empty() && wrenches.empty() && ticks.empty(); }
  friend bool operator==(const Inputs&, const Inputs&) = default;
  void hash(Hasher& hasher) const;

  void set(const TargetInput& target);
  void set(const WrenchInput& wrench);
  /// The scene commands the actuator again.
  void release(int actuator);
};

}  // namespace grouser::internal
