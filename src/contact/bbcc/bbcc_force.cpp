#include "contact/bbcc/bbcc_force.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "contact/bbcc/point3.h"
#include "core/index.h"
#include "core/parallel.h"

namespace grouser {
namespace {

// Candidates per chunk: some 20 µs of work, which is worth a thread.
constexpr std::size_t kGrain = 32;

const Twist kStill;

/// As an assignment, but not by way of memory.
void put(const Point3& from, Vec3& to) {
  to.x() = from.x;
  to.y() = from.y;
  to.z() = from.z;
}

/// What the points of a pair add up to.
struct Sum {
  Point3 force{0, 0, 0}, torque{0, 0, 0};  // on a, about its element's origin
  double closing = -std::numeric_limits<double>::infinity();
  double depth = 0;
  Point3 normal{0, 0, 1};  // of the deepest point
};

/// How two parts press on each other.
struct Pair {
  const MaterialPair& materials;
  double root_radius, stiffness;  // √R [m^0.5], k [N/m^1.5]
  double impact_speed;            // of the memory [m/s]
  Point3 origin_a, origin_b;      // of the elements in W [m]
  Point3 v, w;                    // of a against b, at a's origin

  Pair(const MaterialPair& both, double radius, double remembered, const Point3& a, const Point3& b,
       const Twist& V_WA, const Twist& V_WB)
      : materials(both),
        root_radius(std::sqrt(radius)),
        stiffness(hertz_stiffness(both.modulus, radius)),
        impact_speed(remembered),
        origin_a(a),
        origin_b(b),
        v(Point3(V_WA.linear) - Point3(V_WB.linear) - cross(V_WB.angular, a - b)),
        w(Point3(V_WA.angular) - Point3(V_WB.angular)) {}

  void add(const Point3& p, const Point3& normal, double depth, double share, Sum& sum,
           std::vector<ContactPoint>& points) const {
    const Point3 arm = p - origin_a, slip = v + cross(w, arm);
    const double closing = -dot(normal, slip);
    const double damping = damping_factor(materials.dissipation_number, closing, impact_speed);
    const double load = share * hunt_crossley_force(stiffness, depth, damping);

    const FrictionLaw& friction = materials.friction;
    const Point3 sliding = slip + closing * normal;
    const double drag = load * friction.tangential_over_speed(norm(sliding));
    const Point3 force = load * normal - drag * sliding;
    const double spin = dot(normal, w), disc = root_radius * std::sqrt(depth);
    const double twist = -std::copysign(load * friction.spin_torque(std::abs(spin), disc), spin);

    sum.force = sum.force + force;
    sum.torque = sum.torque + cross(arm, force) + twist * normal;
    sum.closing = std::max(sum.closing, closing);
    if (depth > sum.depth) {
      sum.depth = depth;
      sum.normal = normal;
    }
    points.push_back({.p = p, .normal = normal, .depth = depth, .force = force});
  }

  void finish(const Sum& sum, BbccContact& contact) const {
    const Point3 at_b = sum.torque + cross(origin_a - origin_b, sum.force);
    put(sum.normal, contact.normal);
    contact.depth = sum.depth;
    contact.closing_speed = sum.closing;
    put(sum.torque, contact.wrench.torque);
    put(sum.force, contact.wrench.force);
    put(-at_b, contact.reaction.torque);
    put(-sum.force, contact.reaction.force);
  }
};

/// All that an evaluation reads.
struct Input {
  const BbccScene& scene;
  std::span<const Pose> X_WE;
  std::span<const Twist> V_WE;
  const BroadPhase& broad_phase;

  const Vec3& origin(int e) const {
    const ContactElement& element = scene.elements()[at(e)];
    return element.body == ContactElement::kFixed ? element.X_BE.p : X_WE[at(e)].p;
  }
  const Twist& twist(int e) const {
    return scene.elements()[at(e)].body == ContactElement::kFixed ? kStill : V_WE[at(e)];
  }
};

void evaluate_terrain(const Input& in, const Candidate& candidate, double impact_speed,
                      BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  const BbccScene& scene = in.scene;
  const PartPair& pair = candidate.pair;
  const int part = scene.first_part(pair.a) + pair.i;
  const int terrain = pair.b - static_cast<int>(scene.elements().size());
  if (!scene.terrain_shape(part, terrain)
           .find(in.broad_phase.X_WC(part), *scene.terrains()[at(terrain)].map, candidate.ceiling,
                 chunk.terrain)) {
    return;
  }
  const MaterialPair& materials = scene.materials(pair.a, pair.b);
  const double radius = effective_radius(scene.options().laws, scene.parts()[at(part)].radius);
  const Pair forces(materials, radius, impact_speed, in.origin(pair.a), {0, 0, 0}, in.twist(pair.a),
                    kStill);
  Sum sum;
  for (const TerrainPoint& point : chunk.terrain.points) {
    forces.add(point.p, point.normal, point.depth, point.share, sum, chunk.points);
  }
  forces.finish(sum, slot.contact);
}

void evaluate_parts(const Input& in, const Candidate& candidate, double impact_speed,
                    BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  const BbccScene& scene = in.scene;
  const PartPair& pair = candidate.pair;
  const int part_a = scene.first_part(pair.a) + pair.i, part_b = scene.first_part(pair.b) + pair.j;
  const auto shape = [&](int element, int part) -> const Convex& {
    return scene.elements()[at(element)].parts[at(part)].shape;
  };
  ContactPatch& patch = chunk.patch;
  if (!find_patch(shape(pair.a, pair.i), in.broad_phase.X_WC(part_a), shape(pair.b, pair.j),
                  in.broad_phase.X_WC(part_b), {.single_point = scene.options().single_point},
                  patch)) {
    return;
  }
  const MaterialPair& materials = scene.materials(pair.a, pair.b);
  const double radius = effective_radius(scene.options().laws, scene.parts()[at(part_a)].radius,
                                         scene.parts()[at(part_b)].radius);
  const Pair forces(materials, radius, impact_speed, in.origin(pair.a), in.origin(pair.b),
                    in.twist(pair.a), in.twist(pair.b));
  const Point3 normal = patch.normal;
  Sum sum;
  for (const PatchPoint& point : patch.points()) {
    forces.add(point.p, normal, point.depth, point.share, sum, chunk.points);
  }
  forces.finish(sum, slot.contact);
}

void evaluate(const Input& in, const Candidate& candidate, double impact_speed,
              BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  slot.contact.pair = candidate.pair;
  slot.first = chunk.points.size();
  if (at(candidate.pair.b) < in.scene.elements().size()) {
    evaluate_parts(in, candidate, impact_speed, chunk, slot);
  } else {
    evaluate_terrain(in, candidate, impact_speed, chunk, slot);
  }
  slot.count = chunk.points.size() - slot.first;
}

/// Gathers the slots in order.
void add_up(const BbccScene& scene, BbccScratch& scratch) {
  BbccForce& force = scratch.force;
  std::ranges::fill(force.wrenches, Wrench{});
  force.contacts.clear();
  for (std::size_t c = 0; c < scratch.slots.size(); ++c) {
    const BbccScratch::Slot& slot = scratch.slots[c];
    if (slot.count == 0) continue;
    force.contacts.push_back(slot.contact);
    BbccContact& contact = force.contacts.back();
    contact.points = {scratch.chunks[c / kGrain].points.data() + slot.first, slot.count};
    force.wrenches[at(contact.pair.a)] += contact.wrench;
    if (at(contact.pair.b) < scene.elements().size()) {
      force.wrenches[at(contact.pair.b)] += contact.reaction;
    }
  }
}

}  // namespace

BbccScratch::BbccScratch(const BbccScene& scene) : broad_phase(scene) {
  force.wrenches.resize(scene.elements().size());
}

const BbccForce& bbcc_force(const BbccScene& scene, std::span<const Pose> X_WE,
                            std::span<const Twist> V_WE, const BbccState& state,
                            BbccScratch& scratch) {
  assert(X_WE.size() == scene.elements().size() && V_WE.size() == X_WE.size());
  const std::span<const Candidate> candidates = scratch.broad_phase.find(scene, X_WE);
  const std::size_t chunks = (candidates.size() + kGrain - 1) / kGrain;
  if (scratch.chunks.size() < chunks) scratch.chunks.resize(chunks);
  scratch.slots.resize(candidates.size());
  const Input in{scene, X_WE, V_WE, scratch.broad_phase};
  parallel_for(candidates.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    BbccScratch::Chunk& chunk = scratch.chunks[begin / kGrain];
    ImpactSpeeds speeds(state, candidates[begin].pair);
    chunk.points.clear();
    for (std::size_t c = begin; c < end; ++c) {
      evaluate(in, candidates[c], speeds.of(candidates[c].pair), chunk, scratch.slots[c]);
    }
  });
  scratch.force.candidates = candidates.size();
  add_up(scene, scratch);
  return scratch.force;
}

bool bbcc_touch(const BbccState& state, BbccScratch& scratch) {
  scratch.touches.clear();
  ImpactSpeeds speeds(state, PartPair{});
  for (const BbccContact& contact : scratch.force.contacts) {
    const double before = speeds.of(contact.pair);
    scratch.touches.push_back(
        {.pair = contact.pair, .impact_speed = std::max(before, contact.closing_speed)});
  }
  return scratch.touches != state.touches;
}

bool bbcc_commit(BbccScratch& scratch, BbccState& state) {
  if (!bbcc_touch(state, scratch)) return false;
  std::swap(scratch.touches, state.touches);
  return true;
}

}  // namespace grouser
