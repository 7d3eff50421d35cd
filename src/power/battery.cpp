#include "power/battery.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {

double open_voltage(const BatterySpec& battery, double charge) {
  const std::vector<Vec2>& points = battery.voltage;
  for (std::size_t k = 1; k < points.size(); ++k) {
    if (charge > points[k].x() && k + 1 < points.size()) continue;
    const Vec2 &a = points[k - 1], &b = points[k];
    const double part = std::clamp((charge - a.x()) / (b.x() - a.x()), 0.0, 1.0);
    return a.y() + part * (b.y() - a.y());
  }
  return points.front().y();
}

BatteryFlow battery_flow(const BatterySpec& battery, double energy, double power, double duration) {
  const double v = open_voltage(battery, energy / battery.capacity), r = battery.resistance;
  // The smaller root of R i² - V i + p = 0; at most the current of the largest power.
  const double root = v * v - 4 * r * power;
  double current = root >= 0 ? 2 * power / (v + std::sqrt(root)) : v / (2 * r);
  if (current > 0) {
    current = std::min(current, energy / (v * duration));
  } else {
    const double room = std::max(0.0, battery.capacity - energy);
    current = std::max(current, -room / (battery.charge_efficiency * v * duration));
  }
  BatteryFlow flow{.internal = r * current * current * duration,
                   .given = (v - r * current) * current * duration};
  if (current > 0) {
    flow.stored = -v * current * duration;
  } else {
    flow.stored = -battery.charge_efficiency * v * current * duration;
    flow.charging = -(1 - battery.charge_efficiency) * v * current * duration;
  }
  return flow;
}

}  // namespace grouser::internal
