#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "rigs/rig_statistics.h"

/// Whether what a rig measures has settled: means over both halves of its measuring window agree.
namespace grouser::internal {

/// Largest change between the halves of a steady case: of slip in points, else in parts of a quantity's scale [-].
inline constexpr double kSteadySlip = 0.02, kSteadyPart = 0.05;

/// Compares quantities over the halves of a window.
class Steadiness {
 public:
  Steadiness(double from, double to) : from_(from), to_(to) {}

  /// Slip, by its difference.
  template <class Trace, class Get>
  void compare_slip(const Trace& trace, Get&& get) {
    const double change = change_of(trace, get);
    if (!(std::abs(change) <= kSteadySlip)) add("slip", change, "");
  }
  /// Another quantity, by its difference over its mean in the second half or over `floor`, if that is more.
  template <class Trace, class Get>
  void compare(const char* name, const Trace& trace, double floor, Get&& get) {
    const double second = spread_of(trace, (from_ + to_) / 2, to_, get).mean;
    const double scale = std::max(std::abs(second), floor);
    const double change = change_of(trace, get) / scale;
    if (scale > 0 && !(std::abs(change) <= kSteadyPart)) add(name, 100 * change, " %");
  }

  bool is_steady() const { return what_.empty(); }
  /// "not steady: ..."; nothing if it is.
  std::vector<std::string> warnings() const;

 private:
  template <class Trace, class Get>
  double change_of(const Trace& trace, Get&& get) const {
    const double middle = (from_ + to_) / 2;
    return spread_of(trace, middle, to_, get).mean - spread_of(trace, from_, middle, get).mean;
  }
  void add(const char* name, double change, const char* unit);

  double from_, to_;
  std::string what_;
};

}  // namespace grouser::internal
