#include "collision/terrain_round.h"

#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "math/angle.h"

namespace grouser::internal::terrain_contact {
namespace {

/// Where a sphere or circle lies deepest, along the ground's normal.
struct Lowest {
  Vec3 p = Vec3::Zero();
  double depth = 0;           // vertical, negative above the ground [m]
  Vec2 slope = Vec2::Zero();  // of the ground there
  Vec3 normal =
      Vec3::UnitZ();  // of the contact there: through the centre, so that it does not turn

  /// Vertical depth below the ground's plane at p [m]. For a point of the same sphere or circle never more
  /// than `depth`: a plane that is not touched explains nothing.
  double below_plane(const Vec3& q) const {
    return depth + slope.dot(q.head<2>() - p.head<2>()) + p.z() - q.z();
  }
};

constexpr int kTurns = 3;  // of looking up the normal at the lowest point; a plane needs one

/// Whether a turn moved the lowest point by no more than rounding does.
bool is_found(const Vec3& before, const Vec3& now, double radius) {
  constexpr double kStill = 1e-12;  // of the radius
  return (now - before).squaredNorm() < kStill * kStill * radius * radius;
}

struct Sphere {
  Vec3 centre;
  double radius;

  /// Going down from `start`.
  Lowest lowest(const Ground& ground, const Vec3& start) const {
    Lowest low;
    low.p = start;
    for (int turn = 0; turn < kTurns; ++turn) {
      const Vec3 before = low.p;
      low.normal = ground.normal(before);
      low.p = centre - radius * low.normal;
      if (is_found(before, low.p, radius)) break;
    }
    low.depth = ground.depth(low.p);
    low.slope = ground.slope(low.p);
    return low;
  }

  double lowest_height() const { return centre.z() - radius; }

  /// Calls visit(p) for points at `angle` [rad] from the lowest one; every other ring is turned by half a
  /// piece.
  template <class Visit>
  void ring(const Lowest& low, double angle, bool is_turned, const Visit& visit) const {
    // Ground is never so steep that its normal would lie along x.
    const Vec3 second = low.normal.cross(Vec3::UnitX()).normalized();
    const Vec3 first = second.cross(low.normal);
    constexpr int kAround = 8;
    for (int k = 0; k < kAround; ++k) {
      const double round = 2 * std::numbers::pi * (k + (is_turned ? 0.5 : 0)) / kAround;
      visit(Vec3(centre - radius * std::cos(angle) * low.normal +
                 radius * std::sin(angle) * (std::cos(round) * first + std::sin(round) * second)));
    }
  }
};

struct Circle {
  Vec3 centre;
  double radius;
  const Mat3& R;  // axis: z

  /// Unit, from the centre down the ground's slope at p.
  Vec3 down(const Ground& ground, const Vec3& p) const {
    const Vec3 n = ground.normal(p), axis = R.col(2);
    const Vec3 in_plane = n.dot(axis) * axis - n;
    constexpr double kLevel = 1e-12;  // flat on the ground: any point of it is as low
    return in_plane.norm() > kLevel ? Vec3(in_plane.normalized()) : Vec3(R.col(0));
  }

  Lowest lowest(const Ground& ground, const Vec3& start) const {
    const Vec3 axis = R.col(2);
    Lowest low;
    low.p = start;
    Vec3 outward;
    for (int turn = 0; turn < kTurns; ++turn) {
      const Vec3 before = low.p;
      outward = down(ground, before);
      low.p = centre + radius * outward;
      if (is_found(before, low.p, radius)) break;
    }
    low.depth = ground.depth(low.p);
    low.slope = ground.slope(low.p);
    const double up = Vec3(-low.slope.x(), -low.slope.y(), 1).normalized().dot(axis);
    low.normal = up * axis - std::sqrt(std::max(0.0, 1 - up * up)) * outward;
    return low;
  }

  double lowest_height() const {
    return centre.z() - radius * std::sqrt(std::max(0.0, 1 - R(2, 2) * R(2, 2)));
  }

  template <class Visit>
  void ring(const Lowest& low, double angle, bool, const Visit& visit) const {
    const Vec3 first = (low.p - centre) / radius, second = R.col(2).cross(first);
    for (const double a : {-angle, angle}) {
      visit(Vec3(centre + radius * (std::cos(a) * first + std::sin(a) * second)));
    }
  }
};

/// Walls and bumps beside the lowest point. From places around it the search goes down again: each wall is
/// found exactly, and once, since what lies on a plane that was found before is explained. What is left,
/// edges and spikes, is found by samples.
template <class Round>
void find_beside(const Round& round, const Lowest& low, const Ground& ground,
                 TerrainContact& contact) {
  if (round.lowest_height() >= ground.ceiling) return;
  std::array<Lowest, 17> planes = {low};
  std::size_t count = 1;
  const auto explained = [&](const Vec3& p) {
    double most = 0;
    for (std::size_t k = 0; k < count; ++k) most = std::max(most, planes[k].below_plane(p));
    return most;
  };
  // A place that hangs a fifth of the radius above the ground is not near any wall that is touched: the
  // next place is. Between a tenth and a fifth what it finds is lowered out of reach, continuously.
  const double near = 0.1 * round.radius;
  for (const double angle : {40 * kDegree, 70 * kDegree}) {
    round.ring(low, angle, false, [&](const Vec3& start) {
      if (start.z() >= ground.ceiling + 2 * near) return;
      const double gap = -ground.depth(start);
      if (gap >= 2 * near) return;
      Lowest wall = round.lowest(ground, start);
      wall.depth -= std::clamp(gap / near - 1, 0.0, 1.0) * round.radius;
      const double excess = wall.depth - explained(wall.p);
      if (excess > kLeastExcess) add(wall.p, excess, wall.normal, contact);
      assert(count < planes.size());
      planes[count++] = wall;
    });
  }
  for (int i = 1; i <= 5; ++i) {
    round.ring(low, 15 * i * kDegree, i % 2 == 1, [&](const Vec3& p) {
      if (!ground.is_above(p)) add_sample(ground, p, ground.depth(p), explained(p), contact);
    });
  }
}

/// Spheres or circles along an axis. The two outermost are corners, the others samples. Returns where the
/// outermost are lowest.
template <class RoundAt>
std::array<Lowest, 2> find_along(int stations, const Ground& ground, const RoundAt& round_at,
                                 TerrainContact& contact) {
  const auto lowest_at = [&](int s) {
    const auto round = round_at(static_cast<double>(s) / stations);
    return round.lowest(ground, round.centre);
  };
  const std::array<Lowest, 2> ends = {lowest_at(0), lowest_at(stations)};
  for (int s = 0; s <= stations; ++s) {
    const double t = static_cast<double>(s) / stations;
    const bool is_end = s == 0 || s == stations;
    const auto round = round_at(t);
    if (!is_end && round.lowest_height() >= ground.ceiling) continue;
    const Lowest low = is_end ? ends[s == 0 ? 0 : 1] : lowest_at(s);
    if (is_end) {
      if (low.depth > 0) add(low.p, low.depth, low.normal, contact);
    } else {
      const double excess = low.depth - std::max(0.0, (1 - t) * ends[0].depth + t * ends[1].depth);
      if (excess > kLeastExcess) add(low.p, excess, low.normal, contact);
    }
    find_beside(round, low, ground, contact);
  }
  return ends;
}

/// A cylinder's end, when it stands on it: three more points of the rim, and the middle of the disc.
void add_end(const Circle& rim, const Lowest& low, const Ground& ground, TerrainContact& contact) {
  const Vec3 first = low.p - rim.centre, second = rim.R.col(2).cross(first);
  double sum = low.depth;
  for (const Vec3& arm : {second, Vec3(-first), Vec3(-second)}) {
    const Vec3 p = rim.centre + arm;
    const double depth = ground.depth(p);
    sum += depth;
    if (depth > 0) add(p, depth, ground.normal(p), contact);
  }
  if (ground.is_above(rim.centre)) return;
  add_sample(ground, rim.centre, ground.depth(rim.centre), sum / 4, contact);
}

}  // namespace

void find_sphere(const SphereShape& sphere, const Pose& X, const Ground& ground,
                 TerrainContact& contact) {
  const Sphere round{X.p, sphere.radius};
  const Lowest low = round.lowest(ground, X.p);
  if (low.depth > 0) add(low.p, low.depth, low.normal, contact);
  find_beside(round, low, ground, contact);
}

void find_capsule(const CapsuleShape& capsule, int stations, const Pose& X, const Ground& ground,
                  TerrainContact& contact) {
  const auto round_at = [&](double t) {
    return Sphere{X.p + capsule.length * (t - 0.5) * X.R.col(2), capsule.radius};
  };
  find_along(stations, ground, round_at, contact);
}

void find_cylinder(const CylinderShape& cylinder, int stations, const Pose& X, const Ground& ground,
                   TerrainContact& contact) {
  const auto round_at = [&](double t) {
    return Circle{X.p + cylinder.length * (t - 0.5) * X.R.col(2), cylinder.radius, X.R};
  };
  const std::array<Lowest, 2> ends = find_along(stations, ground, round_at, contact);
  add_end(round_at(0), ends[0], ground, contact);
  add_end(round_at(1), ends[1], ground, contact);
}

}  // namespace grouser::internal::terrain_contact
