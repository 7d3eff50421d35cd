#include "sim/statistics.h"

#include <algorithm>
#include <cmath>

namespace grouser {

RunStatistics::RunStatistics(const World& world) : world_(world) {
  if (!world.rovers.empty()) traveller_ = world.rovers.front().chassis;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) wheels_.push_back({.name = wheel.name});
  }
  ways_.resize(wheels_.size());
}

void RunStatistics::add(const Sample& sample) {
  double power = 0;
  for (std::size_t a = 0; a < world_.model.actuators().size(); ++a) {
    const double effort = sample.actuator_effort[static_cast<Eigen::Index>(a)];
    power += std::max(0.0, effort * sample.v[world_.model.actuators()[a].dof]);
  }
  residual_ = std::max(residual_, sample.loop_residual);
  const bool has_body = !sample.X_WB.empty();
  const Vec3 position =
      has_body ? sample.X_WB[static_cast<std::size_t>(traveller_)].p : Vec3::Zero();
  if (!first_) {
    const double dt = sample.time - time_;
    duration_ += dt;
    energy_ += 0.5 * dt * (power + power_);
    distance_ += (position - position_).head<2>().norm();
    for (std::size_t w = 0; w < wheels_.size(); ++w) {
      const WheelSample& wheel = sample.wheels[w];
      WheelStatistics& sum = wheels_[w];
      sum.torque_rms += dt * wheel.torque * wheel.torque;
      sum.normal_mean += dt * wheel.normal;
      sum.sinkage_max = std::max(sum.sinkage_max, wheel.sinkage);
      if (wheel.normal <= 0) continue;
      sum.contact_time += dt;
      const double way = dt * wheel.fastest;
      sum.slip_mean += way * wheel.slip;
      ways_[w] += way;
    }
  }
  first_ = false;
  time_ = sample.time;
  power_ = power;
  position_ = position;
}

void RunStatistics::fill(RunReport& report) const {
  report.distance = distance_;
  report.energy = energy_;
  report.loop_residual_max = residual_;
  report.wheels = wheels_;
  if (duration_ <= 0) return;
  for (WheelStatistics& wheel : report.wheels) {
    wheel.torque_rms = std::sqrt(wheel.torque_rms / duration_);
    wheel.normal_mean /= duration_;
    const double way = ways_[static_cast<std::size_t>(&wheel - report.wheels.data())];
    if (way > 0) wheel.slip_mean /= way;
  }
}

}  // namespace grouser
