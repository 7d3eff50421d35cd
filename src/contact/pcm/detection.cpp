#include "contact/pcm/detection.h"

#include <bit>

#include "contact/pcm/packet_boxes.h"
#include "contact/pcm/packet_caster.h"

namespace grouser::internal {
namespace {

/// Calls visit(k) for the triangles below an entry whose boxes the box touches.
template <class Visit>
void descend(const TargetSurface& target, const QueryBox& box, const NearPackets::Entry& entry,
             DetectionCount& count, Visit&& visit) {
  const Bvh::Node& node = target.tree().nodes()[slot(entry.node)];
  ++count.box_tests;
  for (unsigned bits = box.touched(node) & entry.children; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    if (node.count[lane] == 0) {
      descend(target, box, {.node = node.child[lane], .children = ~0U}, count, visit);
      continue;
    }
    for (std::size_t k = 0; k < node.count[lane]; ++k) visit(slot(node.child[lane]) + k);
  }
}

}  // namespace

void detect_penetration(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                        DetectionFrame frame, unsigned root_children, ContactElements& elements,
                        DetectionScratch& scratch) {
  if (base.packets().empty() || target.triangles().empty()) return;
  scratch.near.update(base, target, X_TB, root_children, scratch.count);
  const CastFrames frames(X_TB, frame);
  const float margin = BoxMover(X_TB, base.tree().bounds(), 0).margin();
  for (const NearPackets::Visit& visit : scratch.near.visits()) {
    const LinePacket& packet = base.packets()[slot(visit.packet)];
    PacketCaster caster(frames, packet, base.max_penetration());
    const QueryBox box =
        box_of_lines(caster.origin(), caster.direction(), base.max_penetration(), margin);
    for (const NearPackets::Entry& entry : scratch.near.entries(visit)) {
      descend(target, box, entry, scratch.count, [&](std::size_t k) {
        ++scratch.count.ray_tests;
        caster.test(target.triangles()[k], target.tree().order()[k]);
      });
    }
    elements.store(packet, caster.hits(), scratch.found);
  }
}

}  // namespace grouser::internal
