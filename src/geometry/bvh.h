#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geometry/tri_mesh.h"
#include "math/float8.h"

namespace grouser::internal {

struct BvhOptions {
  int max_leaf = 4;  ///< primitives per leaf, 1 ... 255
};

/// Tree of boxes over primitives (triangles, or anything with a box), eight children to a node, made by
/// the surface area heuristic over bins (Wald, "On fast construction of SAH-based bounding volume
/// hierarchies", 2007). Bounds are floats rounded outward: a query visits all primitives it should, and
/// perhaps a few more; what the leaf does with them is the caller's, in double precision. The same
/// input gives the same tree; results of a traversal come in the order of the tree.
class Bvh {
 public:
  static constexpr int kWidth = 8;

  /// Children side by side, so that one comparison tests all eight.
  struct alignas(64) Node {
    std::array<Float8, 3> lower;               ///< per axis, of each child
    std::array<Float8, 3> upper;               ///< an absent child has lower > upper
    std::array<std::int32_t, kWidth> child;    ///< node, or first primitive of a leaf in order()
    std::array<std::uint8_t, kWidth> count{};  ///< primitives of a leaf; 0 = inner node or absent
  };

  Bvh() = default;
  explicit Bvh(std::span<const Aabb> boxes, const BvhOptions& options = {});
  explicit Bvh(const TriMesh& mesh, const BvhOptions& options = {});

  /// Adapts the bounds to moved primitives, keeping the tree: boxes of the same number as before. Much
  /// faster than building; the tree gets worse the more the primitives have changed places.
  void refit(std::span<const Aabb> boxes);
  void refit(const TriMesh& mesh);

  std::size_t size() const { return order_.size(); }  ///< number of primitives
  std::span<const Node> nodes() const {
    return nodes_;
  }  ///< parents before children; [0] is the root
  std::span<const std::int32_t> order() const { return order_; }  ///< primitives in order of leaves
  Aabb bounds() const { return bounds_; }

  /// Walks down from the root: `cull(node)` says by bits which children to enter, `leaf(primitives)`
  /// gets the indices of a leaf's primitives.
  template <class Cull, class Leaf>
  void traverse(Cull&& cull, Leaf&& leaf) const;

  /// Calls visit(primitive) for all primitives whose box touches `box`, and perhaps a few whose box is
  /// a rounding error away.
  template <class Visit>
  void overlapping(const Aabb& box, Visit&& visit) const;

  /// The deepest stack a traversal needs.
  static constexpr int kMaxDepth = 80;
  static constexpr int kStack = kMaxDepth * (kWidth - 1) + 1;

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
  Aabb bounds_;
};

/// A float that is not above x, and one that is not below it; off by less than two units in the last
/// place. (std::nextafter would be exact, and take most of the time of building a tree.) Both are
/// monotone, and hold numbers beyond a float's reach at ±1e37, so that boxes that touch still do.
inline float float_below(double x) {
  const auto f = static_cast<float>(std::clamp(x, -1e37, 1e37));
  return f <= x ? f : f - std::abs(f) * 0x1p-23F - std::numeric_limits<float>::denorm_min();
}
inline float float_above(double x) {
  const auto f = static_cast<float>(std::clamp(x, -1e37, 1e37));
  return f >= x ? f : f + std::abs(f) * 0x1p-23F + std::numeric_limits<float>::denorm_min();
}

/// A box as a query sees it: in floats, rounded outward, each number in all lanes.
struct QueryBox {
  std::array<Float8, 3> lower, upper;

  QueryBox() = default;
  explicit QueryBox(const Aabb& box) {
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      lower[k] = float8(float_below(box.lower[axis]));
      upper[k] = float8(float_above(box.upper[axis]));
    }
  }

  /// Children of the node that the box touches.
  unsigned touched(const Bvh::Node& node) const {
    return bits_of((node.lower[0] <= upper[0]) & (lower[0] <= node.upper[0]) &
                   (node.lower[1] <= upper[1]) & (lower[1] <= node.upper[1]) &
                   (node.lower[2] <= upper[2]) & (lower[2] <= node.upper[2]));
  }
};

template <class Cull, class Leaf>
void Bvh::traverse(Cull&& cull, Leaf&& leaf) const {
  if (nodes_.empty()) return;
  std::array<std::int32_t, kStack> stack;
  int depth = 0;
  stack[0] = 0;
  while (depth >= 0) {
    const Node& node = nodes_[static_cast<std::size_t>(stack[static_cast<std::size_t>(depth--)])];
    for (unsigned bits = cull(node); bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      const std::int32_t child = node.child[lane];
      if (node.count[lane] == 0) {
        stack[static_cast<std::size_t>(++depth)] = child;
      } else {
        leaf(std::span(order_).subspan(static_cast<std::size_t>(child), node.count[lane]));
      }
    }
  }
}

template <class Visit>
void Bvh::overlapping(const Aabb& box, Visit&& visit) const {
  const QueryBox query(box);
  traverse([&](const Node& node) { return query.touched(node); },
           [&](std::span<const std::int32_t> primitives) {
             for (const std::int32_t primitive : primitives) visit(primitive);
           });
}

}  // namespace grouser::internal
