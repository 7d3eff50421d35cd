#include "contact/bbcc/bbcc_force.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "collision/point3.h"
#include "core/index.h"

namespace grouser::internal {
namespace {

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

double effective_radius_of(const BbccScene& scene, const PartPair& pair) {
  const ContactLaws laws = scene.options().laws;
  const ContactRadius& a = scene.radius(scene.first_part(pair.a) + pair.i);
  if (at(pair.b) >= scene.elements().size()) return effective_radius(laws, a);
  return effective_radius(laws, a, scene.radius(scene.first_part(pair.b) + pair.j));
}

void evaluate(const Input& in, const Candidate& candidate, double impact_speed, Overlap& overlap,
              BbccContact& contact, std::vector<ContactPoint>& points) {
  const BbccScene& scene = in.scene;
  const PartPair& pair = candidate.pair;
  if (!find_overlap(scene, in.broad_phase, candidate,
                    {.single_point = scene.options().single_point}, overlap)) {
    return;
  }
  const bool on_ground = overlap.is_on_ground;
  const Pair forces(scene.materials(pair.a, pair.b), effective_radius_of(scene, pair), impact_speed,
                    in.origin(pair.a), on_ground ? Point3{0, 0, 0} : Point3(in.origin(pair.b)),
                    in.twist(pair.a), on_ground ? kStill : in.twist(pair.b));
  Sum sum;
  overlap.each_point([&](const Vec3& p, const Vec3& normal, double depth, double share) {
    forces.add(p, normal, depth, share, sum, points);
  });
  forces.finish(sum, contact);
}

void add_up(const BbccScene& scene, BbccForce& force) {
  std::ranges::fill(force.wrenches, Wrench{});
  for (const BbccContact& contact : force.contacts) {
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
  const Input in{scene, X_WE, V_WE, scratch.broad_phase};
  scratch.loop.run(candidates, [&](const PartPair& first) {
    return [&in, speeds = ImpactSpeeds(state, first)](const Candidate& candidate, Overlap& overlap,
                                                      BbccContact& contact,
                                                      std::vector<ContactPoint>& points) mutable {
      evaluate(in, candidate, speeds.of(candidate.pair), overlap, contact, points);
    };
  });
  BbccForce& force = scratch.force;
  force.candidates = candidates.size();
  scratch.loop.gather(force.contacts);
  add_up(scene, force);
  return force;
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

}  // namespace grouser::internal
