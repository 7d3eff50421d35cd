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
  before_.reserve(wheels_.size());
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
    energy_ += 0.5 * (sample.time - time_) * (power + power_);
    distance_ += (position - position_).head<2>().norm();
  }
  first_ = false;
  time_ = sample.time;
  power_ = power;
  position_ = position;
}

void RunStatistics::add_wheels(double time, std::span<const WheelSample> wheels) {
  const double half = before_.empty() ? 0 : 0.5 * (time - wheel_time_);
  wheel_duration_ += 2 * half;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    const auto add = [&](const WheelSample& wheel) {
      WheelStatistics& sum = wheels_[w];
      sum.torque_rms += half * wheel.torque * wheel.torque;
      sum.normal_mean += half * wheel.normal;
      sum.sinkage_max = std::max(sum.sinkage_max, wheel.sinkage);
      if (wheel.normal <= 0) return;
      sum.contact_time += half;
      sum.slip_mean += half * wheel.fastest * wheel.slip;
      ways_[w] += half * wheel.fastest;
    };
    if (!before_.empty()) add(before_[w]);
    add(wheels[w]);
  }
  wheel_time_ = time;
  before_.assign(wheels.begin(), wheels.end());
}

void RunStatistics::fill(RunReport& report) const {
  report.distance = distance_;
  report.energy = energy_;
  report.loop_residual_max = residual_;
  report.wheels = wheels_;
  if (wheel_duration_ <= 0) return;
  for (WheelStatistics& wheel : report.wheels) {
    wheel.torque_rms = std::sqrt(wheel.torque_rms / wheel_duration_);
    wheel.normal_mean /= wheel_duration_;
    const double way = ways_[static_cast<std::size_t>(&wheel - report.wheels.data())];
    if (way > 0) wheel.slip_mean /= way;
  }
}

}  // namespace grouser
