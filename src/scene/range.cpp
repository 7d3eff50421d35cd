#include "scene/range.h"

#include <fmt/format.h>

namespace grouser::internal {

std::string range_defect(const Range& range, double value) {
  const bool too_low = range.above_low ? !(value > range.low) : !(value >= range.low);
  if (too_low && range.low == 0) {
    return range.above_low ? "must be positive" : "must not be negative";
  }
  if (!too_low && value <= range.high) return {};
  std::string text = too_low ? "is too small" : "is too large";
  // A hint on units fits large numbers of either sign.
  const bool too_negative = too_low && range.low < 0;
  if (*range.hint != '\0' && (too_negative || !too_low)) text += fmt::format("; {}", range.hint);
  return text;
}

std::string legal_text(const Range& range) {
  return fmt::format("{} {:g} and <= {:g} [{}]", range.above_low ? ">" : ">=", range.low,
                     range.high, range.unit);
}

}  // namespace grouser::internal
