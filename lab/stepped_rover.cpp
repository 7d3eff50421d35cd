#include "lab/stepped_rover.h"

#include <algorithm>
#include <cmath>

#include "core/index.h"

namespace grouser::internal {
namespace {

RigidInertia diagonal(double mass, const Vec3& moments) {
  RigidInertia inertia;
  inertia.mass = mass;
  inertia.about_com = moments.asDiagonal();
  return inertia;
}

RigidInertia box(double mass, double x, double y, double z) {
  return diagonal(mass, mass / 12 * Vec3(y * y + z * z, x * x + z * z, x * x + y * y));
}

int add(ModelSpec& spec, const std::string& name, int parent, const Vec3& position,
        const Vec3& axis, const RigidInertia& inertia) {
  BodySpec body{.name = name, .inertia = inertia, .parent = parent};
  body.joint.name = name + "_joint";
  body.joint.type = parent == kWorld ? JointType::free : JointType::revolute;
  body.joint.X_PF.p = position;
  body.joint.axis = axis;
  spec.bodies.push_back(body);
  return static_cast<int>(spec.bodies.size()) - 1;
}

}  // namespace

SteppedRover rover_a(double slope) {
  SteppedRover rover{.radius = 0.129, .height = 0.57875};
  ModelSpec& spec = rover.spec;
  spec.gravity = 3.69 * Vec3(-std::sin(slope), 0, -std::cos(slope));
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const RigidInertia steer = box(1, 0.125964, 0.138849, 0.227982);
  const RigidInertia wheel = diagonal(0.1, Vec3(4.2353e-4, 8.3205e-4, 4.2353e-4));
  const auto add_wheel = [&](const std::string& name, int parent, const Vec3& position) {
    const int fork = add(spec, name + "_steer", parent, position, z, steer);
    rover.wheels.push_back(add(spec, name + "_wheel", fork, Vec3(0, 0, -0.221908), y, wheel));
  };
  add(spec, "trunk", kWorld, Vec3::Zero(), z, box(50, 0.713, 0.896, 0.5655));
  const int rear =
      add(spec, "rear", 0, Vec3(-0.4139999, 0, -0.16375), x, box(4, 0.261, 1.044, 0.184284));
  for (const double side : {1.0, -1.0}) {
    add_wheel(side > 0 ? "rear_left" : "rear_right", rear,
              Vec3(-0.2235, side * 0.601203, -0.064092));
  }
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    const int bogie = add(spec, name, 0, Vec3(0.4025001, side * 0.4705, -0.23375), y,
                          box(2, 0.0870001, 0.612, 0.112));
    add_wheel("centre_" + name, bogie, Vec3(-0.32, side * 0.130703, 0.005908));
    add_wheel("front_" + name, bogie, Vec3(0.32, side * 0.130703, 0.005908));
  }
  return rover;
}

SteppedRover rover_b(double slope) {
  SteppedRover rover{.radius = 30, .up = Vec3::UnitY(), .height = 55};
  ModelSpec& spec = rover.spec;
  spec.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  // Not given by the paper, and without effect on motion straight ahead: all but the wheels' spin.
  const RigidInertia steer = box(6, 10, 20, 10), wheel = diagonal(14, Vec3(400, 400, 700));
  const auto add_wheel = [&](const std::string& name, int parent, const Vec3& position) {
    const int fork = add(spec, name + "_steer", parent, position, y, steer);
    rover.wheels.push_back(add(spec, name + "_wheel", fork, Vec3(0, -15, 0), z, wheel));
  };
  add(spec, "trunk", kWorld, Vec3::Zero(), y, box(700, 100, 50, 80));
  const int front = add(spec, "front", 0, Vec3(62, -10, 0), x, box(20, 10, 10, 106));
  for (const double side : {-1.0, 1.0}) {
    add_wheel(side < 0 ? "front_left" : "front_right", front, Vec3(0, 0, side * 53));
  }
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0 ? "left" : "right";
    const int axle = add(spec, name, 0, Vec3(-40, -10, side * 53), z, box(20, 60, 10, 10));
    add_wheel("centre_" + name, axle, Vec3(30, 0, 0));
    add_wheel("back_" + name, axle, Vec3(-30, 0, 0));
  }
  return rover;
}

RoverStepper::RoverStepper(const SteppedRover& rover, const SteppedRoverOptions& options)
    : rover_(rover),
      options_(options),
      model_(rover.spec),
      stepper_(model_, {.theta = 0.5, .cone = {.tolerance = options.tolerance}}),
      q_(model_.neutral_positions()),
      v_(VecX::Zero(model_.velocity_size())),
      tau_(v_),
      inertia_(v_),
      contacts_(rover.wheels.size()),
      wrenches_(rover.wheels.size()) {
  q_.segment<3>(4) = rover.height * rover.up;
  for (const int wheel : rover.wheels) {
    steering_.push_back(model_.joints()[at(model_.joints()[at(wheel)].parent)].v);
  }
}

double RoverStepper::time() const { return static_cast<double>(steps_) * options_.step; }

double RoverStepper::wheel_rate(std::size_t wheel) const {
  return v_[model_.joints()[at(rover_.wheels[wheel])].v];
}

void RoverStepper::run_to(double time) {
  while (this->time() < time - 0.5 * options_.step) step();
}

void RoverStepper::step() {
  const double h = options_.step, theta = stepper_.options().theta;
  const double k = options_.steering_stiffness, d = options_.steering_damping;
  stepper_.begin(q_.data(), v_.data(), h);
  tau_.setZero();
  inertia_.setZero();
  for (const int dof : steering_) {
    tau_[dof] = -k * stepper_.midway_q()[model_.position_of_dof(dof)] - d * v_[dof];
    inertia_[dof] = theta * h * d + theta * theta * h * h * k;
  }
  const double steps = static_cast<double>(steps_);
  const double torque =
      options_.torque ? 0.5 * (options_.torque(steps) + options_.torque(steps + 1)) : 0;
  for (const int wheel : rover_.wheels) {
    tau_[model_.joints()[at(wheel)].v] = options_.forward * torque;
  }
  const auto span = [](const VecX& x) {
    return std::span<const double>(x.data(), static_cast<std::size_t>(x.size()));
  };
  stepper_.push({.tau = span(tau_), .dof_inertia = span(inertia_)});
  for (std::size_t w = 0; w < contacts_.size(); ++w) {
    const Vec3& centre = stepper_.free_end().X_WB[at(rover_.wheels[w])].p;
    contacts_[w] = {.body_a = rover_.wheels[w],
                    .p_Wa = centre - rover_.radius * rover_.up,
                    .normal = rover_.up,
                    .gap = rover_.up.dot(centre) - rover_.radius,
                    .friction = options_.friction,
                    .restitution = options_.restitution};
  }
  const StepReport report = stepper_.finish(contacts_, {}, wrenches_, {}, q_.data(), v_.data());
  worst_residual_ = std::max(worst_residual_, report.cone.residual);
  unsolved_ += report.cone.solved ? 0 : 1;
  ++steps_;
}

}  // namespace grouser::internal
