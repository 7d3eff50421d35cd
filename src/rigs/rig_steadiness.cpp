#include "rigs/rig_steadiness.h"

#include <fmt/format.h>

namespace grouser::internal {

void Steadiness::add(const char* name, double change, const char* unit) {
  what_ += fmt::format("{}{} by {:+.2g}{}", what_.empty() ? "" : ", ", name, change, unit);
}

std::vector<std::string> Steadiness::warnings() const {
  if (is_steady()) return {};
  return {"not steady: from the first half of what is measured to the second it changes " + what_ +
          "; take a longer --distance"};
}

}  // namespace grouser::internal
