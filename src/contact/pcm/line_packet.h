#pragma once

#include <array>
#include <cstdint>

#include "math/double8.h"

namespace grouser::internal {

/// Eight penetration lines side by side: from the barycentres of base triangles along their inward normals.
/// Lanes without a triangle repeat the first line.
struct LinePacket {
  Vec3x8 origin;                           ///< [m]
  Vec3x8 direction;                        ///< unit, inward
  std::array<std::int32_t, 8> triangle{};  ///< of the base
  unsigned lanes = 0;                      ///< bit i: lane i has a triangle
};

/// A triangle of the target, with its normal along (b - a) × (c - a), as long as twice the area.
struct TargetTriangle {
  Vec3 a, b, c, normal;

  static TargetTriangle of(const Vec3& a, const Vec3& b, const Vec3& c) {
    return {a, b, c, (b - a).cross(c - a)};
  }
};

/// The nearest hit of each line so far.
struct PacketHits {
  Double8 depth;     ///< along the line [m]; if there is no hit, how far the line reaches
  Double8 facing{};  ///< > 0: the line leaves the target there, which is what counts as contact
  Long8 triangle;    ///< of the target; kNone if there is no hit

  static constexpr std::int64_t kNone = std::int64_t{1} << 62;

  explicit PacketHits(double reach) : depth(double8(reach)), triangle(kNone - Long8{}) {}

  /// Lanes that hit the inside of the target first.
  unsigned active() const { return bits_of((triangle != kNone) & (facing > 0)); }
};

/// Tests eight lines against a triangle, from both sides. Keeps the nearer hit, of equally near ones the
/// triangle with the lower index: hits do not depend on the order of the tests. Lines and triangle in the
/// same frame.
///
/// By the signs of d·(v_i × v_j), with vertices counted from the line's origin, inclusive. Differs from
/// Möller & Trumbore (1997), which the paper takes: two triangles with a common edge find the same number
/// there, with opposite signs, to the last bit. So no line slips between them, without any tolerance.
inline void cast(const Vec3x8& origin, const Vec3x8& direction, const TargetTriangle& t,
                 std::int64_t index, PacketHits& hits) {
  constexpr double kSlack = 1 + 1e-12;  // more than the rounding of the division below
  const Vec3x8 a = t.a - origin;
  const Double8 height = dot(t.normal, a), facing = dot(t.normal, direction);
  const Double8 reach = kSlack * hits.depth * facing;
  const Long8 near = ((height >= 0) & (height <= reach) & (facing > 0)) |
                     ((height <= 0) & (height >= reach) & (facing < 0));
  if (bits_of(near) == 0) return;
  const Vec3x8 b = t.b - origin, c = t.c - origin;
  const Double8 u = dot(direction, cross(b, c)), v = dot(direction, cross(c, a)),
                w = dot(direction, cross(a, b));
  const Long8 inside = ((u >= 0) & (v >= 0) & (w >= 0)) | ((u <= 0) & (v <= 0) & (w <= 0));
  const Double8 depth = height / facing;
  const Long8 nearer = (depth < hits.depth) | ((depth == hits.depth) & (index < hits.triangle));
  const Long8 take = near & inside & nearer;
  hits.depth = take ? depth : hits.depth;
  hits.facing = take ? facing : hits.facing;
  hits.triangle = take ? index - Long8{} : hits.triangle;
}

}  // namespace grouser::internal
