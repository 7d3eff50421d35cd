#include "sim/statistics.h"

#include <algorithm>
#include <cmath>

namespace grouser::internal {
namespace {

/// Length of a footprint over the wheel's radius [-].
constexpr double kFootprint = 0.5;

}  // namespace

RunStatistics::RunStatistics(const World& world)
    : world_(world), work_(world.model.actuators().size()), paths_(world.rovers.size()) {
  if (world.model.body_count() > 0) traveller_ = 0;
  if (!world.rovers.empty()) traveller_ = world.rovers.front().chassis;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      wheels_.push_back({.name = wheel.name});
      drive_.push_back(actuator_of_dof(world.model, wheel.drive_dof));
      footprints_.push_back(kFootprint * wheel.radius);
    }
  }
  stretches_.resize(wheels_.size());
  before_.reserve(wheels_.size());
}

void RunStatistics::move_to(const Vec3& position) {
  if (has_moved_) distance_ += (position - position_).head<2>().norm();
  has_moved_ = true;
  position_ = position;
}

void RunStatistics::add_work(std::size_t actuator, double work) {
  work_[actuator] += std::max(0.0, work);
}

void RunStatistics::add_residual(double residual) { residual_ = std::max(residual_, residual); }

void RunStatistics::add_wheel(double duration, const WheelSample& wheel, std::size_t slot) {
  WheelStatistics& sum = wheels_[slot];
  sum.torque_rms += duration * wheel.torque * wheel.torque;
  sum.normal_mean += duration * wheel.normal;
  sum.pull_mean += duration * wheel.pull;
  sum.lateral_mean += duration * wheel.lateral;
  sum.sinkage_max = std::max(sum.sinkage_max, wheel.sinkage);
  if (wheel.normal <= 0) return;
  sum.contact_time += duration;
  add_slip(duration, wheel, slot);
}

void RunStatistics::add_slip(double duration, const WheelSample& wheel, std::size_t slot) {
  Stretch& stretch = stretches_[slot];
  const bool stands = std::abs(wheel.fastest) < kStandingSpeed;
  const double direction = stands ? 0 : wheel.fastest > 0 ? 1 : -1;
  if (direction != stretch.direction) stretch = {.direction = direction};
  if (stands) return;
  stretch.slip += duration * std::abs(wheel.fastest) * wheel.slip;
  stretch.way += duration * std::abs(wheel.fastest);
  stretch.rolls = stretch.rolls || stretch.way >= footprints_[slot];
  if (!stretch.rolls) return;
  wheels_[slot].slip_mean += stretch.slip;
  wheels_[slot].way += stretch.way;
  stretch.slip = stretch.way = 0;
}

void RunStatistics::add_wheels(double time, std::span<const WheelSample> wheels) {
  const double half = before_.empty() ? 0 : 0.5 * (time - wheel_time_);
  wheel_duration_ += 2 * half;
  for (std::size_t w = 0; w < wheels.size(); ++w) {
    if (!before_.empty()) add_wheel(half, before_[w], w);
    add_wheel(half, wheels[w], w);
  }
  wheel_time_ = time;
  before_.assign(wheels.begin(), wheels.end());
}

void RunStatistics::add_rovers(double duration, std::span<const RoverSample> rovers) {
  duration_ += duration;
  for (std::size_t r = 0; r < rovers.size(); ++r) {
    Path& path = paths_[r];
    const double deviation = rovers[r].path_deviation;
    if (path.duration == 0 && deviation == 0) continue;  // does not follow one, or sets out
    path.duration += duration;
    path.sum += duration * deviation * deviation;
    path.most = std::max(path.most, deviation);
  }
}

void RunStatistics::fill(RunReport& report) const {
  report.actuators.clear();
  for (std::size_t a = 0; a < work_.size(); ++a) {
    report.actuators.push_back({.name = world_.model.actuators()[a].name,
                                .energy = work_[a],
                                .power_mean = duration_ > 0 ? work_[a] / duration_ : 0});
  }
  report.paths.clear();
  for (std::size_t r = 0; r < paths_.size(); ++r) {
    const Path& path = paths_[r];
    if (path.duration <= 0) continue;
    report.paths.push_back({.rover = world_.rovers[r].name,
                            .deviation_rms = std::sqrt(path.sum / path.duration),
                            .deviation_max = path.most});
  }
  report.distance = distance_;
  report.energy = 0;
  for (const double work : work_) report.energy += work;
  report.loop_residual_max = residual_;
  report.wheels = wheels_;
  if (wheel_duration_ <= 0) return;
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    WheelStatistics& wheel = report.wheels[w];
    wheel.torque_rms = std::sqrt(wheel.torque_rms / wheel_duration_);
    wheel.normal_mean /= wheel_duration_;
    wheel.pull_mean /= wheel_duration_;
    wheel.lateral_mean /= wheel_duration_;
    wheel.slip_mean = wheel.has_slip() ? wheel.slip_mean / wheel.way : 0;
    if (drive_[w] >= 0) {
      wheel.power_mean = work_[static_cast<std::size_t>(drive_[w])] / wheel_duration_;
    }
  }
}

}  // namespace grouser::internal
