#include <bit>

#include "contact/pcm/detection.h"

namespace grouser::internal {

void ContactElements::begin(const BaseSurface& base) {
  const std::size_t count = base.elements().size();
  active_.clear();
  if (depth_.size() >= count) return;
  depth_.resize(count);
  target_.resize(count);
  marked_.resize((count + 63) / 64);
  active_.reserve(count);
}

void ContactElements::store(const LinePacket& packet, const PacketHits& hits,
                            std::vector<std::int32_t>& found) {
  for (unsigned bits = hits.active() & packet.lanes; bits != 0; bits &= bits - 1) {
    const int lane = std::countr_zero(bits);
    const std::int32_t triangle = packet.triangle[static_cast<std::size_t>(lane)];
    depth_[slot(triangle)] = hits.depth[lane];
    target_[slot(triangle)] = static_cast<std::int32_t>(hits.triangle[lane]);
    found.push_back(triangle);
  }
}

void ContactElements::mark(std::span<const std::int32_t> found) {
  for (const std::int32_t t : found) marked_[slot(t) / 64] |= std::uint64_t{1} << (slot(t) % 64);
}

void ContactElements::finish() {
  for (std::size_t word = 0; word < marked_.size(); ++word) {
    for (std::uint64_t bits = marked_[word]; bits != 0; bits &= bits - 1) {
      active_.push_back(static_cast<std::int32_t>(64 * word) + std::countr_zero(bits));
    }
    marked_[word] = 0;
  }
}

}  // namespace grouser::internal
