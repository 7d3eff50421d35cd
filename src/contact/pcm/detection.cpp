#include "contact/pcm/detection.h"

#include <bit>

#include "contact/pcm/packet_boxes.h"
#include "contact/pcm/packet_caster.h"

namespace grouser {
namespace {

/// Bits of the children that are leaves: bytes of `count` that are not 0.
unsigned leaves_of(const Bvh::Node& node) {
  constexpr std::uint64_t kLow = 0x7F7F7F7F7F7F7F7F;
  const auto counts = std::bit_cast<std::uint64_t>(node.count);
  const std::uint64_t high = (((counts & kLow) + kLow) | counts) & ~kLow;
  // Brings bit 7 of byte i to bit 56 + i.
  return static_cast<unsigned>((high >> 7) * 0x0102040810204080 >> 56);
}

class Walk {
 public:
  Walk(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB, DetectionFrame frame,
       ContactElements& elements, DetectionScratch& scratch)
      : base_(base),
        target_(target),
        frames_(X_TB, frame),
        mover_(X_TB, base.tree().bounds()),
        elements_(elements),
        scratch_(scratch) {}

  void run(unsigned root_children) {
    const Bvh::Node& root = target_.tree().nodes()[0];
    scratch_.front.assign(1, {.node = 0, .children = children_of(root)});
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
        if (!touches(box, first, last)) continue;
        cast_packet(base_.packets()[slot(base_.tree().order()[slot(node.child[lane])])], first,
                    last);
        continue;
      }
      narrow(box, first, last);
      const std::size_t end = scratch_.front.size();
      if (end > last) enter(node.child[lane], ~0U, last, end);
      scratch_.front.resize(last);
    }
  }

  /// Whether a box touches anything of the front's [first, last).
  bool touches(const QueryBox& box, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const DetectionScratch::Entry& entry = scratch_.front[i];
      ++scratch_.count.box_tests;
      if ((box.touched(target_node(entry.node)) & entry.children) != 0) return true;
    }
    return false;
  }

  /// Appends to the front what a box touches of [first, last), one level further down.
  void narrow(const QueryBox& box, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const DetectionScratch::Entry entry = scratch_.front[i];
      const Bvh::Node& node = target_node(entry.node);
      ++scratch_.count.box_tests;
      const unsigned touched = box.touched(node) & entry.children, leaves = leaves_of(node);
      if ((touched & leaves) != 0) scratch_.front.push_back({entry.node, touched & leaves});
      for (unsigned bits = touched & ~leaves; bits != 0; bits &= bits - 1) {
        const std::int32_t child = node.child[static_cast<std::size_t>(std::countr_zero(bits))];
        ++scratch_.count.box_tests;
        const unsigned below = box.touched(target_node(child));
        if (below != 0) scratch_.front.push_back({child, below});
      }
    }
  }

  /// A packet against what its box touches.
  void cast_packet(const LinePacket& packet, std::size_t first, std::size_t last) {
    PacketCaster caster(frames_, packet, base_.max_penetration());
    const QueryBox box =
        box_of_lines(caster.origin(), caster.direction(), base_.max_penetration(), mover_.margin());
    for (std::size_t i = first; i < last; ++i) {
      descend(box, scratch_.front[i], [&](std::size_t k) {
        ++scratch_.count.ray_tests;
        caster.test(target_.triangles()[k], target_.tree().order()[k]);
      });
    }
    elements_.store(packet, caster.hits(), scratch_.found);
  }

  /// Calls visit(k) for the triangles below an entry whose boxes the box touches.
  template <class Visit>
  void descend(const QueryBox& box, const DetectionScratch::Entry& entry, Visit&& visit) {
    const Bvh::Node& node = target_node(entry.node);
    ++scratch_.count.box_tests;
    for (unsigned bits = box.touched(node) & entry.children; bits != 0; bits &= bits - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
      if (node.count[lane] == 0) {
        descend(box, {.node = node.child[lane], .children = ~0U}, visit);
        continue;
      }
      for (std::size_t k = 0; k < node.count[lane]; ++k) visit(slot(node.child[lane]) + k);
    }
  }

  const BaseSurface& base_;
  const TargetSurface& target_;
  CastFrames frames_;
  BoxMover mover_;
  ContactElements& elements_;
  DetectionScratch& scratch_;
};

}  // namespace

void detect_penetration(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                        DetectionFrame frame, unsigned root_children, ContactElements& elements,
                        DetectionScratch& scratch) {
  if (base.packets().empty() || target.triangles().empty()) return;
  Walk(base, target, X_TB, frame, elements, scratch).run(root_children);
}

}  // namespace grouser
