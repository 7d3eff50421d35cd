#include "geometry/mesh_duplicates.h"

#include <algorithm>
#include <bit>

#include "geometry/first_occurrence.h"

namespace grouser::internal {
namespace {

std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x + 0.0); }  // -0 + 0 = +0

Triangle sorted(Triangle triangle) {
  std::ranges::sort(triangle);
  return triangle;
}

}  // namespace

std::vector<std::int32_t> first_at_position(const std::vector<Vec3>& vertices) {
  const auto hash = [&](std::size_t i) {
    const Vec3& v = vertices[i];
    return mixed_bits(bits_of(v.x()) + mixed_bits(bits_of(v.y()) + mixed_bits(bits_of(v.z()))));
  };
  return first_occurrences(vertices.size(), hash, [&](std::size_t i, std::size_t j) {
    return vertices[i] == vertices[j];
  });
}

std::vector<std::int32_t> first_with_vertices(const std::vector<Triangle>& triangles) {
  const auto hash = [&](std::size_t i) {
    const Triangle t = sorted(triangles[i]);
    const auto bits = [&](int k) { return static_cast<std::uint64_t>(t[slot(k)]); };
    return mixed_bits(bits(0) + mixed_bits(bits(1) | bits(2) << 32));
  };
  return first_occurrences(triangles.size(), hash, [&](std::size_t i, std::size_t j) {
    return sorted(triangles[i]) == sorted(triangles[j]);
  });
}

}  // namespace grouser::internal
