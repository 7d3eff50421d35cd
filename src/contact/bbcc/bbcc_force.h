#pragma once

#include <span>
#include <vector>

#include "collision/overlap.h"
#include "contact/bbcc/bbcc_scene.h"
#include "contact/bbcc/bbcc_state.h"

namespace grouser::internal {

/// A point at which two parts press on each other.
struct ContactPoint {
  Vec3 p = Vec3::Zero();        ///< in W [m]
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of b into a
  double depth = 0;             ///< [m], > 0
  Vec3 force = Vec3::Zero();    ///< on a [N]
};

/// Two parts in contact.
struct BbccContact {
  PartPair pair;
  Vec3 normal = Vec3::UnitZ();  ///< unit, out of b into a; of the deepest point
  double depth = 0;             ///< of the deepest point [m], > 0
  double closing_speed = 0;     ///< largest of its points, positive closing [m/s]
  Wrench wrench;                ///< on a, at the origin of its element, axes of W
  Wrench reaction;  ///< on b, at the origin of its element (at W's if terrain), axes of W
  std::span<const ContactPoint> points;
};

/// What contact does to the elements. Valid until the next evaluation in the same scratch.
struct BbccForce {
  std::vector<Wrench> wrenches;       ///< per element, at its origin, axes of W
  std::vector<BbccContact> contacts;  ///< parts in contact, sorted by pair
  std::size_t candidates = 0;         ///< pairs of parts that passed the broad phase
};

/// Work space for bbcc_force(); one per thread that evaluates. Grows to what was ever in contact and
/// allocates no more then.
struct BbccScratch {
  explicit BbccScratch(const BbccScene& scene);

  BroadPhase broad_phase;
  CandidateLoop<BbccContact, ContactPoint> loop;
  BbccForce force;
  std::vector<BbccTouch> touches;
};

/// Forces of all contacts at given poses and twists of the elements (of their origins, axes of W; those of
/// fixed elements are not read). Pure in the memory: any trial state, any number of times. Pairs are
/// evaluated in parallel and summed in order: the same bits for any number of threads.
///
/// At each point of a patch acts its share of k δ^1.5 (1 + d δ̇)₊ along the normal, friction against the
/// sliding there, and a torque against spin about the normal: equations (1) to (6) of BBCC, see
/// laws/hunt_crossley.h and laws/friction.h. A pair without memory (a first touch inside a step) is damped
/// as if its present closing speed were that of the impact.
const BbccForce& bbcc_force(const BbccScene& scene, std::span<const Pose> X_WE,
                            std::span<const Twist> V_WE, const BbccState& state,
                            BbccScratch& scratch);

/// After bbcc_force(): leaves in BbccScratch::touches what a commit would remember. Returns whether that is new.
bool bbcc_touch(const BbccState& state, BbccScratch& scratch);

/// After bbcc_force() at an accepted step: parts that touch remember the largest speed at which they
/// closed, parts that do not are forgotten. The only writer of the state. Returns whether it changed.
bool bbcc_commit(BbccScratch& scratch, BbccState& state);

}  // namespace grouser::internal
