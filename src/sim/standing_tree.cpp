#include "sim/standing_tree.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"
#include "math/rotation.h"
#include "multibody/balance.h"
#include "sim/rover_plan.h"

namespace grouser::internal {
namespace {

constexpr Eigen::Index kHeight = 0, kPitch = 1, kRoll = 2, kFirstJoint = 3;
constexpr double kLoopStiffness = 1e8;  // of loops, which are exact [N/m], [N m/rad²]
constexpr double kStep = 1e-5;          // of differences of first order [m], [rad]
constexpr double kWideStep = 1e-4;      // of second order [m], [rad]
constexpr double kEnough = 1e-7;        // step that changes nothing [m], [rad]
constexpr double kMostDamping = 1e6;    // of steps, over weight times reach [-]

bool is_driven(const World& world, int dof) {
  const int actuator = actuator_of_dof(world.model, dof);
  return actuator >= 0 && world.model.actuators()[at(actuator)].type != ActuatorType::torque;
}

}  // namespace

double WheelSpring::force(double depth) const {
  const double linear = load + stiffness * (depth - sinkage);
  return glued ? linear : std::max(0.0, linear);
}

StandingTree::StandingTree(const World& world, const PlaceRequest& request)
    : world_(world),
      rover_(world.rovers[at(request.rover)]),
      at_(request.at),
      heading_(request.heading),
      q_(world.initial.q),
      v_(VecX::Zero(world.model.velocity_size())),
      kinematics_(world.model),
      loops_(world.model) {
  const Model& model = world.model;
  root_ = rover_.chassis;
  while (model.joints()[at(root_)].parent != kWorld) root_ = model.joints()[at(root_)].parent;
  for (const Wheel& wheel : rover_.wheels) wheels_.push_back(&wheel);
  gaps_.resize(wheels_.size());
  find_free_joints(request);
  find_drives();
  double mass = 0;
  const int tree = model.joints()[at(root_)].tree;
  for (int b = model.tree_begin(tree); b < model.tree_begin(tree + 1); ++b) {
    mass += model.bodies()[at(b)].inertia.mass;
  }
  weight_ = mass * model.gravity().norm();
  u_ = VecX::Zero(kFirstJoint + static_cast<Eigen::Index>(joints_.size()));
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    u_[kFirstJoint + static_cast<Eigen::Index>(k)] = q_[joints_[k]];
  }
  load_ = VecX::Zero(u_.size());
  move_to(u_);
  for (const Wheel* wheel : wheels_) {
    const Vec3 arm = kinematics_.X_WB[at(wheel->body)].p - kinematics_.X_WB[at(rover_.chassis)].p;
    reach_ = std::max(reach_, arm.head<2>().norm() + wheel->radius);
  }
}

void StandingTree::find_free_joints(const PlaceRequest& request) {
  const Model& model = world_.model;
  const int tree = model.joints()[at(root_)].tree;
  for (int b = model.tree_begin(tree); b < model.tree_begin(tree + 1); ++b) {
    const Joint& joint = model.joints()[at(b)];
    if (!has_plain_coordinates(joint.type)) continue;
    for (int k = 0; k < joint.nv; ++k) {
      const int dof = joint.v + k;
      const bool rolls = std::ranges::any_of(rover_.wheels, [dof](const Wheel& wheel) {
        return wheel.drive_dof == dof || wheel.steer_dof == dof;
      });
      if (rolls || is_driven(world_, dof) || request.fixed[at(joint.q + k)] != 0) continue;
      joints_.push_back(joint.q + k);
    }
  }
}

/// A rover that stands on a slope creeps down it until its drives hold it, all rims as fast: they hold by kd / radius².
void StandingTree::find_drives() {
  double sum = 0;
  for (const Wheel* wheel : wheels_) {
    const int actuator = actuator_of_dof(world_.model, wheel->drive_dof);
    const double damping = actuator < 0 ? 0 : world_.model.actuators()[at(actuator)].kd;
    drive_shares_.push_back(damping / (wheel->radius * wheel->radius));
    sum += drive_shares_.back();
  }
  for (double& share : drive_shares_) share = sum > 0 ? share / sum : 0;
}

Vec3 StandingTree::axle_of(const Wheel& wheel) const {
  const int carried = world_.model.joint_of_dof(wheel.drive_dof);
  return kinematics_.X_WB[at(carried)].R * world_.model.joints()[at(carried)].axis;
}

void StandingTree::move_to(const VecX& u) {
  here_ = u;
  const Model& model = world_.model;
  const Joint& base = model.joints()[at(root_)];
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    q_[joints_[k]] = u[kFirstJoint + static_cast<Eigen::Index>(k)];
  }
  // Where the chassis is in the tree is known only once its joints are.
  forward_kinematics_of_tree(model, base.tree, q_.data(), v_.data(), kinematics_);
  const Pose X_RC = kinematics_.X_WB[at(root_)].inverse() * kinematics_.X_WB[at(rover_.chassis)];
  const Pose X_WC{rotation_from_rpy({u[kRoll], u[kPitch], heading_}),
                  {at_.x(), at_.y(), u[kHeight]}};
  const Pose X_WR = X_WC * X_RC.inverse();
  wxyz_from_rotation(X_WR.R, q_.data() + base.q);
  q_.segment<3>(base.q + 4) = X_WR.p;
  forward_kinematics(model, q_, v_, kinematics_);
  if (model.loop_row_count() > 0) evaluate_loops(model, kinematics_, q_.data(), loops_);
  const ElevationMap& map = world_.ground->map;
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    const Wheel& wheel = *wheels_[w];
    gaps_[w] = wheel_gap({.centre = kinematics_.X_WB[at(wheel.body)].p,
                          .axle = axle_of(wheel),
                          .radius = wheel.radius,
                          .width = wheel.width},
                         [&map](double x, double y) { return map.height(x, y); });
  }
}

Vec3 StandingTree::centre_of_mass() const {
  const Model& model = world_.model;
  const int tree = model.joints()[at(root_)].tree;
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (int b = model.tree_begin(tree); b < model.tree_begin(tree + 1); ++b) {
    const RigidInertia& inertia = model.bodies()[at(b)].inertia;
    sum += inertia.mass * (kinematics_.X_WB[at(b)] * inertia.com);
    mass += inertia.mass;
  }
  return sum / mass;
}

std::vector<double> StandingTree::loads(const std::vector<WheelSpring>& springs) const {
  std::vector<double> loads;
  for (std::size_t w = 0; w < wheels_.size(); ++w)
    loads.push_back(springs[w].force(-gaps_[w].smooth));
  return loads;
}

void StandingTree::lie_on(const GroundPlane& plane) {
  VecX u = u_;
  // The chassis' z along the normal, its x above the heading.
  const Vec3 ahead(std::cos(heading_), std::sin(heading_), 0);
  const Vec3 left = plane.normal.cross(ahead).normalized();
  Mat3 R;
  R.col(0) = left.cross(plane.normal);
  R.col(1) = left;
  R.col(2) = plane.normal;
  const Vec3 rpy = rpy_from_rotation(R);
  u[kRoll] = rpy.x();
  u[kPitch] = rpy.y();
  move_to(u);
  double mean = 0;
  for (const WheelGap& gap : gaps_) mean += gap.smooth / static_cast<double>(gaps_.size());
  u[kHeight] -= mean;
  u_ = u;
  move_to(u_);
}

double StandingTree::potential() const {
  double sum = potential_energy(world_.model, kinematics_, q_.data(), 0);
  if (world_.model.loop_row_count() > 0) {
    sum += kLoopStiffness / 2 * loops_.residual.squaredNorm();
  }
  return sum;
}

double StandingTree::energy(const std::vector<WheelSpring>& springs) const {
  double sum = potential() + load_.dot(here_);
  for (std::size_t w = 0; w < springs.size(); ++w) {
    // ∫ V: of a straight line, from where it is zero.
    const double force = springs[w].force(-gaps_[w].smooth);
    sum += force * force / (2 * springs[w].stiffness);
  }
  return sum;
}

VecX StandingTree::potential_gradient(const VecX& u) {
  VecX gradient(u.size());
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    VecX there = u;
    there[i] = u[i] + kStep;
    move_to(there);
    const double above = potential();
    there[i] = u[i] - kStep;
    move_to(there);
    gradient[i] = (above - potential()) / (2 * kStep);
  }
  return gradient;
}

MatX StandingTree::potential_hessian(const VecX& u) {
  MatX hessian(u.size(), u.size());
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    VecX there = u;
    there[i] = u[i] + kWideStep;
    const VecX above = potential_gradient(there);
    there[i] = u[i] - kWideStep;
    hessian.col(i) = (above - potential_gradient(there)) / (2 * kWideStep);
  }
  return (hessian + hessian.transpose()) / 2;
}

StandingTree::Slopes StandingTree::slopes(const std::vector<WheelSpring>& springs,
                                          const MatX& of_potential) {
  const VecX u = u_;
  Slopes result{.gradient = potential_gradient(u), .hessian = of_potential};
  MatX J(wheels_.size(), u.size());  // of the wheels' depths
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    VecX there = u;
    there[i] = u[i] + kStep;
    move_to(there);
    std::vector<WheelGap> above = gaps_;
    there[i] = u[i] - kStep;
    move_to(there);
    for (std::size_t w = 0; w < wheels_.size(); ++w) {
      J(static_cast<Eigen::Index>(w), i) = (gaps_[w].smooth - above[w].smooth) / (2 * kStep);
    }
  }
  move_to(u);
  result.gradient += load_;
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    const double force = springs[w].force(-gaps_[w].smooth);
    const auto row = J.row(static_cast<Eigen::Index>(w));
    result.gradient += force * row.transpose();
    if (force > 0 || springs[w].glued) {
      result.hessian += springs[w].stiffness * row.transpose() * row;
    }
  }
  return result;
}

std::optional<double> StandingTree::descend(const Slopes& slopes,
                                            const std::vector<WheelSpring>& springs,
                                            double& damping) {
  constexpr double kLargest = 0.2;  // step at once [m], [rad]
  const VecX before = u_;
  const double here = energy(springs), most = kMostDamping * scale();
  for (; damping < most; damping *= 10) {
    MatX hessian = slopes.hessian;
    hessian.diagonal().array() += damping;
    VecX move = -hessian.ldlt().solve(slopes.gradient);
    const double size = move.cwiseAbs().maxCoeff();
    if (!(move.dot(slopes.gradient) < 0) || !std::isfinite(size)) continue;
    if (size > kLargest) move *= kLargest / size;
    move_to(before + move);
    if (!(energy(springs) < here)) {
      if (size < kEnough) break;
      continue;
    }
    u_ = before + move;
    damping *= 0.1;
    return size;
  }
  move_to(before);
  return std::nullopt;
}

std::vector<Vec3> StandingTree::wheel_forces(const std::vector<double>& loads) const {
  const ElevationMap& map = world_.ground->map;
  std::vector<Vec3> forces;
  std::vector<Vec2> ahead;
  double held = 0, all = 0;  // along the slope, by vertical forces; the same to be held by drives
  std::vector<double> own;
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    const Vec3& p = gaps_[w].point;
    const Vec2 direction = Vec3(axle_of(*wheels_[w]).cross(Vec3::UnitZ())).head<2>();
    ahead.push_back(direction.norm() > 0 ? Vec2(direction.normalized()) : Vec2(Vec2::Zero()));
    if (ahead.back().dot(Vec2(std::cos(heading_), std::sin(heading_))) < 0) ahead.back() *= -1;
    // A vertical force on ground that rises ahead has a part along the ground, which a drive would have to hold.
    const double rise =
        map.plane_under(p.head<2>(), wheels_[w]->radius / 2).normal.head<2>().dot(ahead.back());
    own.push_back(-loads[w] * rise);
    held += own.back();
    all += drive_shares_[w];
    forces.emplace_back(0, 0, loads[w]);
  }
  for (std::size_t w = 0; all > 0 && w < wheels_.size(); ++w) {
    forces[w].head<2>() += (drive_shares_[w] * held - own[w]) * ahead[w];
  }
  return forces;
}

std::vector<StandingTree::WheelRates> StandingTree::wheel_rates() {
  const VecX u = u_;
  std::vector<Vec3> points;  // where they touch, fixed in the wheels
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    points.push_back(kinematics_.X_WB[at(wheels_[w]->body)].inverse() * gaps_[w].point);
  }
  const auto cols = u.size();
  std::vector<WheelRates> rates(wheels_.size(), {MatX::Zero(3, cols), MatX::Zero(1, cols)});
  for (Eigen::Index i = 0; i < cols; ++i) {
    for (const double side : {1.0, -1.0}) {
      VecX there = u;
      there[i] += side * kStep;
      move_to(there);
      for (std::size_t w = 0; w < wheels_.size(); ++w) {
        const Vec3 p = kinematics_.X_WB[at(wheels_[w]->body)] * points[w];
        rates[w].point.col(i) += side / (2 * kStep) * p;
        rates[w].depth(0, i) -= side / (2 * kStep) * gaps_[w].smooth;
      }
    }
  }
  move_to(u);
  return rates;
}

void StandingTree::lean(const std::vector<WheelSpring>& springs) {
  const std::vector<double> borne = loads(springs);
  const std::vector<Vec3> forces = wheel_forces(borne);
  const std::vector<WheelRates> rates = wheel_rates();
  VecX load = VecX::Zero(u_.size());
  for (std::size_t w = 0; w < wheels_.size(); ++w) {
    load -= borne[w] * rates[w].depth.transpose() + rates[w].point.transpose() * forces[w];
  }
  load_ = (load_ + load) / 2;  // half of the way, so that soft suspensions do not swing to and fro
}

void StandingTree::lean_no_more() { load_.setZero(); }

bool StandingTree::balance(const std::vector<WheelSpring>& springs) {
  constexpr int kMostSteps = 80;
  const MatX of_potential = potential_hessian(u_);
  double damping = 1e-6 * scale();
  for (int step = 0; step < kMostSteps; ++step) {
    const Slopes now = slopes(springs, of_potential);
    const std::optional<double> moved = descend(now, springs, damping);
    if (!moved || *moved < kEnough) break;
  }
  return u_.allFinite();
}

}  // namespace grouser::internal
