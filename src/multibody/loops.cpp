#include "multibody/loops.h"

#include "math/rotation.h"
#include "multibody/jacobian.h"

namespace grouser::internal {
namespace {

/// A point or direction of a body with what the loop equations need of its motion.
struct PointMotion {
  Vec3 p_W;
  Vec3 v;      ///< [m/s]
  Vec3 omega;  ///< of its body [rad/s]
  Vec3 a;      ///< acceleration for dv/dt = 0 [m/s²]
  Vec3 alpha;  ///< angular acceleration for dv/dt = 0 [rad/s²]
};

class LoopWriter {
 public:
  LoopWriter(const Model& model, const Kinematics& kinematics, const double* q, LoopEquations& out)
      : model_(model), kinematics_(kinematics), q_(q), out_(out) {}

  void operator()(const BallLoop& loop) { ball(loop.a, loop.b); }

  void operator()(const HingeLoop& loop) {
    ball(loop.a, loop.b);
    const PointMotion a = motion(loop.a), b = motion(loop.b);
    const Mat3 frame = rotation(loop.a.body) * frame_with_z(loop.axis_a);
    const Vec3 axis = rotation(loop.b.body) * loop.axis_b;
    for (int k = 0; k < 2; ++k) perpendicular(loop, a, b, frame.col(k), axis);
  }

  void operator()(const DistanceLoop& loop) {
    const PointMotion a = motion(loop.a), b = motion(loop.b);
    const Vec3 span = a.p_W - b.p_W;
    const double length = span.norm();
    const Vec3 n = length > 0 ? Vec3(span / length) : Vec3::UnitZ();
    const Vec3 slide = (a.v - b.v) - n * n.dot(a.v - b.v);
    out_.residual[row_] = length - loop.length;
    out_.bias[row_] = n.dot(a.a - b.a) + (length > 0 ? slide.squaredNorm() / length : 0);
    add_column(loop.a.body, a.p_W, Vec3::Zero(), n);
    add_column(loop.b.body, b.p_W, Vec3::Zero(), -n);
    finish_row();
  }

  void operator()(const CouplingLoop& loop) {
    double sum = -loop.offset;
    for (const CouplingLoop::Term& term : loop.terms) {
      sum += term.factor * q_[model_.position_of_dof(term.dof)];
      out_.J(term.dof, row_) += term.factor;
    }
    out_.residual[row_] = sum;
    out_.bias[row_] = 0;
    ++row_;
  }

 private:
  Mat3 rotation(int body) const {
    return body == kWorld ? Mat3::Identity() : kinematics_.X_WB[static_cast<std::size_t>(body)].R;
  }

  PointMotion motion(const BodyPoint& point) const {
    PointMotion m{position_of(kinematics_, point), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(),
                  Vec3::Zero()};
    if (point.body == kWorld) return m;
    const std::size_t b = static_cast<std::size_t>(point.body);
    const Vec3& p_WO = kinematics_.p_WO[static_cast<std::size_t>(model_.joints()[b].tree)];
    const Vec3 r = m.p_W - p_WO;
    const Twist twist = Twist{kinematics_.V[b].angular(), kinematics_.V[b].linear()}.shifted(r);
    const Spatial& A = out_.body_bias[b];
    m.v = twist.linear;
    m.omega = twist.angular;
    m.alpha = A.angular();
    m.a = A.linear() + m.alpha.cross(r) + m.omega.cross(m.v);
    return m;
  }

  /// Adds the gradient of angular·ω + linear·v of a body's point to the present row.
  void add_column(int body, const Vec3& p_W, const Vec3& angular, const Vec3& linear) {
    for_each_jacobian_column(model_, kinematics_, body, p_W, [&](int dof, const Twist& unit) {
      const double share = angular.dot(unit.angular) + linear.dot(unit.linear);
      out_.J(dof, row_) += share;
      shares_ += share * share;
    });
  }

  /// Where all that moves a also moves b alike, the shares of both sides cancel. What is left then
  /// is rounding, or of the order of the present residual; taken for a gradient it would demand
  /// accelerations that mean nothing. The limit is that of PivotedCholesky for dependent rows.
  void finish_row() {
    constexpr double kCancelled = 1e-11;
    if (out_.J.col(row_).squaredNorm() <= kCancelled * shares_) out_.J.col(row_).setZero();
    shares_ = 0;
    ++row_;
  }

  void ball(const BodyPoint& at_a, const BodyPoint& at_b) {
    const PointMotion a = motion(at_a), b = motion(at_b);
    for (int k = 0; k < 3; ++k) {
      out_.residual[row_] = a.p_W[k] - b.p_W[k];
      out_.bias[row_] = a.a[k] - b.a[k];
      add_column(at_a.body, a.p_W, Vec3::Zero(), Vec3::Unit(k));
      add_column(at_b.body, b.p_W, Vec3::Zero(), -Vec3::Unit(k));
      finish_row();
    }
  }

  /// n (carried by a) stays perpendicular to the axis (carried by b): φ = n·axis.
  void perpendicular(const HingeLoop& loop, const PointMotion& a, const PointMotion& b,
                     const Vec3& n, const Vec3& axis) {
    const Vec3 g = n.cross(axis);
    const Vec3 g_rate = a.omega.cross(n).cross(axis) + n.cross(b.omega.cross(axis));
    out_.residual[row_] = n.dot(axis);
    out_.bias[row_] = g.dot(a.alpha - b.alpha) + g_rate.dot(a.omega - b.omega);
    add_column(loop.a.body, a.p_W, g, Vec3::Zero());
    add_column(loop.b.body, b.p_W, -g, Vec3::Zero());
    finish_row();
  }

  const Model& model_;
  const Kinematics& kinematics_;
  const double* q_;
  LoopEquations& out_;
  int row_ = 0;
  double shares_ = 0;  // sum of squares of what was added to the present row
};

}  // namespace

LoopEquations::LoopEquations(const Model& model)
    : residual(VecX::Zero(model.loop_row_count())),
      bias(VecX::Zero(model.loop_row_count())),
      J(MatX::Zero(model.velocity_size(), model.loop_row_count())),
      body_bias(static_cast<std::size_t>(model.body_count())) {}

void evaluate_loops(const Model& model, const Kinematics& kinematics, const double* q,
                    LoopEquations& out) {
  if (model.loops().empty()) return;
  for (std::size_t b = 0; b < out.body_bias.size(); ++b) {
    const int parent = model.joints()[b].parent;
    out.body_bias[b] = kinematics.C[b];
    if (parent != kWorld) out.body_bias[b].x += out.body_bias[static_cast<std::size_t>(parent)].x;
  }
  out.J.setZero();
  LoopWriter writer(model, kinematics, q, out);
  for (const Loop& loop : model.loops()) std::visit(writer, loop.law);
}

void inverse_mass_times(const MassMatrix& factor, const MatX& J_columns, MatX& out) {
  out = J_columns;
  for (Eigen::Index r = 0; r < out.cols(); ++r) factor.solve(out.col(r).data());
}

}  // namespace grouser::internal
