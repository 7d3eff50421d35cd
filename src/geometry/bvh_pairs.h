#pragma once

#include "geometry/bvh.h"

namespace grouser::internal {

namespace detail {

/// A child of a node as an axis-aligned box.
inline Aabb child_box(const Bvh::Node& node, std::size_t lane) {
  return {Vec3(node.lower[0][lane], node.lower[1][lane], node.lower[2][lane]),
          Vec3(node.upper[0][lane], node.upper[1][lane], node.upper[2][lane])};
}

/// The axis-aligned box in A around a box of B.
inline Aabb moved_box(const Pose& X_AB, const Mat3& abs_R, const Aabb& box_B) {
  const Vec3 centre = X_AB * box_B.centre();
  const Vec3 half = abs_R * (0.5 * box_B.size());
  return {centre - half, centre + half};
}

template <class Visit>
struct PairWalk {
  const Bvh& a;
  const Bvh& b;
  const Pose& X_AB;
  Mat3 abs_R;
  Visit& visit;

  const Bvh::Node& node_a(std::int32_t i) const { return a.nodes()[static_cast<std::size_t>(i)]; }
  const Bvh::Node& node_b(std::int32_t i) const { return b.nodes()[static_cast<std::size_t>(i)]; }

  void nodes(std::int32_t ia, std::int32_t ib) const {
    const Bvh::Node& nb = node_b(ib);
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      if (nb.lower[0][lane] > nb.upper[0][lane]) continue;
      node_with_child(ia, moved_box(X_AB, abs_R, child_box(nb, lane)), nb, lane);
    }
  }

  /// Node of A against one child of B, whose box in A is given.
  void node_with_child(std::int32_t ia, const Aabb& box, const Bvh::Node& nb,
                       std::size_t lane_b) const {
    const Bvh::Node& na = node_a(ia);
    const bool leaf_b = nb.count[lane_b] > 0;
    for (unsigned bits = QueryBox(box).touched(na); bits != 0; bits &= bits - 1) {
      const auto lane_a = static_cast<std::size_t>(std::countr_zero(bits));
      const bool leaf_a = na.count[lane_a] > 0;
      if (leaf_a && leaf_b) {
        leaves(na, lane_a, nb, lane_b);
      } else if (leaf_a) {
        leaf_with_node(na, lane_a, nb.child[lane_b]);
      } else if (leaf_b) {
        node_with_child(na.child[lane_a], box, nb, lane_b);
      } else {
        nodes(na.child[lane_a], nb.child[lane_b]);
      }
    }
  }

  void leaf_with_node(const Bvh::Node& na, std::size_t lane_a, std::int32_t ib) const {
    const Bvh::Node& nb = node_b(ib);
    const Aabb box_a = child_box(na, lane_a);
    for (std::size_t lane = 0; lane < Bvh::kWidth; ++lane) {
      if (nb.lower[0][lane] > nb.upper[0][lane]) continue;
      if (!box_a.overlaps(moved_box(X_AB, abs_R, child_box(nb, lane)))) continue;
      if (nb.count[lane] > 0) {
        leaves(na, lane_a, nb, lane);
      } else {
        leaf_with_node(na, lane_a, nb.child[lane]);
      }
    }
  }

  void leaves(const Bvh::Node& na, std::size_t lane_a, const Bvh::Node& nb,
              std::size_t lane_b) const {
    const auto first_a = static_cast<std::size_t>(na.child[lane_a]);
    const auto first_b = static_cast<std::size_t>(nb.child[lane_b]);
    for (const std::int32_t pa : a.order().subspan(first_a, na.count[lane_a])) {
      for (const std::int32_t pb : b.order().subspan(first_b, nb.count[lane_b])) visit(pa, pb);
    }
  }
};

}  // namespace detail

/// Calls visit(primitive of a, primitive of b) for all pairs whose boxes might touch when B, the frame
/// of tree b, stands at X_AB in the frame of tree a; each pair at most once. Allocates nothing.
template <class Visit>
void overlapping_pairs(const Bvh& a, const Bvh& b, const Pose& X_AB, Visit&& visit) {
  if (a.size() == 0 || b.size() == 0) return;
  // Rounding of the rotation must not lose a pair that just touches.
  const Mat3 abs_R = X_AB.R.cwiseAbs() + Mat3::Constant(1e-12);
  detail::PairWalk<std::remove_reference_t<Visit>>{a, b, X_AB, abs_R, visit}.nodes(0, 0);
}

}  // namespace grouser::internal
