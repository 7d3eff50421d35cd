#include "multibody/test_models.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/rotation.h"

namespace grouser::internal {
namespace {

RigidInertia box(double mass, double x, double y, double z) {
  RigidInertia inertia;
  inertia.mass = mass;
  inertia.about_com = Vec3(y * y + z * z, x * x + z * z, x * x + y * y).asDiagonal() *
                      Mat3::Identity() * (mass / 12);
  return inertia;
}

int add(ModelSpec& spec, std::string name, int parent, JointType type, const Vec3& position,
        const Vec3& axis, const RigidInertia& inertia) {
  BodySpec body;
  body.name = name;
  body.parent = parent;
  body.inertia = inertia;
  body.joint.name = name + "_joint";
  body.joint.type = type;
  body.joint.X_PF.p = position;
  body.joint.axis = axis;
  spec.bodies.push_back(body);
  return static_cast<int>(spec.bodies.size()) - 1;
}

int any_body(CounterRng& rng, const ModelSpec& spec) {
  return static_cast<int>(rng.index(spec.bodies.size()));
}

/// A point on any body and one on another body or the world.
std::pair<BodyPoint, BodyPoint> any_two_points(CounterRng& rng, const ModelSpec& spec) {
  const int a = any_body(rng, spec);
  int b = a;
  while (b == a) b = any_body(rng, spec) - 1;  // -1 is the world
  const Vec3 p_a = random_vec3(rng), p_b = random_vec3(rng);
  return {{a, p_a}, {b, p_b}};
}

/// Velocity indices of the joints for which `wanted(type)` holds.
template <class Wanted>
std::vector<int> dofs_of(const ModelSpec& spec, Wanted&& wanted) {
  std::vector<int> found;
  int dof = 0;
  for (const BodySpec& body : spec.bodies) {
    const int count = velocity_count(body.joint.type);
    for (int k = 0; k < count; ++k, ++dof) {
      if (wanted(body.joint.type)) found.push_back(dof);
    }
  }
  return found;
}

/// Stops are near enough for random positions to lie on either side of them.
DofLaw random_law(CounterRng& rng, bool with_stops) {
  DofLaw law;
  law.stiffness = rng.uniform(0, 10);
  law.damping = rng.uniform(0, 2);
  law.friction = rng.uniform(0, 2);
  law.friction_speed = rng.uniform(0.5, 2);
  if (!with_stops) return law;
  law.rest = rng.uniform(-1, 1);
  law.lower = rng.uniform(-2, 0);
  law.upper = rng.uniform(0, 2);
  law.stop_stiffness = rng.uniform(10, 100);
  law.stop_damping = rng.uniform(0, 5);
  return law;
}

void add_passive_laws(CounterRng& rng, ModelSpec& spec) {
  for (BodySpec& body : spec.bodies) {
    JointSpec& joint = body.joint;
    if (joint.type == JointType::free || joint.type == JointType::fixed) continue;
    DofLaw law = random_law(rng, has_plain_coordinates(joint.type));
    law.armature = joint.laws.empty() ? 0 : joint.laws[0].armature;
    joint.laws = {law};
  }
}

void add_force_elements(CounterRng& rng, ModelSpec& spec) {
  for (int i = 0; i < 3; ++i) {
    const auto [a, b] = any_two_points(rng, spec);
    spec.springs.push_back({.name = "spring" + std::to_string(i),
                            .a = a,
                            .b = b,
                            .stiffness = rng.uniform(0, 50),
                            .damping = rng.uniform(0, 5),
                            .rest_length = rng.uniform(0, 2)});
    const auto [c, d] = any_two_points(rng, spec);
    spec.tethers.push_back({.name = "tether" + std::to_string(i),
                            .a = c,
                            .b = d,
                            .stiffness = rng.uniform(1, 50),
                            .damping = rng.uniform(0, 1),
                            .length = rng.uniform(0.5, 2),
                            .rate = rng.uniform(-0.3, 0.3)});
  }
}

void add_prescribed(CounterRng& rng, ModelSpec& spec) {
  const auto one_dof = [](JointType type) {
    return type == JointType::revolute || type == JointType::prismatic;
  };
  for (const int dof : dofs_of(spec, one_dof)) {
    if (rng.index(2)) continue;
    spec.actuators.push_back(
        {.name = "drive" + std::to_string(dof), .type = ActuatorType::prescribed, .dof = dof});
  }
}

void add_loops(CounterRng& rng, ModelSpec& spec) {
  const auto [a, b] = any_two_points(rng, spec);
  spec.loops.push_back({"ball", BallLoop{a, b}});
  const auto [c, d] = any_two_points(rng, spec);
  const Vec3 axis_c = random_vec3(rng).normalized(), axis_d = random_vec3(rng).normalized();
  spec.loops.push_back({"hinge", HingeLoop{c, d, axis_c, axis_d}});
  const auto [e, f] = any_two_points(rng, spec);
  spec.loops.push_back({"distance", DistanceLoop{e, f, rng.uniform(0.5, 2)}});
  CouplingLoop coupling{.offset = rng.uniform(-1, 1)};
  for (const int dof : dofs_of(spec, has_plain_coordinates)) {
    if (coupling.terms.size() < 3) coupling.terms.push_back({dof, rng.uniform(0.5, 2)});
  }
  if (!coupling.terms.empty()) spec.loops.push_back({"coupling", coupling});
}

/// Moves the ends b of the loops, their lengths and offsets so that they are closed at q.
void close_loops(const Model& model, const VecX& q, ModelSpec& spec) {
  const Kinematics k = kinematics_at(model, q, VecX::Zero(model.velocity_size()));
  const auto pose = [&k](int body) {
    return body == kWorld ? Pose{} : k.X_WB[static_cast<std::size_t>(body)];
  };
  const auto move_b = [&](const BodyPoint& a, BodyPoint& b) {
    b.p_B = pose(b.body).inverse() * position_of(k, a);
  };
  for (Loop& loop : spec.loops) {
    if (auto* ball = std::get_if<BallLoop>(&loop.law)) {
      move_b(ball->a, ball->b);
    } else if (auto* hinge = std::get_if<HingeLoop>(&loop.law)) {
      move_b(hinge->a, hinge->b);
      const Vec3 axis_W = pose(hinge->a.body).R * hinge->axis_a;
      hinge->axis_b = pose(hinge->b.body).R.transpose() * axis_W;
    } else if (auto* distance = std::get_if<DistanceLoop>(&loop.law)) {
      distance->length = (position_of(k, distance->a) - position_of(k, distance->b)).norm();
    } else if (auto* coupling = std::get_if<CouplingLoop>(&loop.law)) {
      coupling->offset = 0;
      for (const CouplingLoop::Term& term : coupling->terms) {
        coupling->offset += term.factor * q[model.position_of_dof(term.dof)];
      }
    }
  }
}

}  // namespace

ModelSpec rover_tree() {
  ModelSpec spec;
  spec.gravity = Vec3(0, 0, -3.69);
  const RigidInertia steering = box(1, 0.125964, 0.138849, 0.227982);
  RigidInertia wheel;
  wheel.mass = 0.1;
  wheel.about_com = Vec3(4.2353e-4, 8.3205e-4, 4.2353e-4).asDiagonal();
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const int trunk =
      add(spec, "trunk", kWorld, JointType::free, Vec3::Zero(), z, box(50, 0.713, 0.896, 0.5655));
  const auto add_leg = [&](const std::string& name, int bogie, const Vec3& at) {
    const int steer = add(spec, "steer_" + name, bogie, JointType::revolute, at, z, steering);
    add(spec, "wheel_" + name, steer, JointType::revolute, Vec3(0, 0, -0.221908), y, wheel);
  };
  const int rear = add(spec, "bogie_rear", trunk, JointType::revolute,
                       Vec3(-0.4139999, 0, -0.16375), x, box(4, 0.261, 1.044, 0.184284));
  add_leg("rear_left", rear, Vec3(-0.2235, 0.601203, -0.064092));
  add_leg("rear_right", rear, Vec3(-0.2235, -0.601203, -0.064092));
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    const int bogie =
        add(spec, "bogie_" + name, trunk, JointType::revolute,
            Vec3(0.4025001, side * 0.4705, -0.23375), y, box(2, 0.0870001, 0.612, 0.112));
    add_leg("centre_" + name, bogie, Vec3(-0.32, side * 0.130703, 0.005908));
    add_leg("front_" + name, bogie, Vec3(0.32, side * 0.130703, 0.005908));
  }
  return spec;
}

Vec3 random_vec3(CounterRng& rng, double scale) {
  const double x = rng.uniform(-scale, scale), y = rng.uniform(-scale, scale);
  return {x, y, rng.uniform(-scale, scale)};
}

VecX random_vector(int size, CounterRng& rng, double scale) {
  VecX x(size);
  for (double& entry : x) entry = rng.uniform(-scale, scale);
  return x;
}

RigidInertia random_inertia(CounterRng& rng) {
  // Second moments of mass are free positive numbers; moments of inertia follow from them.
  const Vec3 s(rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1), rng.uniform(0.01, 0.1));
  RigidInertia inertia;
  inertia.mass = rng.uniform(0.2, 3);
  inertia.com = random_vec3(rng, 0.2);
  const Mat3 R = rotation_from_rpy(random_vec3(rng, 3));
  const Mat3 principal = inertia.mass *
                         Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y()).asDiagonal() *
                         Mat3::Identity();
  inertia.about_com = R * principal * R.transpose();
  inertia.about_com = 0.5 * (inertia.about_com + inertia.about_com.transpose()).eval();
  return inertia;
}

ModelSpec random_tree(CounterRng& rng, const RandomTreeOptions& options) {
  ModelSpec spec;
  spec.gravity = random_vec3(rng, 10);
  int tree_start = 0;
  for (int i = 0; i < options.bodies; ++i) {
    BodySpec body;
    body.name = "body" + std::to_string(i);
    const bool new_tree = i == 0 || rng.index(8) == 0;
    if (new_tree) tree_start = i;
    body.parent =
        new_tree
            ? kWorld
            : tree_start + static_cast<int>(rng.index(static_cast<std::uint64_t>(i - tree_start)));
    body.inertia = random_inertia(rng);
    JointSpec& joint = body.joint;
    joint.name = "joint" + std::to_string(i);
    const std::uint64_t kinds = new_tree ? 7 : 6;  // free joints only on the world
    joint.type = options.all_joint_types
                     ? static_cast<JointType>(rng.index(kinds))
                     : (rng.index(2) ? JointType::revolute : JointType::prismatic);
    if (options.free_roots && new_tree) joint.type = JointType::free;
    if (joint.type != JointType::free) {
      joint.X_PF = {rotation_from_rpy(random_vec3(rng, 3)), random_vec3(rng, 0.5)};
      if (options.armature) joint.laws.push_back({.armature = rng.uniform(0, 0.1)});
    }
    joint.axis = random_vec3(rng).normalized();
    joint.axis2 = (frame_with_z(joint.axis) * Vec3(1, 0, 0.3)).normalized();
    spec.bodies.push_back(body);
  }
  if (options.passive_laws) add_passive_laws(rng, spec);
  if (options.force_elements) add_force_elements(rng, spec);
  if (options.prescribed) add_prescribed(rng, spec);
  if (options.loops) add_loops(rng, spec);
  return spec;
}

RandomSystem::RandomSystem(std::uint64_t seed, const RandomTreeOptions& options)
    : rng(seed),
      model(random_tree(rng, options)),
      kinematics(model),
      q(random_positions(model, rng)),
      v(random_vector(model.velocity_size(), rng)),
      vdot(random_vector(model.velocity_size(), rng, 5)),
      tau(random_vector(model.velocity_size(), rng, 5)) {
  for (int i = 0; i < model.body_count(); ++i) {
    const Vec3 torque = random_vec3(rng, 5);
    wrenches.push_back({torque, random_vec3(rng, 5)});
  }
  forward_kinematics(model, q, v, kinematics);
}

ClosedSystem::ClosedSystem(std::uint64_t seed, const RandomTreeOptions& options)
    : rng(seed), spec(random_tree(rng, options)), model([this] {
        add_loops(rng, spec);
        const Model open(spec);
        q = random_positions(open, rng);
        close_loops(open, q, spec);
        return spec;
      }()) {}

bool is_smooth(const RandomSystem& system, double time) {
  const Model& model = system.model;
  constexpr double kCoordinate = 0.02, kLength = 0.1, kQuaternion = 0.05;
  for (const Joint& joint : model.joints()) {
    if (joint.type == JointType::spherical && std::abs(system.q[joint.q]) < kQuaternion)
      return false;
    if (!has_plain_coordinates(joint.type)) continue;
    for (int k = 0; k < joint.nv; ++k) {
      const DofLaw& law = model.laws()[static_cast<std::size_t>(joint.v + k)];
      const double x = system.q[joint.q + k];
      if (std::abs(x - law.lower) < kCoordinate || std::abs(x - law.upper) < kCoordinate)
        return false;
    }
  }
  const auto is_clear = [&](const Tether& tether) {
    const Vec3 span =
        position_of(system.kinematics, tether.a) - position_of(system.kinematics, tether.b);
    return std::abs(span.norm() - unloaded_length(tether, time).first) > kLength;
  };
  return std::all_of(model.tethers().begin(), model.tethers().end(), is_clear);
}

Kinematics kinematics_at(const Model& model, const VecX& q, const VecX& v) {
  Kinematics kinematics(model);
  forward_kinematics(model, q, v, kinematics);
  return kinematics;
}

LoopEquations equations_at(const Model& model, const VecX& q, const VecX& v) {
  LoopEquations loops(model);
  evaluate_loops(model, kinematics_at(model, q, v), q.data(), loops);
  return loops;
}

VecX numbers(std::initializer_list<double> list) {
  return Eigen::Map<const VecX>(std::data(list), static_cast<Eigen::Index>(list.size()));
}

VecX advanced(const Model& model, VecX q, const VecX& v, double t) {
  advance_positions(model, v.data(), t, q.data());
  return q;
}

double relative_error(const MatX& actual, const MatX& expected, double scale) {
  const double size = std::max(expected.norm(), scale);
  return (actual - expected).norm() / (size > 0 ? size : 1);
}

RigidInertia rod(double mass, double length) {
  RigidInertia inertia;
  inertia.mass = mass;
  inertia.com = Vec3(0, 0, -length / 2);
  inertia.about_com = mass * length * length / 12 * Vec3(1, 1, 0).asDiagonal();
  return inertia;
}

RigidInertia rod_along_x(double mass, double length) {
  RigidInertia inertia;
  inertia.mass = mass;
  inertia.com = Vec3(length / 2, 0, 0);
  inertia.about_com = mass * length * length / 12 * Vec3(0, 1, 1).asDiagonal();
  return inertia;
}

ModelSpec one_body(const JointSpec& joint, const RigidInertia& inertia) {
  ModelSpec spec;
  spec.bodies.push_back({.name = "body", .inertia = inertia, .joint = joint});
  return spec;
}

VecX random_positions(const Model& model, CounterRng& rng) {
  VecX q = random_vector(model.position_size(), rng, 3);
  for (const Joint& joint : model.joints()) {
    if (quaternion_offset(joint.type) >= 0) {
      wxyz_from_rotation(rotation_from_rpy(random_vec3(rng, 3)), q.data() + joint.q);
    }
  }
  return q;
}

ModelSpec pendulum_chain(int links) {
  ModelSpec spec;
  spec.gravity = Vec3(0, 0, -9.81);
  RigidInertia rod = box(1, 0.02, 0.02, 1);
  rod.com = Vec3(0, 0, -0.5);
  for (int i = 0; i < links; ++i) {
    add(spec, "link" + std::to_string(i), i - 1, JointType::revolute,
        i == 0 ? Vec3(0, 0, 0) : Vec3(0, 0, -1), Vec3::UnitY(), rod);
  }
  return spec;
}

}  // namespace grouser::internal
