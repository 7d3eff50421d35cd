#pragma once

#include <vector>

#include "collision/broad_phase.h"
#include "collision/patch.h"
#include "core/parallel.h"

namespace grouser::internal {

/// How a pair of parts overlaps; a work space that is used again and again.
struct Overlap {
  bool is_on_ground = false;
  ContactPatch patch;      ///< of two parts
  TerrainContact terrain;  ///< of a part and the ground

  /// `visit(p, normal, depth, share)` of each point: half way between both surfaces in W [m], unit out of b into a,
  /// > 0 [m], the part of a law's force that acts there [-].
  template <class Visit>
  void each_point(Visit&& visit) const {
    if (is_on_ground) {
      for (const TerrainPoint& point : terrain.points) {
        visit(point.p, point.normal, point.depth, point.share);
      }
    } else {
      for (const PatchPoint& point : patch.points()) {
        visit(point.p, patch.normal, point.depth, point.share);
      }
    }
  }
};

/// The narrow phase: whether the parts of a candidate overlap, and if so how.
bool find_overlap(const CollisionScene& scene, const BroadPhase& broad_phase,
                  const Candidate& candidate, const NarrowPhaseOptions& options, Overlap& overlap);

/// Candidates one by one, in parallel; what is found of them in their order. A `Contact` has a `pair` and a span of
/// `points`. Grows to what was ever found and allocates no more then.
template <class Contact, class Point>
class CandidateLoop {
 public:
  /// `start(pair)` at the first pair of a chunk gives what is then called with each candidate of it, as
  /// `(candidate, overlap, contact, points)`: it adds points, if there are any, and fills the contact.
  template <class Start>
  void run(std::span<const Candidate> candidates, const Start& start) {
    const std::size_t chunks = (candidates.size() + kGrain - 1) / kGrain;
    if (chunks_.size() < chunks) chunks_.resize(chunks);
    slots_.resize(candidates.size());
    parallel_for(candidates.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      Chunk& chunk = chunks_[begin / kGrain];
      chunk.points.clear();
      auto work = start(candidates[begin].pair);
      for (std::size_t c = begin; c < end; ++c) {
        Slot& slot = slots_[c];
        slot.contact.pair = candidates[c].pair;
        slot.first = chunk.points.size();
        work(candidates[c], chunk.overlap, slot.contact, chunk.points);
        slot.count = chunk.points.size() - slot.first;
      }
    });
  }

  /// Those that have points, with these. Valid until the next run.
  void gather(std::vector<Contact>& contacts) const {
    contacts.clear();
    for (std::size_t c = 0; c < slots_.size(); ++c) {
      const Slot& slot = slots_[c];
      if (slot.count == 0) continue;
      contacts.push_back(slot.contact);
      contacts.back().points = {chunks_[c / kGrain].points.data() + slot.first, slot.count};
    }
  }

 private:
  // Candidates per chunk: some 20 µs of work, which is worth a thread.
  static constexpr std::size_t kGrain = 32;

  struct Chunk {
    Overlap overlap;
    std::vector<Point> points;
  };
  struct Slot {
    Contact contact;
    std::size_t first = 0, count = 0;  // points in the chunk; none: not touching
  };
  std::vector<Chunk> chunks_;
  std::vector<Slot> slots_;  // per candidate
};

/// A point at which two parts overlap.
struct OverlapPoint {
  Vec3 p = Vec3::Zero();        ///< half way between both surfaces, in W [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of b into a
  double depth = 0;             ///< [m], > 0
};

/// Two parts that overlap.
struct OverlappingPair {
  PartPair pair;
  Vec3 normal = Vec3::UnitZ();  ///< of the deepest point
  double depth = 0;             ///< of the deepest point [m], > 0
  std::span<const OverlapPoint> points;
};

/// Finds where bodies overlap, by their poses alone.
class OverlapFinder {
 public:
  explicit OverlapFinder(const CollisionScene& scene) : broad_phase_(scene) {}

  /// Poses of all colliders in W (those of fixed ones are not read). Sorted by pair; valid until the next call. The same
  /// bits for any number of threads.
  std::span<const OverlappingPair> find(const CollisionScene& scene, std::span<const Pose> X_WE,
                                        const NarrowPhaseOptions& options = {});

 private:
  BroadPhase broad_phase_;
  CandidateLoop<OverlappingPair, OverlapPoint> loop_;
  std::vector<OverlappingPair> found_;
};

}  // namespace grouser::internal
