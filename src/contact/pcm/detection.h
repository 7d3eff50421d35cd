#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/pcm/base_surface.h"
#include "contact/pcm/target_surface.h"

namespace grouser {

/// Which mesh's frame the lines are cast in. The other one is moved there; results differ by rounding only.
enum class DetectionFrame { base, target };

/// What a detection took.
struct DetectionCount {
  std::size_t box_tests = 0;  ///< of eight boxes each
  std::size_t ray_tests = 0;  ///< of eight lines each

  DetectionCount& operator+=(const DetectionCount& other) {
    box_tests += other.box_tests;
    ray_tests += other.ray_tests;
    return *this;
  }
};

/// Contact elements, stored with the triangles of the base. Kept from one evaluation to the next, so that
/// none allocates.
class ContactElements {
 public:
  /// None are in contact; makes room for all triangles of a base.
  void begin(const BaseSurface& base);
  /// The lines of a packet that hit the target from inside. Packets may come from several threads, each
  /// packet once; what is found goes to a list of the thread's own.
  void store(const LinePacket& packet, const PacketHits& hits, std::vector<std::int32_t>& found);

  /// Sets the triangles in contact, from such lists.
  void mark(std::span<const std::int32_t> found);
  /// Puts them in order.
  void finish();

  std::span<const std::int32_t> active() const { return active_; }  ///< base triangles, ascending
  double depth(std::int32_t triangle) const { return depth_[slot(triangle)]; }  ///< if active [m]
  std::int32_t target(std::int32_t triangle) const { return target_[slot(triangle)]; }

 private:
  std::vector<double> depth_;          // per base triangle
  std::vector<std::int32_t> target_;   // per base triangle: what its line hit
  std::vector<std::uint64_t> marked_;  // a bit per base triangle
  std::vector<std::int32_t> active_;
};

/// Work space of one thread.
struct DetectionScratch {
  /// A node of the target's tree, and which of its children are still of interest.
  struct Entry {
    std::int32_t node = 0;
    unsigned children = 0;
  };
  std::vector<Entry> front;
  std::vector<std::int32_t> found;  ///< base triangles in contact, in no order
  DetectionCount count;
};

/// Penetration detection: casts the lines of the base at the target, which stands such that X_TB is the pose
/// of the base in its frame. Both trees are walked together: the base's down to its packets, with the part
/// of the target's tree that each of its boxes touches. Looks at the children of the base's root in
/// `root_children` (by bits) only, so that threads can share a pair; appends to scratch.found.
void detect_penetration(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                        DetectionFrame frame, unsigned root_children, ContactElements& elements,
                        DetectionScratch& scratch);

}  // namespace grouser
