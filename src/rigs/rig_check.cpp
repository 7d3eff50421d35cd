#include "rigs/rig_check.h"

#include <fmt/format.h>

#include "core/text.h"

namespace grouser::internal {

void check_range(IssueList& issues, const std::string& field, double value, double low, double high,
                 const std::string& unit) {
  if (value >= low && value <= high) return;
  issues.add({.message = "is out of range",
              .field = field,
              .value = format_number(value),
              .legal = fmt::format("{} ... {}{}", format_number(low), format_number(high),
                                   unit.empty() ? "" : " [" + unit + "]")});
}

}  // namespace grouser::internal
