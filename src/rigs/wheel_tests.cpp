#include "rigs/wheel_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "rigs/csv_columns.h"

namespace grouser::internal {
namespace {

class TestColumns {
 public:
  explicit TestColumns(const CsvTable& table) : table_(table) {}

  struct Found {
    std::size_t index = 0;
    double factor = 1;
  };

  /// The column of a quantity, in whichever unit; `alias` is another name of it.
  std::optional<Found> find(const char* quantity, Dimension dimension,
                            const char* alias = nullptr) const {
    for (const char* name : {quantity, alias}) {
      if (name == nullptr) continue;
      for (const ColumnUnit& unit : units_of(dimension)) {
        const auto at = std::ranges::find(table_.header, column_name(name, unit));
        if (at == table_.header.end()) continue;
        return Found{static_cast<std::size_t>(at - table_.header.begin()), unit.factor};
      }
    }
    return std::nullopt;
  }
  Found require(const char* quantity, Dimension dimension, const char* alias = nullptr) {
    if (const auto found = find(quantity, dimension, alias)) return *found;
    issues_.add({.message = "a column is missing",
                 .file = table_.file,
                 .line = table_.header_line,
                 .field = quantity,
                 .legal = column_names(quantity, dimension)});
    return {};
  }
  double number(const CsvTable::Row& row, const Found& column, double low, double high) {
    const std::string& text = row.fields[column.index];
    const auto number = number_in(table_, text);
    const double value = column.factor * number.value_or(0);
    if (number && value >= low && value <= high) return value;
    issues_.add({.message = number ? "is out of range" : "is not a number",
                 .file = table_.file,
                 .line = row.line,
                 .field = table_.shown_name(column.index),
                 .value = text,
                 .legal = number ? fmt::format("{:g} ... {:g}, in SI units", low, high)
                                 : number_format(table_)});
    return 0;
  }
  IssueList& issues() { return issues_; }

 private:
  const CsvTable& table_;
  IssueList issues_;
};

/// Speeds along and across the heading, and of the rim.
WheelMotion motion_of(const WheelTest& test) {
  const double along = test.speed * std::cos(test.slip_angle);
  return {.rim = test.slip >= 0 ? along / std::max(1 - test.slip, 1e-3) : along * (1 + test.slip),
          .travel = along,
          .side = -test.speed * std::sin(test.slip_angle)};
}

/// Depth at which the soil carries the load after dt [s]: false position between the ends.
double carried_depth(const WheelModel& model, const WheelOnTest& wheel, const WheelSoil& soil,
                     WheelMotion motion, const WheelMemory& memory, double dt, double load) {
  const auto excess = [&](double depth) {
    motion.depth = depth;
    return wheel_force(model, wheel.form, soil, motion, memory, dt).normal - load;
  };
  double low = 0, high = 2 * wheel.form.radius;
  double at_low = -load, at_high = excess(high);
  if (at_high < 0) return high;
  for (int k = 0; k < 100; ++k) {
    const double next =
        k % 3 == 2 ? (low + high) / 2 : low + (high - low) * at_low / (at_low - at_high);
    const double there = excess(next);
    (there < 0 ? low : high) = next;
    (there < 0 ? at_low : at_high) = there;
    if (high - low < 1e-9 || std::abs(there) < 1e-7 * load) return next;
  }
  return (low + high) / 2;
}

}  // namespace

std::vector<WheelTest> tests_of(const WheelRigSpec& spec, const std::vector<WheelPass>& passes,
                                int points) {
  std::vector<WheelTest> tests;
  const double begin = kSettleTime + kRampTime, drive = spec.distance / spec.speed;
  for (const WheelPass& pass : passes) {
    WheelTest test{.name = fmt::format("slip {:g}, {:g} N", pass.asked.slip.value_or(0), spec.load),
                   .slip = pass.asked.slip.value_or(pass.slip.mean),
                   .slip_angle = pass.asked.slip_angle,
                   .speed = spec.speed,
                   .load = spec.load,
                   .sinkage = pass.sinkage.mean,
                   .pull = pass.pull.mean,
                   .torque = pass.torque.mean,
                   .history = {},
                   .from = drive / 2,
                   .to = drive,
                   .lead = kRampTime / 2};
    for (int k = 1; k <= points; ++k) {
      // Means over a stretch: between updates of the soil its level jumps.
      const double time = begin + drive * k / points, width = drive / points / 2;
      double sum = 0, count = 0;
      for (const WheelSampleOnRig& sample : pass.trace) {
        if (sample.time > time || sample.time < time - width) continue;
        sum += sample.sinkage;
        count += 1;
      }
      if (count > 0) test.history.push_back({time - width / 2 - begin, sum / count});
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

std::vector<WheelTest> wheel_tests(const CsvTable& table) {
  TestColumns reader(table);
  const auto slip = reader.require("slip", Dimension::ratio, "slip_ratio");
  const auto load = reader.require("load", Dimension::force, "Fz_load");
  const auto pull = reader.require("pull", Dimension::force, "Fx_traction");
  const auto sinkage = reader.require("sinkage", Dimension::length);
  const auto torque = reader.find("torque", Dimension::torque);
  const auto angle = reader.find("slip_angle", Dimension::angle, "slip_angle_meas");
  const auto speed = reader.find("speed", Dimension::speed, "travel_speed");
  const auto trial = reader.find("trial", Dimension::none);
  reader.issues().throw_if_any();
  std::vector<WheelTest> tests;
  for (const CsvTable::Row& row : table.rows) {
    WheelTest test{.name = trial ? fmt::format("{} (line {})", row.fields[trial->index], row.line)
                                 : fmt::format("line {}", row.line),
                   .slip = reader.number(row, slip, -1, 0.999),
                   .load = reader.number(row, load, 1e-6, 1e7),
                   .sinkage = reader.number(row, sinkage, -1, 10),
                   .pull = reader.number(row, pull, -1e7, 1e7)};
    if (torque) test.torque = reader.number(row, *torque, -1e7, 1e7);
    if (angle) test.slip_angle = reader.number(row, *angle, -1.4, 1.4);
    if (speed) test.speed = reader.number(row, *speed, 1e-5, 100);
    tests.push_back(std::move(test));
  }
  reader.issues().throw_if_any();
  return tests;
}

WheelPrediction predict(const WheelModel& model, const WheelOnTest& wheel, const WheelTest& test) {
  const WheelSoil soil = wheel_soil(wheel.soil, wheel.form, wheel.gravity);
  WheelMotion motion;
  WheelMemory memory;
  motion.depth = carried_depth(model, wheel, soil, motion, memory, 0, test.load);
  wheel_commit(model, wheel.form, soil, motion, 0, memory);
  motion = motion_of(test);
  const double fastest = std::max(std::abs(motion.rim), test.speed);
  // Without a history, far enough for all that fades.
  const double end =
      test.history.empty() ? 30 * wheel.form.radius / test.speed : test.lead + test.to;
  const double least = std::min(0.1 * wheel.form.radius / fastest, end / 20);
  const int steps = static_cast<int>(std::min(std::ceil(end / least), 400.0));
  const double dt = end / steps;
  WheelPrediction result;
  double count = 0, before = -test.lead;
  std::size_t next = 0;
  const double c = std::cos(test.slip_angle), s = std::sin(test.slip_angle);
  for (int k = 1; k <= steps; ++k) {
    const double time = k * dt - test.lead, last = motion.depth;
    motion.depth = carried_depth(model, wheel, soil, motion, memory, dt, test.load);
    const WheelReaction reaction = wheel_commit(model, wheel.form, soil, motion, dt, memory);
    for (; next < test.history.size() && test.history[next].time <= time + 1e-9; ++next) {
      const double part = (test.history[next].time - before) / dt;
      result.history.push_back(k == 1 ? motion.depth : last + part * (motion.depth - last));
    }
    before = time;
    const bool counts = test.history.empty() ? k == steps : time >= test.from;
    if (!counts) continue;
    count += 1;
    result.sinkage += motion.depth;
    result.pull += reaction.pull * c - reaction.lateral * s;
    result.torque += reaction.torque;
  }
  result.sinkage = result.sinkage / count + wheel.form.grouser_height;
  for (double& sinkage : result.history) sinkage += wheel.form.grouser_height;
  result.history.resize(test.history.size(), result.sinkage);
  result.pull /= count;
  result.torque /= count;
  return result;
}

}  // namespace grouser::internal
