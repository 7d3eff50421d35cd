#include <bit>
#include <limits>
#include <numbers>

#include "contact/pcm/detection.h"
#include "contact/pcm/packet_boxes.h"

namespace grouser::internal {
namespace {

/// Lists are made to last for so many evaluations, if the base goes on moving as fast.
constexpr double kEvaluations = 16;

/// Bits of the children that are leaves: bytes of `count` that are not 0.
unsigned leaves_of(const Bvh::Node& node) {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
  const auto counts = std::bit_cast<std::uint64_t>(node.count);
  const std::uint64_t high = (((counts & kLow) + kLow) | counts) & ~kLow;
  // Brings bit 7 of byte i to bit 56 + i.
  return static_cast<unsigned>((high >> 7) * 0x0102040810204080 >> 56);
}

/// How far a point of a box moves at most from one place to another [m].
double way_between(const Pose& from, const Pose& to, const Aabb& box) {
  const Vec3 centre = box.centre();
  // A turn moves a point by no more than |R - R'| times its distance, Frobenius' norm being √2 times that.
  const double turn = (to.R - from.R).norm() * std::numbers::sqrt2 / 2;
  return (to * centre - from * centre).norm() + turn * 0.5 * box.size().norm();
}

}  // namespace

/// Walks both trees together: the base's down to its packets, with the part of the target's that each of
/// its boxes touches.
class NearWalk {
 public:
  NearWalk(const Pose& X_TB, NearPackets& lists, DetectionCount& count)
      : base_(*lists.base_),
        target_(*lists.target_),
        mover_(X_TB, base_.tree().bounds(), lists.margin_),
        lists_(lists),
        front_(lists.front_),
        count_(count) {}

  void run(unsigned root_children) {
    front_.assign(1, {.node = 0, .children = children_of(target_.tree().nodes()[0])});
    enter(0, root_children, 0, 1);
  }

 private:
  const Bvh::Node& target_node(std::int32_t i) const { return target_.tree().nodes()[slot(i)]; }

  /// Children of a node of the base against what the node itself touches: the front's [first, last).
  void enter(std::int32_t index, unsigned children, std::size_t first, std::size_t last) {
    const Bvh::Node& node = base_.tree().nodes()[slot(index)];
    const MovedBoxes boxes = mover_(node);
    for (unsigned bits = children & children_of(node); bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      const QueryBox box = boxes.lane(lane);
      if (node.count[lane] > 0) {
        list(base_.tree().order()[slot(node.child[lane])], box, first, last);
        continue;
      }
      narrow(box, first, last);
      const std::size_t end = front_.size();
      if (end > last) enter(node.child[lane], ~0U, last, end);
      front_.resize(last);
    }
  }

  /// Appends to the front what a box touches of [first, last), one level further down.
  void narrow(const QueryBox& box, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const NearPackets::Entry entry = front_[i];
      const Bvh::Node& node = target_node(entry.node);
      ++count_.box_tests;
      const unsigned touched = box.touched(node) & entry.children, leaves = leaves_of(node);
      if ((touched & leaves) != 0) front_.push_back({entry.node, touched & leaves});
      for (unsigned bits = touched & ~leaves; bits != 0; bits &= bits - 1) {
        const std::int32_t child = node.child[static_cast<std::size_t>(std::countr_zero(bits))];
        ++count_.box_tests;
        const unsigned below = box.touched(target_node(child));
        if (below != 0) front_.push_back({child, below});
      }
    }
  }

  /// Keeps a packet with what its box touches of [first, last).
  void list(std::int32_t packet, const QueryBox& box, std::size_t first, std::size_t last) {
    const std::size_t begin = lists_.entries_.size();
    for (std::size_t i = first; i < last; ++i) {
      const NearPackets::Entry& entry = front_[i];
      ++count_.box_tests;
      const unsigned touched = box.touched(target_node(entry.node)) & entry.children;
      if (touched != 0) lists_.entries_.push_back({entry.node, touched});
    }
    const std::size_t end = lists_.entries_.size();
    if (end == begin) return;
    lists_.visits_.push_back(
        {packet, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)});
  }

  const BaseSurface& base_;
  const TargetSurface& target_;
  BoxMover mover_;
  NearPackets& lists_;
  std::vector<NearPackets::Entry>& front_;
  DetectionCount& count_;
};

void NearPackets::update(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                         unsigned root_children, DetectionCount& count) {
  const Aabb box = base.tree().bounds();
  const bool is_known = base_ == &base && target_ == &target;
  const double step =
      is_known ? way_between(last_at_, X_TB, box) : std::numeric_limits<double>::infinity();
  last_at_ = X_TB;
  if (is_known && way_between(listed_at_, X_TB, box) <= margin_) return;
  base_ = &base;
  target_ = &target;
  listed_at_ = X_TB;
  // Wider lists than lines are long cost more than they spare.
  margin_ = kEvaluations * step <= base.max_penetration() ? kEvaluations * step : 0;
  visits_.clear();
  entries_.clear();
  NearWalk(X_TB, *this, count).run(root_children);
}

}  // namespace grouser::internal
