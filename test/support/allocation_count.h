#pragma once

#include <cstdint>

namespace grouser::internal {

/// Heap allocations of the calling thread so far, by whatever means: operator new, malloc, Eigen.
/// Lets a test show that a step allocates nothing.
std::uint64_t allocation_count();

/// False in sanitizer builds, which have an allocator of their own: the count then stays 0.
bool allocations_are_counted();

}  // namespace grouser::internal
