#include "collision/closed_forms.h"
#include "collision/closed_forms_rim.h"
#include "collision/lanes.h"

/// Box against cylinder, exactly: every smooth part of the boundary of their difference has a normal across
/// an edge of the box or across the cylinder's axis, or along one of these; the least overlap is sought
/// on these circles.
namespace grouser::internal {
namespace {

using Meets = LeastOverlap::Meets;

// Directions nearer to parallel than this sine count as parallel.
constexpr double kParallelAxes = 1e-8;

/// Lanes are the axes of the box, or what belongs to them; the fourth one is idle.
Double4 triple(const Vec3& v) { return Double4{v.x(), v.y(), v.z(), 0}; }
Double4 next_axis(const Double4& v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); }
double sum_of_axes(const Double4& v) { return v[0] + v[1] + v[2]; }
int least_of(const Double4& v) {
  const int first = v[1] < v[0] ? 1 : 0;
  return v[2] < v[first] ? 2 : first;
}
/// Bit k of the result is set if lane k < 3 is.
unsigned bits_of(const Bits4& lanes) {
  const Bits4 bit = lanes & Bits4{1, 2, 4, 0};
  return static_cast<unsigned>(bit[0] | bit[1] | bit[2]);
}

class BoxCylinder {
 public:
  BoxCylinder(const BoxShape& box, const CylinderShape& cylinder, const Pose& X)
      : half_(0.5 * cylinder.length),
        radius_(cylinder.radius),
        b_(0.5 * triple(box.size)),
        a_(triple(X.R.col(2))),
        c_(triple(X.p)),
        a_j_(next_axis(a_)),
        a_k_(next_axis(a_j_)) {
    const Double4 sine2 = a_j_ * a_j_ + a_k_ * a_k_;
    is_skew_ = lanes_as<Bits4>(sine2 > Double4{} + kParallelAxes * kParallelAxes) &
               Bits4{~0ULL, ~0ULL, ~0ULL, 0};
    sine_ = square_roots(sine2);
    scale_ = is_skew_ != 0 ? 1 / sine_ : Double4{};
  }

  /// False as soon as some direction separates them.
  bool search() {
    return try_faces() && try_end() && try_crossings() && try_side_on_corner() && try_rims();
  }
  const LeastOverlap& best() const { return best_; }

  /// How far along the axis the place of contact is off: where the side lies along an edge of the box, the corner that
  /// was found may be far beyond the cylinder. Then to the middle of what both share.
  Vec3 way_back(const Vec3& on_box) const {
    const Vec3 a(a_[0], a_[1], a_[2]), c(c_[0], c_[1], c_[2]);
    const double here = a.dot(on_box - c);
    if (best_.meets != Meets::point_of_a || std::abs(here) <= half_) return Vec3::Zero();
    Eigen::Index i = 0;
    a.cwiseAbs().maxCoeff(&i);
    const double there = here - 2 * on_box[i] * a[i];  // the edge's other end
    const double low = std::max(-half_, std::min(here, there));
    const double high = std::min(half_, std::max(here, there));
    return (0.5 * (low + high) - here) * a;
  }

 private:
  bool try_faces() {
    const Double4 depth = b_ + half_ * absolute(a_) + radius_ * sine_ - absolute(c_);
    const int i = least_of(depth);
    if (depth[i] <= 0) return false;
    best_ = {depth[i], axis(i, c_[i] > 0 ? -1 : 1), Meets::point_of_b};
    return true;
  }

  bool try_end() {
    const double along = sum_of_axes(a_ * c_);
    const double depth = sum_of_axes(b_ * absolute(a_)) + half_ - std::abs(along);
    if (depth <= 0) return false;
    const Point3 a(a_[0], a_[1], a_[2]);
    if (depth < best_.depth) best_ = {depth, along > 0 ? -a : a, Meets::point_of_a};
    return true;
  }

  /// Side on edge: n across both.
  bool try_crossings() {
    const Double4 b_j = next_axis(b_), b_k = next_axis(b_j);
    const Double4 c_j = next_axis(c_), c_k = next_axis(c_j);
    const Double4 apart = scale_ * (c_j * a_k_ - c_k * a_j_);
    Double4 room = scale_ * (b_j * absolute(a_k_) + b_k * absolute(a_j_)) - absolute(apart);
    room = is_skew_ != 0 ? room : Double4{} + kNever;
    const int i = outmost_edge_ = least_of(room);
    farthest_out_ = room[i];
    if (farthest_out_ + radius_ <= 0) return false;
    const double sign = apart[i] > 0 ? -1 : 1;
    outmost_normal_ = across(i, sign * scale_[i] * a_k_[i], -sign * scale_[i] * a_j_[i]);
    if (farthest_out_ + radius_ < best_.depth) {
      best_ = {farthest_out_ + radius_,
               outmost_normal_,
               Meets::lines,
               axis(i, 1),
               {a_[0], a_[1], a_[2]}};
    }
    return true;
  }

  /// Side on a corner of the box: seen along the axis, which then passes outside the box, the corner is
  /// nearest to it.
  bool try_side_on_corner() {
    if (farthest_out_ >= 0) return true;
    const int i = outmost_edge_;
    const Point3 a(a_[0], a_[1], a_[2]), c(c_[0], c_[1], c_[2]);
    const BoxShape box{2 * Vec3(b_[0], b_[1], b_[2])};
    const Point3 on_edge = farthest(box, outmost_normal_);
    // From the middle of the edge.
    const Point3 middle = c + on_edge - dot(on_edge, axis(i, 1)) * axis(i, 1);
    const double tangential = dot(middle, axis(i, 1)) - a_[i] * dot(a, middle);
    if (std::abs(tangential) <= b_[i] * sine_[i] * sine_[i]) return true;
    Point3 corner = middle - c + std::copysign(b_[i], -tangential) * axis(i, 1);
    for (int k = 0; k < 3; ++k) {
      const Point3 p = c + corner, n = normalized(dot(a, p) * a - p);
      const Point3 next = farthest(box, n);
      const double depth = radius_ + dot(next, n) + dot(c, n);
      if (depth <= 0) return false;
      if (depth < best_.depth) best_ = {depth, n, Meets::point_of_a};
      if (next.x == corner.x && next.y == corner.y && next.z == corner.z) break;
      corner = next;
    }
    return true;
  }

  /// Rim on edges: n across an axis i of the box, in the four quadrants between the faces along it. Nowhere
  /// is the overlap less than that with the rim's narrowest part at the corner, which rules out most.
  bool try_rims() {
    const Double4 none{}, c_j = next_axis(c_), c_k = next_axis(c_j);
    const Double4 b_j = next_axis(b_), b_k = next_axis(b_j);
    const Double4 limit = best_.depth - radius_ * absolute(a_);
    unsigned left = 0;
    for (int quadrant = 0; quadrant < 4; ++quadrant) {
      const double sj = sign_j(quadrant), sk = sign_k(quadrant);
      const Double4 x = sj * c_j + b_j, y = sk * c_k + b_k;
      const Bits4 is_worse =  // than the other way round
          lanes_as<Bits4>(sj * c_j > none) & lanes_as<Bits4>(sk * c_k > none);
      const Bits4 is_beyond = lanes_as<Bits4>(x < none) & lanes_as<Bits4>(y < none);
      const Bits4 is_low = lanes_as<Bits4>((x < y ? x : y) < limit);
      const Bits4 is_far =
          lanes_as<Bits4>(limit > none) | lanes_as<Bits4>(x * x + y * y > limit * limit);
      const Bits4 may = ~is_worse & ((is_beyond & is_far) | (~is_beyond & is_low));
      left |= bits_of(may) << (3 * quadrant);
    }
    for (; left != 0; left &= left - 1) {
      const int k = std::countr_zero(left);
      if (!try_rim_in_quadrant(k % 3, sign_j(k / 3), sign_k(k / 3))) return false;
    }
    return true;
  }

  static double sign_j(int quadrant) { return quadrant & 1 ? 1 : -1; }
  static double sign_k(int quadrant) { return quadrant & 2 ? 1 : -1; }

  bool try_rim_in_quadrant(int i, double sj, double sk) {
    const int j = i < 2 ? i + 1 : 0, k = i > 0 ? i - 1 : 2;
    const Point2 A{sj * a_[j], sk * a_[k]}, C{sj * c_[j] + b_[j], sk * c_[k] + b_[k]};
    const Point2 x{1, 0}, y{0, 1};
    // RimEdge::gradient() at both faces' normals, with the roots at hand.
    const double skew = A.x * A.y;
    const auto at_x = [&](double end) {
      return Point2{C.x + end * A.x + radius_ * sine_[j],
                    C.y + end * A.y - radius_ * scale_[j] * skew};
    };
    const auto at_y = [&](double end) {
      return Point2{C.x + end * A.x - radius_ * scale_[k] * skew,
                    C.y + end * A.y + radius_ * sine_[k]};
    };
    if (A.x * A.y >= 0) {
      const double end = A.x + A.y < 0 ? -half_ : half_;
      return try_rim(i, sj, sk, {C + end * A, A, radius_}, x, at_x(end), y, at_y(end));
    }
    // The axis is square to some direction in between: on either side of it another end is near.
    const Point2 z = {std::abs(A.y) * scale_[i], std::abs(A.x) * scale_[i]};
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
    best_ = {depth, across(i, sj * n.x, sk * n.y), Meets::point_of_b};
    return true;
  }

  static Point3 axis(int i, double sign) {
    return {i == 0 ? sign : 0, i == 1 ? sign : 0, i == 2 ? sign : 0};
  }
  /// Across axis i, from its parts along the next two.
  static Point3 across(int i, double j, double k) {
    if (i == 0) return {0, j, k};
    return i == 1 ? Point3(k, 0, j) : Point3(j, k, 0);
  }

  double half_, radius_;
  Double4 b_;          // half edges
  Double4 a_, c_;      // axis and centre of the cylinder
  Double4 a_j_, a_k_;  // of the axis, along the next axes of the box
  Bits4 is_skew_;      // whether the axis is not along that edge
  Double4 sine_;       // of the angles between the axis and the box's edges
  Double4 scale_;      // 1 / sine
  LeastOverlap best_;
  // The silhouette's edge that the axis passes farthest outside of, if it does.
  double farthest_out_ = 0;
  int outmost_edge_ = 0;
  Point3 outmost_normal_;
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

}  // namespace grouser::internal
