#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contact/pcm/base_surface.h"
#include "contact/pcm/target_surface.h"

namespace grouser::internal {

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

/// Packets of lines with what of the target's tree is near them, found once for a place of the base and
/// good for all places within a margin of it. What is kept does not show: it only spares looking at what is
/// too far to hit.
class NearPackets {
 public:
  /// A node of the target's tree, and which of its children are near.
  struct Entry {
    std::int32_t node = 0;
    unsigned children = 0;
  };
  struct Visit {
    std::int32_t packet = 0;
    std::uint32_t first = 0, last = 0;  ///< entries
  };

  /// Brings the lists up to date for a place of the base, looking at the children of its root in
  /// `root_children` (by bits). The margin follows from how far the base moved since the last call.
  void update(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
              unsigned root_children, DetectionCount& count);

  std::span<const Visit> visits() const { return visits_; }
  std::span<const Entry> entries(const Visit& visit) const {
    return std::span(entries_).subspan(visit.first, visit.last - visit.first);
  }

 private:
  friend class NearWalk;

  const BaseSurface* base_ = nullptr;  // whom the lists are about
  const TargetSurface* target_ = nullptr;
  Pose listed_at_, last_at_;
  double margin_ = 0;  // [m]
  std::vector<Visit> visits_;
  std::vector<Entry> entries_;
  std::vector<Entry> front_;  // while walking
};

/// Work space of one thread for one pair.
struct DetectionScratch {
  NearPackets near;
  std::vector<std::int32_t> found;  ///< base triangles in contact, in no order
  DetectionCount count;
};

/// Penetration detection: casts the lines of the base at the target, which stands such that X_TB is the
/// pose of the base in its frame. Looks at the children of the base's root in `root_children` (by bits)
/// only, so that threads can share a pair; a scratch must always be given the same. Appends to
/// scratch.found.
void detect_penetration(const BaseSurface& base, const TargetSurface& target, const Pose& X_TB,
                        DetectionFrame frame, unsigned root_children, ContactElements& elements,
                        DetectionScratch& scratch);

}  // namespace grouser::internal
