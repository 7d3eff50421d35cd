#include "contact/bbcc/bbcc_force.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace grouser {
namespace {

// Candidates per chunk: some 20 µs of work, which is worth a thread.
constexpr std::size_t kGrain = 32;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// One pair of parts while its points are added up.
struct Pair {
  const MaterialPair& materials;
  double stiffness, radius;  // k [N/m^1.5], R [m]
  double impact_speed;       // of the memory [m/s]
  Vec3 origin_a, origin_b;   // of the elements in W [m]
  Twist V_WA, V_WB;

  /// Adds a point to the contact, and to the points.
  void add(const Vec3& p, const Vec3& normal, double depth, double share, BbccContact& contact,
           std::vector<ContactPoint>& points) const {
    const Vec3 arm_a = p - origin_a, arm_b = p - origin_b;
    const Vec3 v = V_WA.shifted(arm_a).linear - V_WB.shifted(arm_b).linear;
    const double closing = -normal.dot(v);
    const double damping = damping_factor(materials.dissipation_number, closing, impact_speed);
    const double load = share * hunt_crossley_force(stiffness, depth, damping);

    const FrictionLaw& friction = materials.friction;
    const Vec3 sliding = v + closing * normal;
    const Vec3 force =
        load * normal - load * friction.tangential_over_speed(sliding.norm()) * sliding;
    const double spin = normal.dot(V_WA.angular - V_WB.angular);
    const double disc = std::sqrt(radius * depth);
    const Vec3 torque =
        -std::copysign(load * friction.spin_torque(std::abs(spin), disc), spin) * normal;

    contact.wrench += {arm_a.cross(force) + torque, force};
    contact.reaction += {-arm_b.cross(force) - torque, -force};
    contact.closing_speed = std::max(contact.closing_speed, closing);
    if (depth > contact.depth) {
      contact.depth = depth;
      contact.normal = normal;
    }
    points.push_back({.p = p, .normal = normal, .depth = depth, .force = force});
  }
};

/// All that an evaluation reads.
struct Input {
  const BbccScene& scene;
  std::span<const Pose> X_WE;
  std::span<const Twist> V_WE;
  const BroadPhase& broad_phase;

  Pose pose(int e) const {
    const ContactElement& element = scene.elements()[index(e)];
    return element.body == ContactElement::kFixed ? element.X_BE : X_WE[index(e)];
  }
  Twist twist(int e) const {
    return scene.elements()[index(e)].body == ContactElement::kFixed ? Twist{} : V_WE[index(e)];
  }
};

void evaluate_terrain(const Input& in, const Candidate& candidate, double impact_speed,
                      BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  const BbccScene& scene = in.scene;
  const PartPair& pair = candidate.pair;
  const int part = scene.first_part(pair.a) + pair.i;
  const int terrain = pair.b - static_cast<int>(scene.elements().size());
  if (!scene.terrain_shape(part, terrain)
           .find(in.broad_phase.X_WC(part), *scene.terrains()[index(terrain)].map,
                 candidate.ceiling, chunk.terrain)) {
    return;
  }
  const MaterialPair& materials = scene.materials(pair.a, pair.b);
  const double radius = effective_radius(scene.options().laws, scene.parts()[index(part)].radius);
  const Pair forces{.materials = materials,
                    .stiffness = hertz_stiffness(materials.modulus, radius),
                    .radius = radius,
                    .impact_speed = impact_speed,
                    .origin_a = in.pose(pair.a).p,
                    .origin_b = Vec3::Zero(),
                    .V_WA = in.twist(pair.a),
                    .V_WB = {}};
  for (const TerrainPoint& point : chunk.terrain.points) {
    forces.add(point.p, point.normal, point.depth, point.share, slot.contact, chunk.points);
  }
}

void evaluate_parts(const Input& in, const Candidate& candidate, double impact_speed,
                    BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  const BbccScene& scene = in.scene;
  const PartPair& pair = candidate.pair;
  const int part_a = scene.first_part(pair.a) + pair.i, part_b = scene.first_part(pair.b) + pair.j;
  const auto shape = [&](int element, int part) -> const Convex& {
    return scene.elements()[index(element)].parts[index(part)].shape;
  };
  ContactPatch& patch = chunk.patch;
  if (!find_patch(shape(pair.a, pair.i), in.broad_phase.X_WC(part_a), shape(pair.b, pair.j),
                  in.broad_phase.X_WC(part_b), {.single_point = scene.options().single_point},
                  patch)) {
    return;
  }
  const MaterialPair& materials = scene.materials(pair.a, pair.b);
  const double radius = effective_radius(scene.options().laws, scene.parts()[index(part_a)].radius,
                                         scene.parts()[index(part_b)].radius);
  const Pair forces{.materials = materials,
                    .stiffness = hertz_stiffness(materials.modulus, radius),
                    .radius = radius,
                    .impact_speed = impact_speed,
                    .origin_a = in.pose(pair.a).p,
                    .origin_b = in.pose(pair.b).p,
                    .V_WA = in.twist(pair.a),
                    .V_WB = in.twist(pair.b)};
  for (const PatchPoint& point : patch.points()) {
    forces.add(point.p, patch.normal, point.depth, point.share, slot.contact, chunk.points);
  }
}

void evaluate(const Input& in, const Candidate& candidate, double impact_speed,
              BbccScratch::Chunk& chunk, BbccScratch::Slot& slot) {
  slot.contact = {.pair = candidate.pair,
                  .closing_speed = -std::numeric_limits<double>::infinity()};
  slot.first = chunk.points.size();
  if (index(candidate.pair.b) < in.scene.elements().size()) {
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
    force.wrenches[index(contact.pair.a)] += contact.wrench;
    if (index(contact.pair.b) < scene.elements().size()) {
      force.wrenches[index(contact.pair.b)] += contact.reaction;
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

bool bbcc_commit(BbccScratch& scratch, BbccState& state) {
  scratch.touches.clear();
  ImpactSpeeds speeds(state, PartPair{});
  for (const BbccContact& contact : scratch.force.contacts) {
    const double before = speeds.of(contact.pair);
    scratch.touches.push_back(
        {.pair = contact.pair, .impact_speed = std::max(before, contact.closing_speed)});
  }
  if (scratch.touches == state.touches) return false;
  std::swap(scratch.touches, state.touches);
  return true;
}

}  // namespace grouser
