#include "contact/bbcc/closed_forms.h"
#include "contact/bbcc/closed_forms_rim.h"

/// Box against cylinder, exactly: every smooth part of the boundary of their difference has a normal across
/// an edge of the box or across the cylinder's axis, or along one of these; the least overlap is sought
/// on these circles.
namespace grouser {
namespace {

using Meets = LeastOverlap::Meets;

// Directions nearer to parallel than this sine count as parallel.
constexpr double kParallel = 1e-8;

class BoxCylinder {
 public:
  BoxCylinder(const BoxShape& box, const CylinderShape& cylinder, const Pose& X)
      : b_(0.5 * box.size),
        half_(0.5 * cylinder.length),
        radius_(cylinder.radius),
        a_(X.R.col(2)),
        c_(X.p) {
    const Vec3 squares = a_.cwiseProduct(a_);
    for (int i = 0; i < 3; ++i) {
      sine_[i] = std::sqrt(squares[(i + 1) % 3] + squares[(i + 2) % 3]);
      round_[i] = sine_[i] > kParallel ? radius_ / sine_[i] : 0;
    }
  }

  /// False as soon as some direction separates them.
  bool search() {
    if (!try_faces() || !try_end() || !try_crossings() || !try_side_on_corner()) return false;
    for (int i = 0; i < 3; ++i) {
      if (!try_rim_on_edges(i)) return false;
    }
    return true;
  }
  const LeastOverlap& best() const { return best_; }

  /// How far along the axis the place of contact is off: where the side lies along an edge of the box, the corner that
  /// was found may be far beyond the cylinder. Then to the middle of what both share.
  Vec3 way_back(const Vec3& on_box) const {
    const double here = a_.dot(on_box - c_);
    if (best_.meets != Meets::point_of_a || std::abs(here) <= half_) return Vec3::Zero();
    Eigen::Index i = 0;
    a_.cwiseAbs().maxCoeff(&i);
    const double there = here - 2 * on_box[i] * a_[i];  // the edge's other end
    const double low = std::max(-half_, std::min(here, there));
    const double high = std::min(half_, std::max(here, there));
    return (0.5 * (low + high) - here) * a_;
  }

 private:
  bool try_faces() {
    best_.depth = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 3; ++i) {
      const double reach = b_[i] + half_ * std::abs(a_[i]) + radius_ * sine_[i];
      const double depth = reach - std::abs(c_[i]);
      if (depth <= 0) return false;
      if (depth >= best_.depth) continue;
      best_ = {depth, Vec3(Vec3::Unit(i) * (c_[i] > 0 ? -1 : 1)), Meets::point_of_b};
    }
    return true;
  }

  bool try_end() {
    const double along = a_.dot(c_);
    const double depth = b_.dot(a_.cwiseAbs()) + half_ - std::abs(along);
    if (depth <= 0) return false;
    if (depth < best_.depth) best_ = {depth, along > 0 ? Vec3(-a_) : a_, Meets::point_of_a};
    return true;
  }

  /// Side on edge: n across both.
  bool try_crossings() {
    farthest_out_ = 0;
    for (int i = 0; i < 3; ++i) {
      if (sine_[i] < kParallel) continue;
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      const double apart = (c_[j] * a_[k] - c_[k] * a_[j]) / sine_[i];
      const double room =
          (b_[j] * std::abs(a_[k]) + b_[k] * std::abs(a_[j])) / sine_[i] - std::abs(apart);
      if (room + radius_ <= 0) return false;
      const bool is_least = room + radius_ < best_.depth, is_outmost = room < farthest_out_;
      if (!is_least && !is_outmost) continue;
      Vec3 n = Vec3::Zero();
      n[j] = a_[k] / sine_[i];
      n[k] = -a_[j] / sine_[i];
      if (apart > 0) n = -n;
      if (is_least) best_ = {room + radius_, n, Meets::lines, Vec3(Vec3::Unit(i)), a_};
      if (is_outmost) {
        farthest_out_ = room;
        outmost_edge_ = i;
        outmost_normal_ = n;
      }
    }
    return true;
  }

  /// Side on a corner of the box: seen along the axis, which then passes outside the box, the corner is
  /// nearest to it.
  bool try_side_on_corner() {
    if (farthest_out_ == 0) return true;
    const int i = outmost_edge_;
    Vec3 corner = b_.array() * outmost_normal_.array().sign();
    const double tangential = (c_ + corner)[i] - a_[i] * a_.dot(c_ + corner);
    if (std::abs(tangential) <= b_[i] * sine_[i] * sine_[i]) return true;
    corner[i] = std::copysign(b_[i], -tangential);
    for (int k = 0; k < 3; ++k) {
      Vec3 n = a_ * a_.dot(c_ + corner) - (c_ + corner);
      n.normalize();
      const double depth = radius_ + b_.dot(n.cwiseAbs()) + c_.dot(n);
      if (depth <= 0) return false;
      if (depth < best_.depth) best_ = {depth, n, Meets::point_of_a};
      const Vec3 next = farthest(BoxShape{2 * b_}, n);
      if (next == corner) break;
      corner = next;
    }
    return true;
  }

  /// Rim on the edges along axis i of the box: n across that axis, in the four quadrants between its faces.
  bool try_rim_on_edges(int i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    for (const double sj : {-1.0, 1.0}) {
      for (const double sk : {-1.0, 1.0}) {
        if (sj * c_[j] > 0 && sk * c_[k] > 0) continue;  // -n is better
        if (!try_rim_in_quadrant(i, sj, sk)) return false;
      }
    }
    return true;
  }

  bool try_rim_in_quadrant(int i, double sj, double sk) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const Point2 A{sj * a_[j], sk * a_[k]}, C{sj * c_[j] + b_[j], sk * c_[k] + b_[k]};
    const Point2 x{1, 0}, y{0, 1};
    // Nowhere is the overlap less than that with the rim's narrowest part at the corner.
    const double corner = C.x < 0 && C.y < 0 ? -std::sqrt(dot(C, C)) : std::min(C.x, C.y);
    if (corner + radius_ * std::abs(a_[i]) >= best_.depth) return true;
    // RimEdge::gradient() at both faces' normals, with the roots at hand.
    const double skew = A.x * A.y;
    const auto at_x = [&](double end) {
      return Point2{C.x + end * A.x + radius_ * sine_[j], C.y + end * A.y - round_[j] * skew};
    };
    const auto at_y = [&](double end) {
      return Point2{C.x + end * A.x - round_[k] * skew, C.y + end * A.y + radius_ * sine_[k]};
    };
    if (A.x * A.y >= 0) {
      const double end = A.x + A.y < 0 ? -half_ : half_;
      return try_rim(i, sj, sk, {C + end * A, A, radius_}, x, at_x(end), y, at_y(end));
    }
    // The axis is square to some direction in between: on either side of it another end is near.
    const Point2 z = {std::abs(A.y) / sine_[i], std::abs(A.x) / sine_[i]};
    const double end = std::copysign(half_, A.x);
    const RimEdge first{C + end * A, A, radius_}, second{C + -end * A, A, radius_};
    return try_rim(i, sj, sk, first, x, at_x(end), z, first.Q + radius_ * z) &&
           try_rim(i, sj, sk, second, z, second.Q + radius_ * z, y, at_y(-end));
  }

  bool try_rim(int i, double sj, double sk, const RimEdge& f, const Point2& low,
               const Point2& w_low, const Point2& high, const Point2& w_high) {
    Point2 n;
    if (!may_dip(w_low, w_high, best_.depth, n)) return true;
    descend(f, low, high, best_.depth, n);
    const double depth = f(n);
    if (depth <= 0) return false;
    if (depth >= kBetter * best_.depth) return true;
    Vec3 normal = Vec3::Zero();
    normal[(i + 1) % 3] = sj * n.x;
    normal[(i + 2) % 3] = sk * n.y;
    best_ = {depth, normal, Meets::point_of_b};
    return true;
  }

  Vec3 b_;  // half edges
  double half_, radius_;
  Vec3 a_, c_;  // axis and centre of the cylinder
  Vec3 sine_;   // of the angles between the axis and the box's edges
  Vec3 round_;  // radius / sine
  LeastOverlap best_;
  // The silhouette's edge that the axis passes farthest outside of, if it does.
  double farthest_out_ = 0;
  int outmost_edge_ = 0;
  Vec3 outmost_normal_;
};

}  // namespace

bool penetrate(const BoxShape& A, const CylinderShape& B, const Pose& X_AB, Penetration& found) {
  BoxCylinder pair(A, B, X_AB);
  if (!pair.search()) return false;
  found = witness(A, B, X_AB, pair.best());
  const Vec3 shift = pair.way_back(found.on_a);
  found.on_a += shift;
  found.on_b += shift;
  return true;
}

}  // namespace grouser
