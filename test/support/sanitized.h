#pragma once

namespace grouser::internal {

/// A sanitizer looks for bad memory, undefined behaviour or races, and makes all ten times slower.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// How much a test does of the same: cases to draw, or seconds to simulate. Physics is checked over the usual length by
/// other builds; a sanitizer need only see every line at work.
template <typename T>
constexpr T unless_sanitized(T usual, T sanitized) {
  return kSanitized ? sanitized : usual;
}

}  // namespace grouser::internal
