#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

namespace grouser::internal {

/// "'a', 'b' and 2 more"
inline std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 2;
  std::string text;
  for (std::size_t k = 0; k < names.size() && k < kMost; ++k) {
    text += fmt::format("{}'{}'", k > 0 ? ", " : "", names[k]);
  }
  return names.size() > kMost ? text + fmt::format(" and {} more", names.size() - kMost) : text;
}

}  // namespace grouser::internal
