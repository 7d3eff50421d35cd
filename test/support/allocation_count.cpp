#include "support/allocation_count.h"

#include <cerrno>
#include <cstddef>

namespace {

thread_local std::uint64_t count = 0;

}  // namespace

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

// glibc lets a program replace malloc and its kin, and offers its own under these names.
extern "C" {

void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) {
  ++count;
  return __libc_calloc(number, size);
}

void* realloc(void* memory, std::size_t size) {
  ++count;
  return __libc_realloc(memory, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++count;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : ENOMEM;
}

}  // extern "C"

bool grouser::internal::allocations_are_counted() { return true; }

#else

bool grouser::internal::allocations_are_counted() { return false; }

#endif

std::uint64_t grouser::internal::allocation_count() { return count; }
