#pragma once

#include <variant>
#include <vector>

namespace grouser::internal {

/// A scalar function of time, with two derivatives.
struct SignalValue {
  double value = 0;
  double rate = 0;          ///< per second
  double acceleration = 0;  ///< per second squared
};

enum class TableCurve {
  hold,    ///< the last value given
  linear,  ///< straight between points
  smooth,  ///< natural cubic spline: value, rate and acceleration are continuous between the ends
};

struct ConstantSignal {
  double value = 0;
};

/// Values at points in time; constant before the first and after the last, so the rate may jump
/// there (repeat the end values for a soft start). At a point, derivatives are those of what
/// follows it.
struct TableSignal {
  std::vector<double> time;   ///< [s], strictly increasing, at least one
  std::vector<double> value;  ///< as many
  TableCurve curve = TableCurve::linear;
  std::vector<double> curvature;  ///< second derivatives at the points, filled by prepare()
};

/// offset + amplitude sin(2π frequency t + phase)
struct SineSignal {
  double offset = 0;
  double amplitude = 1;
  double frequency_hz = 1;  ///< [Hz]
  double phase = 0;         ///< [rad]
};

using Signal = std::variant<ConstantSignal, TableSignal, SineSignal>;

/// Completes a table (spline curvature); call once after filling it. Throws Error(input) if the
/// times do not increase, the lengths differ or anything is not finite.
void prepare(Signal& signal);

SignalValue evaluate(const Signal& signal, double time);

}  // namespace grouser::internal
