#include "record/input_state_file.h"

#include <cmath>
#include <vector>

#include "sim/alarm.h"

namespace grouser::internal {
namespace {

constexpr const char* kTargets = "/state/inputs/targets";
constexpr const char* kWrenches = "/state/inputs/wrenches";
constexpr const char* kTicks = "/state/inputs/ticks";
constexpr std::size_t kPerTarget = 3, kPerWrench = 7;

[[noreturn]] void refuse_inputs() { throw h5::Failure("its inputs are damaged"); }

int input_index(double number, std::size_t end) {
  if (!(number >= 0 && number < static_cast<double>(end)) || number != std::floor(number)) {
    refuse_inputs();
  }
  return static_cast<int>(number);
}

std::vector<double> input_rows(hid_t file, const char* path, std::size_t columns) {
  std::vector<double> numbers = h5::read_vector(file, path);
  if (numbers.size() % columns != 0) refuse_inputs();
  for (const double number : numbers) {
    if (!std::isfinite(number)) refuse_inputs();
  }
  return numbers;
}

constexpr const char* kWatchNumbers = "/state/watch/numbers";
constexpr const char* kAlarms = "/state/watch/alarms";
constexpr std::size_t kPerAlarm = 7;

}  // namespace

void write_inputs(hid_t file, const Inputs& inputs) {
  if (inputs.empty()) return;
  std::vector<double> targets, wrenches;
  for (const TargetInput& input : inputs.targets) {
    targets.push_back(input.actuator);
    targets.push_back(static_cast<double>(input.quantity));
    targets.push_back(input.value);
  }
  for (const WrenchInput& input : inputs.wrenches) {
    wrenches.push_back(input.body);
    wrenches.insert(wrenches.end(), input.wrench.torque.begin(), input.wrench.torque.end());
    wrenches.insert(wrenches.end(), input.wrench.force.begin(), input.wrench.force.end());
  }
  h5::write_vector(file, kTargets, targets);
  h5::write_vector(file, kWrenches, wrenches);
  h5::write_vector(file, kTicks, inputs.ticks);
}

Inputs read_inputs(hid_t file, const Model& model) {
  Inputs inputs;
  if (!h5::exists(file, "/state/inputs")) return inputs;
  const std::vector<double> targets = input_rows(file, kTargets, kPerTarget);
  for (std::size_t k = 0; k < targets.size(); k += kPerTarget) {
    inputs.set(TargetInput{.actuator = input_index(targets[k], model.actuators().size()),
                           .quantity = static_cast<TargetQuantity>(input_index(targets[k + 1], 3)),
                           .value = targets[k + 2]});
  }
  const std::vector<double> wrenches = input_rows(file, kWrenches, kPerWrench);
  for (std::size_t k = 0; k < wrenches.size(); k += kPerWrench) {
    const double* row = wrenches.data() + k;
    inputs.set(WrenchInput{
        .body = input_index(row[0], model.bodies().size()),
        .wrench = {.torque = Vec3(row[1], row[2], row[3]), .force = Vec3(row[4], row[5], row[6])}});
  }
  inputs.ticks = input_rows(file, kTicks, 1);
  return inputs;
}

void write_watch(hid_t file, const WatchMemory& watch) {
  std::vector<double> numbers{watch.ticks, watch.looked}, alarms;
  numbers.insert(numbers.end(), watch.numbers.begin(), watch.numbers.end());
  for (const RungAlarm& alarm : watch.rung) {
    for (const double number :
         {static_cast<double>(alarm.kind), static_cast<double>(alarm.subject), alarm.time,
          alarm.last_time, alarm.duration, alarm.value, alarm.detail}) {
      alarms.push_back(number);
    }
  }
  h5::write_vector(file, kWatchNumbers, numbers);
  h5::write_vector(file, kAlarms, alarms);
}

WatchMemory read_watch(hid_t file) {
  WatchMemory watch;
  if (!h5::exists(file, "/state/watch")) return watch;
  const std::vector<double> numbers = input_rows(file, kWatchNumbers, 1);
  if (numbers.size() < 2) refuse_inputs();
  watch.ticks = numbers[0];
  watch.looked = numbers[1];
  watch.numbers.assign(numbers.begin() + 2, numbers.end());
  const std::vector<double> alarms = input_rows(file, kAlarms, kPerAlarm);
  for (std::size_t k = 0; k < alarms.size(); k += kPerAlarm) {
    const double* row = alarms.data() + k;
    watch.rung.push_back({.kind = input_index(row[0], kAlarmKindNames.size()),
                          .subject = input_index(row[1], std::size_t{1} << 30),
                          .time = row[2],
                          .last_time = row[3],
                          .duration = row[4],
                          .value = row[5],
                          .detail = row[6]});
  }
  return watch;
}

}  // namespace grouser::internal
