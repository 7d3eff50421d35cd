#pragma once

#include <cstddef>

namespace grouser::internal {

/// Position in a container of something that is counted by int; index >= 0.
constexpr std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace grouser::internal
