#include "sim/signal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>

#include "core/error.h"

namespace grouser::internal {
namespace {

void check(const TableSignal& table) {
  IssueList issues;
  if (table.time.empty()) {
    issues.add({.message = "a table needs at least one point", .field = "time"});
  }
  if (table.time.size() != table.value.size()) {
    issues.add({.message = "a table needs one value per time",
                .field = "value",
                .value = std::to_string(table.value.size()) + " values",
                .legal = std::to_string(table.time.size()) + " values"});
  }
  for (std::size_t i = 0; i < table.time.size(); ++i) {
    const bool increases = i == 0 || table.time[i] > table.time[i - 1];
    if (!increases || !std::isfinite(table.time[i])) {
      issues.add({.message = "times must be finite and strictly increasing",
                  .field = "time[" + std::to_string(i) + "]",
                  .value = std::to_string(table.time[i])});
    }
  }
  for (std::size_t i = 0; i < table.value.size(); ++i) {
    if (!std::isfinite(table.value[i])) {
      issues.add({.message = "values must be finite",
                  .field = "value[" + std::to_string(i) + "]",
                  .value = std::to_string(table.value[i])});
    }
  }
  issues.throw_if_any();
}

// Second derivatives M of the natural spline, M = 0 at both ends and at the points between
//   h₋ M₋ + 2 (h₋ + h₊) M + h₊ M₊ = 6 (slope₊ - slope₋),
// solved by elimination of the tridiagonal, diagonally dominant system.
std::vector<double> natural_curvature(const std::vector<double>& t, const std::vector<double>& y) {
  const std::size_t n = t.size();
  std::vector<double> curvature(n, 0), upper(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    const double before = t[i] - t[i - 1], after = t[i + 1] - t[i];
    const double bend = 6 * ((y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before);
    const double pivot = 2 * (before + after) - before * upper[i - 1];
    upper[i] = after / pivot;
    curvature[i] = (bend - before * curvature[i - 1]) / pivot;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i > 0 && i + 1 < n) curvature[i] -= upper[i] * curvature[i + 1];
  }
  return curvature;
}

SignalValue on_segment(const TableSignal& table, std::size_t i, double time) {
  const double h = table.time[i + 1] - table.time[i];
  const double left = table.value[i], right = table.value[i + 1];
  const double b = (time - table.time[i]) / h, a = 1 - b;
  if (table.curve == TableCurve::hold) return {.value = left};
  if (table.curve == TableCurve::linear) {
    return {.value = a * left + b * right, .rate = (right - left) / h};
  }
  const double bend_left = table.curvature[i], bend_right = table.curvature[i + 1];
  return {.value = a * left + b * right +
                   h * h / 6 * ((a * a * a - a) * bend_left + (b * b * b - b) * bend_right),
          .rate = (right - left) / h +
                  h / 6 * ((3 * b * b - 1) * bend_right - (3 * a * a - 1) * bend_left),
          .acceleration = a * bend_left + b * bend_right};
}

SignalValue value_of(const ConstantSignal& signal, double) { return {.value = signal.value}; }

SignalValue value_of(const TableSignal& table, double time) {
  if (time < table.time.front()) return {.value = table.value.front()};
  if (time >= table.time.back()) return {.value = table.value.back()};
  const auto after = std::upper_bound(table.time.begin(), table.time.end(), time);
  return on_segment(table, static_cast<std::size_t>(after - table.time.begin()) - 1, time);
}

SignalValue value_of(const SineSignal& signal, double time) {
  const double omega = 2 * std::numbers::pi * signal.frequency_hz;
  const double s = signal.amplitude * std::sin(omega * time + signal.phase);
  const double c = signal.amplitude * std::cos(omega * time + signal.phase);
  return {.value = signal.offset + s, .rate = omega * c, .acceleration = -omega * omega * s};
}

}  // namespace

void prepare(Signal& signal) {
  auto* table = std::get_if<TableSignal>(&signal);
  if (!table) return;
  check(*table);
  table->curvature = natural_curvature(table->time, table->value);
}

SignalValue evaluate(const Signal& signal, double time) {
  return std::visit([time](const auto& s) { return value_of(s, time); }, signal);
}

}  // namespace grouser::internal
