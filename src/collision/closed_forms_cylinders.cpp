#include <algorithm>
#include <array>

#include "collision/closed_forms.h"
#include "collision/closed_forms_rim.h"
#include "collision/closed_forms_rims.h"

/// Cylinder against cylinder: the least overlap is along an axis, across both, across one of them (side on
/// rim), or where rim meets rim.
namespace grouser::internal {
namespace {

using Meets = LeastOverlap::Meets;

constexpr double kParallelCylinders = 1e-9;
// By how much a search for rim on rim starts off an end, where its rim has no direction [rad].
constexpr double kPush = 0.002;
// Of the inner radii; and of the depth. Deeper or nearer to a rim, rims may be nearer still.
constexpr double kShallow = 0.05, kWide = 4;

/// Side of a cylinder along z on the rim of another with the given axis, both ways of looking at a pair.
struct SideOnRim {
  double side_radius, rim_radius, rim_half;
  Point3 axis;          // of the other
  Point3 c;             // its centre; the overlap along n has the term c · n, whoever is who
  double sine, cosine;  // between the axes, >= 0
};

/// Two axes across z: in them, the overlap is a RimEdge between the directions to the rim's end and across both
/// cylinders.
struct SideAxes {
  Point2 e1, e2;

  explicit SideAxes(const SideOnRim& pair) {
    const bool is_parallel = pair.sine <= kParallelCylinders;
    const double scale = is_parallel ? 0 : 1 / pair.sine;
    e1 = {is_parallel ? 1 : scale * pair.axis.x, scale * pair.axis.y};
    e2 = {-e1.y, e1.x};
    if (dot(e1, {pair.c.x, pair.c.y}) > 0) e1 = {-e1.x, -e1.y};
    if (dot(e2, {pair.c.x, pair.c.y}) > 0) e2 = {-e2.x, -e2.y};
  }
};

/// Sets up a search in a lane for the direction of least overlap, if one may be below `limit`; else false.
bool start_across(const SideOnRim& pair, const SideAxes& axes, double limit, int lane,
                  SideEdges& edges, Point2& n) {
  const Point2 c = {pair.c.x, pair.c.y};
  const Point2 Q = {pair.rim_half * pair.sine + dot(axes.e1, c), dot(axes.e2, c)};
  edges.q_x[lane] = Q.x;
  edges.q_y[lane] = Q.y;
  edges.radius[lane] = pair.rim_radius;
  edges.constant[lane] = pair.side_radius;
  // Gradients at both ends of the quadrant.
  const Point2 at_x{Q.x + pair.side_radius + pair.rim_radius * pair.cosine, Q.y};
  const Point2 at_y{Q.x, Q.y + pair.side_radius + pair.rim_radius};
  return may_dip(at_x, at_y, limit, n);
}

class CylinderPair {
 public:
  CylinderPair(const CylinderShape& A, const CylinderShape& B, const Pose& X)
      : ra_(A.radius),
        rb_(B.radius),
        ha_(0.5 * A.length),
        hb_(0.5 * B.length),
        X_(X),
        b_(X.R(0, 2), X.R(1, 2), X.R(2, 2)),
        c_(X.p),
        sine_(std::sqrt(b_.x * b_.x + b_.y * b_.y)) {}

  bool search() { return try_ends() && try_sides() && try_side_on_rim() && try_rims(); }
  const LeastOverlap& best() const { return best_; }

 private:
  /// What the direction of least overlap is square to, or else along.
  enum class Kind { end_a, end_b, sides, side_a, side_b, rims };

  bool offer(double depth, const Point3& n, Kind kind) {
    if (depth < kBetter * best_.depth) {
      const bool is_point_of_a = kind == Kind::end_b || kind == Kind::side_b;
      const Meets point = is_point_of_a ? Meets::point_of_a : Meets::point_of_b;
      best_ = {depth, n, kind == Kind::sides ? Meets::lines : point, {0, 0, 1}, b_};
      best_kind_ = kind;
    }
    return depth > 0;
  }

  bool try_ends() {
    best_.depth = std::numeric_limits<double>::infinity();
    const double z = c_.z, along_b = dot(c_, b_), cosine = std::abs(b_.z);
    return offer(ha_ + hb_ * cosine + rb_ * sine_ - std::abs(z), Point3(0, 0, z > 0 ? -1 : 1),
                 Kind::end_a) &&
           offer(hb_ + ha_ * cosine + ra_ * sine_ - std::abs(along_b), along_b > 0 ? -b_ : b_,
                 Kind::end_b);
  }

  bool try_sides() {
    const double scale = 1 / sine_;
    across_ = sine_ > kParallelCylinders ? Point3(-scale * b_.y, scale * b_.x, 0) : Point3(0, 1, 0);
    if (dot(c_, across_) > 0) across_ = -across_;
    return offer(ra_ + rb_ + dot(c_, across_), across_, Kind::sides);
  }

  bool try_side_on_rim() {
    side_a_ = side_b_ = across_;
    const double cosine = std::abs(b_.z);
    const Point3 a_in_B(X_.R(2, 0), X_.R(2, 1), X_.R(2, 2)), c_in_B = transposed_product(X_.R, c_);
    const SideOnRim on_a{ra_, rb_, hb_, b_, c_, sine_, cosine};
    const SideOnRim on_b{rb_, ra_, ha_, a_in_B, c_in_B, sine_, cosine};
    const SideAxes axes_a(on_a), axes_b(on_b);
    SideEdges edges{sine_};
    Point2 n_a{1, 0}, n_b{1, 0};
    const bool may_a = start_across(on_a, axes_a, best_.depth, 0, edges, n_a);
    const bool may_b = start_across(on_b, axes_b, best_.depth, 1, edges, n_b);
    if (!may_a && !may_b) return true;
    Double4 x = {n_a.x, n_b.x, 1, 1}, y = {n_a.y, n_b.y, 0, 0};
    const Bits4 is_going = {may_a ? ~0ULL : 0, may_b ? ~0ULL : 0, 0, 0};
    descend_on_sides(edges, best_.depth, is_going, x, y);
    const auto across = [&](const SideAxes& axes, int lane) {
      return Point3(x[lane] * axes.e1.x + y[lane] * axes.e2.x,
                    x[lane] * axes.e1.y + y[lane] * axes.e2.y, 0);
    };
    if (may_a) {
      side_a_ = across(axes_a, 0);
      if (!offer(overlap(side_a_), side_a_, Kind::side_a)) return false;
    }
    if (may_b) {
      side_b_ = product(X_.R, across(axes_b, 1));
      if (!offer(overlap(side_b_), side_b_, Kind::side_b)) return false;
    }
    return true;
  }

  /// Rim on rim, from the directions tried so far at which the overlap has a kink and off which it falls.
  /// Deep in each other, there may be a least one that none of these leads to: also from in between.
  bool try_rims() {
    const double shallow = kShallow * (std::min(ra_, ha_) + std::min(rb_, hb_));
    if (best_.depth < shallow && room_of_best() > kWide * best_.depth) return true;
    RimSearches off_kinks, between;
    start_off_side_a(off_kinks);
    start_off_side_b(off_kinks);
    start_off_end_a(off_kinks);
    start_off_end_b(off_kinks);
    if (!try_searches(off_kinks)) return false;
    if (best_.depth < shallow) return true;
    const Point3 a(0, 0, c_.z > 0 ? -1 : 1), b = dot(c_, b_) > 0 ? -b_ : b_;
    const std::array<Point3, 4> ways = {a + b, a + across_, b + across_, a + b + across_};
    for (int lane = 0; lane < 4; ++lane) {
      const Point3 way = ways[slot(lane)];
      const double size2 = dot(way, way);
      if (size2 < kParallelCylinders) continue;
      const Point3 n = 1 / std::sqrt(size2) * way;
      start(lane, n, end_a_along(n), end_b_along(n), between);
    }
    return try_searches(between);
  }

  bool try_searches(RimSearches& searches) {
    descend_to_rims({ra_, rb_, b_}, best_.depth, searches);
    for (int lane = 0; lane < 4; ++lane) {
      if (searches.is_used[lane] == 0) continue;
      const Point3 n = normalized(searches.n[lane]);
      if (!offer(overlap(n), n, Kind::rims)) return false;
    }
    return true;
  }

  /// How far around the point nearest to the origin so far the boundary of the difference is flat or gently
  /// round. If that is several depths, no other is nearer.
  double room_of_best() const {
    switch (best_kind_) {
      case Kind::end_a:
        return ra_ - norm(beside_end_a());
      case Kind::end_b:
        return rb_ - norm(beside_end_b());
      case Kind::side_a:
        return ha_ - std::abs(along_side_a());
      case Kind::side_b:
        return hb_ - std::abs(along_side_b());
      case Kind::sides:
        return room_of_sides();
      case Kind::rims:
        break;
    }
    return 0;
  }

  /// How far from their ends the sides cross, the parallelogram of the difference being skew.
  double room_of_sides() const {
    const double sine2 = sine_ * sine_, cosine = b_.z, a = c_.z, b = dot(c_, b_);
    if (sine2 < kParallelCylinders) return 0;
    const double of_a = ha_ - std::abs(a - b * cosine) / sine2;
    const double of_b = hb_ - std::abs(b - a * cosine) / sine2;
    return sine_ * std::min(of_a, of_b);
  }

  void start(int lane, const Point3& n, double end_a, double end_b, RimSearches& searches) const {
    searches.n.set(lane, n);
    searches.q.set(lane, c_ + Point3(0, 0, ha_ * end_a) + hb_ * end_b * b_);
    searches.end_a[lane] = end_a;
    searches.end_b[lane] = end_b;
    searches.is_used[lane] = ~0ULL;
  }

  /// Point of B's end along n, from A's centre.
  Point3 rim_of_b(const Point3& n, double end_b) const {
    const Point3 b = b_;
    const double along = dot(b, n), sine2 = 1 - along * along;
    const double part =
        sine2 > kParallelCylinders * kParallelCylinders ? rb_ / std::sqrt(sine2) : 0;
    return c_ + part * (n - along * b) + hb_ * end_b * b;
  }

  /// Of A's end along -n, from its centre, the other way round.
  Point3 rim_of_a(const Point3& n, double end_a) const {
    const double sine2 = n.x * n.x + n.y * n.y;
    const double part =
        sine2 > kParallelCylinders * kParallelCylinders ? ra_ / std::sqrt(sine2) : 0;
    return {part * n.x, part * n.y, ha_ * end_a};
  }

  // Where the other's rim lies, seen from A's middle along its side, from B's, beside A's end, B's end.
  double along_side_a() const {
    const Point3 n = side_a_;
    return rim_of_b(n, end_b_along(n)).z;
  }
  double along_side_b() const {
    const Point3 n = side_b_;
    return dot(b_, c_ + rim_of_a(n, end_a_along(n)));
  }
  Point3 beside_end_a() const {
    const Point3 n(0, 0, c_.z > 0 ? -1 : 1), p = rim_of_b(n, end_b_along(n));
    return {p.x, p.y, 0};
  }
  Point3 beside_end_b() const {
    const Point3 b = b_, n = dot(c_, b_) > 0 ? -b : b;
    const Point3 p = c_ + rim_of_a(n, end_a_along(n));
    return p - dot(p, b) * b;
  }

  /// Off A's side the overlap falls towards an end if B's rim reaches beyond it.
  void start_off_side_a(RimSearches& searches) const {
    const double along = along_side_a();
    if (std::abs(along) <= ha_) return;
    start(0, side_a_, along > 0 ? -1 : 1, end_b_along(side_a_), searches);
  }
  void start_off_side_b(RimSearches& searches) const {
    const double along = along_side_b();
    if (std::abs(along) <= hb_) return;
    start(1, side_b_, end_a_along(side_b_), along > 0 ? -1 : 1, searches);
  }

  /// Off an end it falls if the other's rim lies beside it.
  void start_off_end_a(RimSearches& searches) const {
    const Point3 beside = beside_end_a();
    const double distance = norm(beside);
    if (distance <= ra_) return;
    const Point3 n(0, 0, c_.z > 0 ? -1 : 1);
    const double push = push_off(distance - ra_) / distance;
    start(2, normalized(n - push * beside), n.z, end_b_along(n), searches);
  }
  void start_off_end_b(RimSearches& searches) const {
    const Point3 beside = beside_end_b();
    const double distance = norm(beside);
    if (distance <= rb_) return;
    const double end_b = dot(c_, b_) > 0 ? -1 : 1;
    const Point3 n = end_b * b_;
    const double push = push_off(distance - rb_) / distance;
    start(3, normalized(n - push * beside), end_a_along(n), end_b, searches);
  }

  double push_off(double room) const { return std::min(room / (ra_ + rb_), kPush); }

  /// Which end is farther along n, +1 or -1; across both axes, the one nearer to the other cylinder.
  double end_a_along(const Point3& n) const {
    const double along = std::abs(n.z) > kParallelCylinders ? n.z : dot(c_, b_) * b_.z - c_.z;
    return along > 0 ? 1 : -1;
  }
  double end_b_along(const Point3& n) const {
    const double along = dot(b_, n), nearer = c_.z * b_.z - dot(c_, b_);
    return (std::abs(along) > kParallelCylinders ? along : nearer) > 0 ? 1 : -1;
  }

  double overlap(const Point3& n) const {
    const double along_a = std::abs(n.z), along_b = std::abs(dot(b_, n));
    return dot(c_, n) + ha_ * along_a + hb_ * along_b + ra_ * std::sqrt(n.x * n.x + n.y * n.y) +
           rb_ * std::sqrt(std::max(0.0, 1 - along_b * along_b));
  }

  double ra_, rb_, ha_, hb_;
  const Pose& X_;
  Point3 b_, c_;  // axis and centre of B; A's axis is z
  double sine_;
  LeastOverlap best_;
  Kind best_kind_ = Kind::end_a;
  Point3 across_, side_a_, side_b_;  // least overlap across both axes, across A's, across B's
};

}  // namespace

bool penetrate(const CylinderShape& A, const CylinderShape& B, const Pose& X_AB,
               Penetration& found) {
  CylinderPair pair(A, B, X_AB);
  if (!pair.search()) return false;
  found = witness(A, B, X_AB, pair.best());
  return true;
}

}  // namespace grouser::internal
