#include "geometry/support.h"

#include <cassert>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#include "geometry/mass_properties.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kLanes = 8;
using Double8 = double __attribute__((vector_size(64)));
using Index8 = std::int64_t __attribute__((vector_size(64)));

/// The vector with unit length; zero stays zero. Scaled first, so that squares neither vanish nor
/// overflow.
template <class Vector>
Vector unit(const Vector& v) {
  const double largest = v.cwiseAbs().maxCoeff();
  if (largest == 0) return v;
  return (v / largest).normalized();
}

Double8 load(const double* from) {
  Double8 lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

constexpr Index8 kLaneNumbers = {0, 1, 2, 3, 4, 5, 6, 7};

/// The best vertex so far of each lane.
struct Candidates {
  Double8 distance;
  Index8 index;

  /// Vertices 8 block ... 8 block + 7; a tie leaves the earlier one.
  void offer(const Double8& candidate, std::size_t block) {
    const Index8 is_better = candidate > distance;
    distance = is_better ? candidate : distance;
    index = is_better ? kLaneNumbers + static_cast<std::int64_t>(kLanes * block) : index;
  }
};

/// Lanes moved down by `by`, a power of two, round about.
template <int by, class Lanes>
Lanes rotated(const Lanes& v) {
  return __builtin_shufflevector(v, v, by % 8, (by + 1) % 8, (by + 2) % 8, (by + 3) % 8,
                                 (by + 4) % 8, (by + 5) % 8, (by + 6) % 8, (by + 7) % 8);
}

Double8 larger(const Double8& a, const Double8& b) { return a > b ? a : b; }
Index8 smaller(const Index8& a, const Index8& b) { return a < b ? a : b; }

/// The lowest index among those that share the greatest distance.
std::int64_t lowest_of_farthest(const Candidates& a, const Candidates& b) {
  Double8 farthest = larger(a.distance, b.distance);
  farthest = larger(farthest, rotated<4>(farthest));
  farthest = larger(farthest, rotated<2>(farthest));
  farthest = larger(farthest, rotated<1>(farthest));
  const Index8 none = Index8{} + std::numeric_limits<std::int64_t>::max();
  Index8 lowest =
      smaller(a.distance == farthest ? a.index : none, b.distance == farthest ? b.index : none);
  lowest = smaller(lowest, rotated<4>(lowest));
  lowest = smaller(lowest, rotated<2>(lowest));
  lowest = smaller(lowest, rotated<1>(lowest));
  return lowest[0];
}

}  // namespace

Vec3 support(const BoxShape& box, const Vec3& direction) {
  const auto end = [&](int axis) {
    return direction[axis] >= 0 ? 0.5 * box.size[axis] : -0.5 * box.size[axis];
  };
  return {end(0), end(1), end(2)};
}

Vec3 support(const SphereShape& sphere, const Vec3& direction) {
  return sphere.radius * unit(direction);
}

Vec3 support(const CylinderShape& cylinder, const Vec3& direction) {
  const Vec2 radial = cylinder.radius * unit(Vec2(direction.head<2>()));
  const double half = 0.5 * cylinder.length;
  return {radial.x(), radial.y(), direction.z() >= 0 ? half : -half};
}

Vec3 support(const CapsuleShape& capsule, const Vec3& direction) {
  const double half = 0.5 * capsule.length;
  return capsule.radius * unit(direction) + Vec3(0, 0, direction.z() >= 0 ? half : -half);
}

ConvexHull::ConvexHull(TriMesh hull)
    : mesh_(std::move(hull)), centre_(solid_properties(mesh_).centroid) {
  const std::size_t count = mesh_.vertices.size();
  assert(count > 0);
  for (std::size_t first = 0; first < count; first += kLanes) {
    for (int axis = 0; axis < 3; ++axis) {
      for (std::size_t i = first; i < first + kLanes; ++i) {
        blocks_.push_back(mesh_.vertices[i < count ? i : 0][axis]);
      }
    }
  }
}

std::size_t ConvexHull::support_index(const Vec3& direction) const {
  const double dx = direction.x(), dy = direction.y(), dz = direction.z();
  const auto along = [&](std::size_t block) {
    const double* from = &blocks_[3 * kLanes * block];
    return dx * load(from) + dy * load(from + kLanes) + dz * load(from + 2 * kLanes);
  };
  // Each lane keeps the first of its own best; two sets of lanes take turns, since each comparison
  // has to wait for the one before it.
  Candidates even{along(0), kLaneNumbers};
  Candidates odd = even;
  const std::size_t blocks = blocks_.size() / (3 * kLanes);
  std::size_t block = 1;
  for (; block + 1 < blocks; block += 2) {
    odd.offer(along(block), block);
    even.offer(along(block + 1), block + 1);
  }
  if (block < blocks) odd.offer(along(block), block);
  // Padding repeats vertex 0 and so never precedes it.
  return static_cast<std::size_t>(lowest_of_farthest(even, odd));
}

}  // namespace grouser::internal
