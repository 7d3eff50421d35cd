#pragma once

#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace grouser::internal {

/// Number of insertions, deletions, replacements and exchanges of neighbours that turn one text
/// into the other, no part being edited twice (restricted Damerau-Levenshtein distance), without
/// regard to the case of ASCII letters. Counts bytes.
int edit_distance(std::string_view a, std::string_view b);

/// The candidate that a user most likely meant by `word`, for "did you mean ...?". Nothing if the
/// nearest one differs in more than a third of its letters; the first one if several are as near.
std::optional<std::string> closest_match(std::string_view word,
                                         const std::vector<std::string_view>& candidates);

/// The same for any range of texts.
template <class Range>
std::optional<std::string> closest_match(std::string_view word, const Range& candidates) {
  return closest_match(word, std::vector<std::string_view>(std::ranges::begin(candidates),
                                                           std::ranges::end(candidates)));
}

/// Whether the whole text fits the pattern, in which each * stands for any letters, or none.
bool matches_pattern(std::string_view text, std::string_view pattern);

/// The shortest decimal text that reads back as the same double: "0.1", "100000", "1e+20", "nan".
std::string format_number(double value);

}  // namespace grouser::internal
