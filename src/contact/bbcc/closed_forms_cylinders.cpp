#include <algorithm>

#include "contact/bbcc/closed_forms.h"
#include "contact/bbcc/closed_forms_rim.h"
#include "contact/bbcc/closed_forms_rims.h"

/// Cylinder against cylinder: the least overlap is along an axis, across both, across one of them (side on
/// rim), or where rim meets rim.
namespace grouser {
namespace {

using Meets = LeastOverlap::Meets;

constexpr double kParallel = 1e-9;
// Centres no farther along an axis than this part of the half length may have either end near.
constexpr double kBeside = 0.5;

/// Side of a cylinder along z on the rim of another with the given axis, both ways of looking at a pair.
struct SideOnRim {
  double side_radius, rim_radius, rim_half;
  Vec3 axis;  // of the other
  Vec3 c;     // its centre; the overlap along n has the term c · n, whoever is who
};

/// The direction across z of least overlap, if one between the rim's end and the direction across both axes
/// may fall below `limit`; else false.
bool least_across(const SideOnRim& pair, double limit, Vec3& normal) {
  const double bx = pair.axis.x(), by = pair.axis.y(), sine = std::sqrt(bx * bx + by * by);
  const bool is_parallel = sine <= kParallel;
  const Point2 e1 = {is_parallel ? 1 : bx / sine, is_parallel ? 0 : by / sine};
  const double c1 = pair.c.x() * e1.x + pair.c.y() * e1.y;
  const double c2 = pair.c.y() * e1.x - pair.c.x() * e1.y;
  const double s1 = c1 > 0 ? -1 : 1, s2 = c2 > 0 ? -1 : 1;
  const RimEdge f{{pair.rim_half * sine - std::abs(c1), -std::abs(c2)},
                  {sine, 0},
                  pair.rim_radius,
                  pair.side_radius};
  const Point2 x{1, 0}, y{0, 1};
  Point2 n;
  if (!may_dip(f.gradient(x), f.gradient(y), limit, n)) return false;
  descend(f, x, y, limit, n);
  normal.x() = s1 * n.x * e1.x - s2 * n.y * e1.y;
  normal.y() = s1 * n.x * e1.y + s2 * n.y * e1.x;
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

  /// Of the ends with outward directions a and -b.
  bool try_rims_of(const Vec3& a, const Vec3& b) {
    const RimPair rims{ra_, rb_, Vec3(c_ + ha_ * a + hb_ * b), a, b};
    RimStarts starts = rim_starts(rims, side_a_, side_b_);
    descend_to_rims(rims, best_.depth, starts);
    for (int lane = 0; lane < 4; ++lane) {
      if (starts.is_used[lane] == 0) continue;
      const Vec3 n = normalized(starts.n[lane]);  // it has drifted by a few steps' rounding
      if (!offer(overlap(n), n, Meets::point_of_b)) return false;
    }
    return true;
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
