#include "sim/state.h"

#include <cstring>

#include "core/hash.h"

namespace grouser::internal {
namespace {

bool same_bits(const double* a, const double* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(double)) == 0;
}

}  // namespace

bool operator==(const State& a, const State& b) {
  return a.q.size() == b.q.size() && a.v.size() == b.v.size() &&
         a.memory.size() == b.memory.size() && same_bits(&a.time, &b.time, 1) &&
         same_bits(a.q.data(), b.q.data(), static_cast<std::size_t>(a.q.size())) &&
         same_bits(a.v.data(), b.v.data(), static_cast<std::size_t>(a.v.size())) &&
         same_bits(a.memory.data(), b.memory.data(), a.memory.size()) && a.contacts == b.contacts &&
         a.inputs == b.inputs && a.watch == b.watch;
}

std::uint64_t hash(const State& state) {
  Hasher hasher;
  hasher.f64(state.time);
  hasher.u64(static_cast<std::uint64_t>(state.q.size()));
  hasher.u64(static_cast<std::uint64_t>(state.v.size()));
  for (const double x : state.q) hasher.f64(x);
  for (const double x : state.v) hasher.f64(x);
  for (const double x : state.memory) hasher.f64(x);
  for (const ContactMemory& memory : state.contacts) memory.hash(hasher);
  if (!state.inputs.empty()) state.inputs.hash(hasher);
  return hasher.digest();
}

}  // namespace grouser::internal
