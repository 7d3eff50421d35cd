#include "sim/inputs.h"

#include <algorithm>
#include <tuple>

namespace grouser::internal {
namespace {

auto key(const TargetInput& target) { return std::tuple(target.actuator, target.quantity); }
auto key(const WrenchInput& wrench) { return wrench.body; }

template <class Input>
void put(const Input& input, std::vector<Input>& list) {
  const auto place =
      std::ranges::lower_bound(list, key(input), {}, [](const Input& each) { return key(each); });
  if (place != list.end() && key(*place) == key(input)) {
    *place = input;
  } else {
    list.insert(place, input);
  }
}

}  // namespace

const char* to_string(TargetQuantity quantity) {
  constexpr const char* kNames[] = {"position", "velocity", "effort"};
  return kNames[static_cast<int>(quantity)];
}

bool takes(ActuatorType type, TargetQuantity quantity) {
  switch (type) {
    case ActuatorType::torque:
      return quantity == TargetQuantity::effort;
    case ActuatorType::velocity:
      return quantity != TargetQuantity::position;
    case ActuatorType::position:
      return true;
    case ActuatorType::prescribed:
      return quantity != TargetQuantity::effort;
  }
  return false;
}

bool operator==(const WrenchInput& a, const WrenchInput& b) {
  return a.body == b.body && a.wrench.force == b.wrench.force && a.wrench.torque == b.wrench.torque;
}

void Inputs::hash(Hasher& hasher) const {
  hasher.u64(targets.size());
  for (const TargetInput& target : targets) {
    hasher.u64(static_cast<std::uint64_t>(target.actuator));
    hasher.u64(static_cast<std::uint64_t>(target.quantity));
    hasher.f64(target.value);
  }
  hasher.u64(wrenches.size());
  for (const WrenchInput& input : wrenches) {
    hasher.u64(static_cast<std::uint64_t>(input.body));
    for (const double x : input.wrench.torque) hasher.f64(x);
    for (const double x : input.wrench.force) hasher.f64(x);
  }
  for (const double tick : ticks) hasher.f64(tick);
}

void Inputs::set(const TargetInput& target) { put(target, targets); }
void Inputs::set(const WrenchInput& wrench) { put(wrench, wrenches); }

void Inputs::release(int actuator) {
  std::erase_if(targets, [&](const TargetInput& target) { return target.actuator == actuator; });
}

}  // namespace grouser::internal
