#include <algorithm>
#include <array>

#include "contact/bbcc/closed_forms.h"
#include "contact/bbcc/closed_forms_rim.h"

/// Cylinder against cylinder: the least overlap is along an axis, across both, across one of them (side on
/// rim), or where rim meets rim.
namespace grouser {
namespace {

using Meets = LeastOverlap::Meets;

constexpr double kParallel = 1e-9;
// By how much a search for rim on rim starts off a direction at which the overlap has a kink [rad].
constexpr double kPush = 0.002;
// Centres no farther along an axis than this part of the half length may have either end near.
constexpr double kBeside = 0.5;
constexpr int kMostRimSteps = 12;

/// Side of a cylinder along z on the rim of another with the given axis, both ways of looking at a pair.
struct SideOnRim {
  double side_radius, rim_radius, rim_half;
  Vec3 axis;  // of the other
  Vec3 c;     // its centre; the overlap along n has the term c · n, whoever is who
};

/// The direction across z of least overlap, if one between the rim's end and the direction across both axes
/// may fall below `limit`; else false.
bool least_across(const SideOnRim& pair, double limit, Vec3& normal) {
  const Vec2 b = pair.axis.head<2>(), c = pair.c.head<2>();
  const double sine = b.norm();
  const Vec2 e1 = sine > kParallel ? Vec2(b / sine) : Vec2(1, 0), e2(-e1.y(), e1.x());
  const double c1 = c.dot(e1), c2 = c.dot(e2);
  const double s1 = c1 > 0 ? -1 : 1, s2 = c2 > 0 ? -1 : 1;
  const RimEdge f{{pair.rim_half * sine - std::abs(c1), -std::abs(c2)},
                  {sine, 0},
                  pair.rim_radius,
                  pair.side_radius};
  const Vec2 x(1, 0), y(0, 1);
  Vec2 n;
  if (!may_dip(f.gradient(x), f.gradient(y), limit, n)) return false;
  descend(f, x, y, limit, n);
  normal.head<2>() = s1 * n.x() * e1 + s2 * n.y() * e2;
  normal.z() = 0;
  return true;
}

class CylinderPair {
 public:
  CylinderPair(const CylinderShape& A, const CylinderShape& B, const Pose& X)
      : ra_(A.radius),
        rb_(B.radius),
        ha_(0.5 * A.length),
        hb_(0.5 * B.length),
        X_(X),
        b_(X.R.col(2)),
        c_(X.p),
        sine_(b_.head<2>().norm()) {}

  bool search() { return try_ends() && try_sides() && try_side_on_rim() && try_rims(); }
  const LeastOverlap& best() const { return best_; }

 private:
  bool offer(double depth, const Vec3& n, Meets meets) {
    if (depth < kBetter * best_.depth) best_ = {depth, n, meets, Vec3::UnitZ(), b_};
    return depth > 0;
  }

  bool try_ends() {
    best_.depth = std::numeric_limits<double>::infinity();
    const double z = c_.z(), along_b = c_.dot(b_), cosine = std::abs(b_.z());
    return offer(ha_ + hb_ * cosine + rb_ * sine_ - std::abs(z), Vec3(0, 0, z > 0 ? -1 : 1),
                 Meets::point_of_b) &&
           offer(hb_ + ha_ * cosine + ra_ * sine_ - std::abs(along_b), along_b > 0 ? Vec3(-b_) : b_,
                 Meets::point_of_a);
  }

  bool try_sides() {
    across_ = sine_ > kParallel ? Vec3(-b_.y() / sine_, b_.x() / sine_, 0) : Vec3(Vec3::UnitY());
    if (c_.dot(across_) > 0) across_ = -across_;
    return offer(ra_ + rb_ + c_.dot(across_), across_, Meets::lines);
  }

  bool try_side_on_rim() {
    side_a_ = side_b_ = across_;
    if (least_across({ra_, rb_, hb_, b_, c_}, best_.depth, side_a_) &&
        !offer(overlap(side_a_), side_a_, Meets::point_of_b)) {
      return false;
    }
    const Mat3 R_BA = X_.R.transpose();
    Vec3 in_B;
    if (!least_across({rb_, ra_, ha_, R_BA.col(2), R_BA * c_}, best_.depth, in_B)) return true;
    side_b_ = X_.R * in_B;
    return offer(overlap(side_b_), side_b_, Meets::point_of_a);
  }

  /// Rim on rim, of the ends that look at each other; where it is not clear which do, of both ends.
  bool try_rims() {
    const double along_a = c_.z(), along_b = c_.dot(b_);
    const Vec3 a(0, 0, along_a > 0 ? -1 : 1), b = along_b > 0 ? Vec3(-b_) : b_;
    if (!try_rims_of(a, b)) return false;
    const bool is_beside_a = std::abs(along_a) < kBeside * ha_;
    const bool is_beside_b = std::abs(along_b) < kBeside * hb_;
    return (!is_beside_a || try_rims_of(-a, b)) && (!is_beside_b || try_rims_of(a, -b));
  }

  /// A direction at which the overlap has a kink, off which it falls towards rim on rim.
  struct Start {
    double depth;
    Vec3 n;  // pushed off it
  };

  /// Of the ends with outward directions a and -b, from the directions tried so far off which the overlap
  /// falls, the best first, until one leads to a least overlap.
  bool try_rims_of(const Vec3& a, const Vec3& b) {
    const Vec3 q = c_ + ha_ * a + hb_ * b;
    std::array<Start, 4> starts;
    int count = 0;
    const auto offer_side = [&](const Vec3& n, const Vec3& end) {
      const Vec3 w = gradient(q, a, b, n);
      if (w.dot(end) < 0) starts[slot(count++)] = {w.dot(n), n + kPush * end};
    };
    // The overlap falls off an end if the other's nearest point lies beyond its rim.
    const auto offer_end = [&](const Vec3& n, double radius) {
      const Vec3 w = gradient(q, a, b, n);
      const double depth = w.dot(n);
      const Vec3 outside = w - depth * n;
      const double distance2 = outside.squaredNorm();
      if (distance2 <= radius * radius) return;
      const double distance = std::sqrt(distance2);
      const double push = std::min((distance - radius) / (ra_ + rb_), kPush);
      starts[slot(count++)] = {depth, n - push / distance * outside};
    };
    offer_side(side_a_, a);
    offer_side(side_b_, b);
    offer_end(a, ra_);
    offer_end(b, rb_);
    std::sort(starts.begin(), starts.begin() + count,
              [](const Start& one, const Start& other) { return one.depth < other.depth; });
    for (int k = 0; k < count; ++k) {
      Vec3 n = starts[slot(k)].n;
      if (descend_to_rims(q, a, b, n)) return offer(overlap(n), n, Meets::point_of_b);
    }
    return true;
  }

  /// Newton's method on the sphere. False if it leads away from rim on rim, or to no less than the best.
  bool descend_to_rims(const Vec3& q, const Vec3& a, const Vec3& b, Vec3& n) const {
    n.normalize();
    for (int k = 0; k < kMostRimSteps; ++k) {
      const Vec3 w = gradient(q, a, b, n);
      const double depth = w.dot(n);
      if (a.dot(n) < 0 || b.dot(n) < 0) return false;
      const Vec3 slope = w - depth * n;
      const Vec3 step = newton_step(a, b, n, slope, depth);
      // Twice the fall that the slope promises would not be enough.
      if (depth + 2 * slope.dot(step) > best_.depth) return false;
      n = (n + step).normalized();
      if (step.squaredNorm() < kLastStep * kLastStep) return true;
    }
    return false;
  }

  /// Gradient of the overlap, made homogeneous, where the ends along a and b are near.
  Vec3 gradient(const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& n) const {
    const Vec3 across_a = n - a.dot(n) * a, across_b = n - b.dot(n) * b;
    const double na = across_a.norm(), nb = across_b.norm();
    Vec3 w = q;
    if (na > kParallel) w += ra_ / na * across_a;
    if (nb > kParallel) w += rb_ / nb * across_b;
    return w;
  }

  /// Of Newton's method on the sphere; down the slope where the overlap is not convex.
  Vec3 newton_step(const Vec3& a, const Vec3& b, const Vec3& n, const Vec3& slope,
                   double depth) const {
    const Vec3 ta = a.cross(n), tb = b.cross(n);  // directions in which the rims are round
    const double na2 = ta.squaredNorm(), nb2 = tb.squaredNorm();
    const Vec3 u = any_across(n), v = n.cross(u);
    const double ka = na2 > 1e-18 ? ra_ / (na2 * std::sqrt(na2)) : 0;
    const double kb = nb2 > 1e-18 ? rb_ / (nb2 * std::sqrt(nb2)) : 0;
    const Vec2 a2(ta.dot(u), ta.dot(v)), b2(tb.dot(u), tb.dot(v)), s(slope.dot(u), slope.dot(v));
    const double h00 = ka * a2.x() * a2.x() + kb * b2.x() * b2.x() - depth;
    const double h01 = ka * a2.x() * a2.y() + kb * b2.x() * b2.y();
    const double h11 = ka * a2.y() * a2.y() + kb * b2.y() * b2.y() - depth;
    const double det = h00 * h11 - h01 * h01;
    Vec2 step;
    if (det > 0 && h00 > 0) {
      step = -Vec2(h11 * s.x() - h01 * s.y(), h00 * s.y() - h01 * s.x()) / det;
    } else {
      step = -s / (ra_ + rb_);
    }
    const double length = step.norm();
    if (length > 0.3) step *= 0.3 / length;
    return step.x() * u + step.y() * v;
  }

  static Vec3 any_across(const Vec3& n) {
    const Vec3 across = std::abs(n.x()) < 0.6 ? Vec3(0, -n.z(), n.y()) : Vec3(n.z(), 0, -n.x());
    return across.normalized();
  }

  double overlap(const Vec3& n) const {
    const double along_a = std::abs(n.z()), along_b = std::abs(b_.dot(n));
    return c_.dot(n) + ha_ * along_a + hb_ * along_b + ra_ * n.head<2>().norm() +
           rb_ * std::sqrt(std::max(0.0, 1 - along_b * along_b));
  }

  double ra_, rb_, ha_, hb_;
  const Pose& X_;
  Vec3 b_, c_;  // axis and centre of B; A's axis is z
  double sine_;
  LeastOverlap best_;
  Vec3 across_, side_a_, side_b_;  // least overlap across both axes, across A's, across B's
};

}  // namespace

bool penetrate(const CylinderShape& A, const CylinderShape& B, const Pose& X_AB,
               Penetration& found) {
  CylinderPair pair(A, B, X_AB);
  if (!pair.search()) return false;
  found = witness(A, B, X_AB, pair.best());
  return true;
}

}  // namespace grouser
