#include "core/text.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace grouser::internal {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between the beginnings of a and b: i - 2, i - 1 and i.
  std::vector<int> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) current[j] = static_cast<int>(j);

  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(previous);
    previous.swap(current);
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto same = [&](std::size_t m, std::size_t n) { return lower(a[m]) == lower(b[n]); };
      const int replaced = previous[j - 1] + (same(i - 1, j - 1) ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && same(i - 1, j - 2) && same(i - 2, j - 1)) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
  }
  return current[b.size()];
}

std::optional<std::string> closest_match(std::string_view word,
                                         const std::vector<std::string_view>& candidates) {
  std::optional<std::string> closest;
  int closest_distance = 0;
  for (const std::string_view candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    const int allowed = std::max(1, static_cast<int>(candidate.size()) / 3);
    if (distance > allowed || (closest && distance >= closest_distance)) continue;
    closest = candidate;
    closest_distance = distance;
  }
  return closest;
}

bool matches_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches_pattern(text, pattern.substr(1)) ||
           (!text.empty() && matches_pattern(text.substr(1), pattern));
  }
  return !text.empty() && text.front() == pattern.front() &&
         matches_pattern(text.substr(1), pattern.substr(1));
}

std::string format_number(double value) { return fmt::format("{}", value); }

}  // namespace grouser::internal
