// The tree algorithms against Simbody (Sherman, Seth & Delp 2011), which shares no code with ours.
#include <gtest/gtest.h>

#ifdef GROUSER_HAVE_SIMBODY

// Debian builds Simbody without NDEBUG, which adds members to classes of its headers.
#undef NDEBUG
#include <Simbody.h>

#include "math/rotation.h"
#include "multibody/aba.h"
#include "multibody/crba.h"
#include "multibody/test_models.h"

namespace grouser::internal {
namespace {

SimTK::Vec3 to_simtk(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

SimTK::Transform to_simtk(const Pose& X) {
  const SimTK::Mat33 R(X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1), X.R(1, 2), X.R(2, 0),
                       X.R(2, 1), X.R(2, 2));
  return {SimTK::Rotation(R, true), to_simtk(X.p)};
}

SimTK::MassProperties to_simtk(const RigidInertia& inertia) {
  const Mat3 I = inertia.about_origin();
  return {inertia.mass, to_simtk(inertia.com),
          SimTK::Inertia(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2))};
}

VecX from_simtk(const SimTK::Vector& v) {
  VecX out(v.size());
  for (int i = 0; i < v.size(); ++i) out[i] = v[i];
  return out;
}

/// The same tree in Simbody. Its coordinates and ours agree for the joints used here: quaternion
/// and angular velocity in the parent's axes, then position; angles and travels otherwise.
class Twin {
 public:
  explicit Twin(const ModelSpec& spec)
      : matter_(system_),
        forces_(system_),
        gravity_(forces_, matter_, to_simtk(spec.gravity)),
        applied_(forces_, matter_) {
    for (const BodySpec& body : spec.bodies) add(body);
    state_ = system_.realizeTopology();
  }

  void set(const VecX& q, const VecX& v) {
    for (int i = 0; i < state_.getNQ(); ++i) state_.updQ()[i] = q[i];
    for (int i = 0; i < state_.getNU(); ++i) state_.updU()[i] = v[i];
  }
  VecX accelerations(const VecX& tau, const std::vector<Wrench>& wrenches) {
    SimTK::Vector mobility(state_.getNU());
    for (int i = 0; i < state_.getNU(); ++i) mobility[i] = tau[i];
    SimTK::Vector_<SimTK::SpatialVec> loads(matter_.getNumBodies(), SimTK::SpatialVec(0));
    for (std::size_t b = 0; b < wrenches.size(); ++b) {
      loads[static_cast<int>(b) + 1] = {to_simtk(wrenches[b].torque), to_simtk(wrenches[b].force)};
    }
    applied_.setAllMobilityForces(state_, mobility);
    applied_.setAllBodyForces(state_, loads);
    system_.realize(state_, SimTK::Stage::Acceleration);
    return from_simtk(state_.getUDot());
  }
  MatX mass_matrix() {
    system_.realize(state_, SimTK::Stage::Position);
    SimTK::Matrix M;
    matter_.calcM(state_, M);
    MatX out(M.nrow(), M.ncol());
    for (int j = 0; j < M.ncol(); ++j) out.col(j) = from_simtk(SimTK::Vector(M.col(j)));
    return out;
  }

 private:
  void add(const BodySpec& body) {
    using Mobilizer = SimTK::MobilizedBody;
    const SimTK::Body::Rigid rigid(to_simtk(body.inertia));
    Mobilizer& parent = body.parent == kWorld
                            ? static_cast<Mobilizer&>(matter_.Ground())
                            : matter_.updMobilizedBody(SimTK::MobilizedBodyIndex(body.parent + 1));
    const JointSpec& joint = body.joint;
    // Simbody's pins turn about z, its sliders slide along x, its universals turn about x then y.
    const auto place = [&](const Mat3& R, auto make) {
      const Pose turn{R, Vec3::Zero()};
      const SimTK::Transform X_PF = to_simtk(joint.X_PF * turn), X_BM = to_simtk(turn);
      make(parent, X_PF, rigid, X_BM);
    };
    switch (joint.type) {
      case JointType::free:
        Mobilizer::Free(parent, to_simtk(joint.X_PF), rigid, SimTK::Transform());
        break;
      case JointType::spherical:
        Mobilizer::Ball(parent, to_simtk(joint.X_PF), rigid, SimTK::Transform());
        break;
      case JointType::revolute:
        place(frame_with_z(joint.axis), [](auto&... arguments) { Mobilizer::Pin(arguments...); });
        break;
      case JointType::prismatic: {
        const Mat3 z = frame_with_z(joint.axis);
        Mat3 R;
        R << z.col(2), z.col(0), z.col(1);
        place(R, [](auto&... arguments) { Mobilizer::Slider(arguments...); });
        break;
      }
      case JointType::universal: {
        Mat3 R;
        R << joint.axis, joint.axis2, joint.axis.cross(joint.axis2);
        place(R, [](auto&... arguments) { Mobilizer::Universal(arguments...); });
        break;
      }
      default:
        FAIL() << "Simbody has no " << to_string(joint.type) << " joint with our coordinates";
    }
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::Force::UniformGravity gravity_;
  SimTK::Force::DiscreteForces applied_;
  SimTK::State state_;
};

/// Compares mass matrices and accelerations at random states under random loads.
void compare(const ModelSpec& spec, std::uint64_t seed) {
  const Model model(spec);
  Twin twin(spec);
  CounterRng rng(seed);
  AbaScratch scratch(model);
  MassMatrix M(model);
  for (int i = 0; i < 100; ++i) {
    const int n = model.velocity_size();
    const VecX q = random_positions(model, rng), v = random_vector(n, rng, 2);
    const VecX tau = random_vector(n, rng, 10);
    std::vector<Wrench> wrenches(static_cast<std::size_t>(model.body_count()));
    for (Wrench& F : wrenches) F = {random_vec3(rng, 10), random_vec3(rng, 10)};
    const Kinematics kinematics = kinematics_at(model, q, v);
    VecX vdot = VecX::Zero(n);
    aba(model, kinematics, tau.data(), wrenches, scratch, vdot.data());
    crba(model, kinematics, M);
    twin.set(q, v);
    EXPECT_LE(relative_error(M.dense(), twin.mass_matrix()), 1e-12);            // measured 3e-15
    EXPECT_LE(relative_error(vdot, twin.accelerations(tau, wrenches)), 1e-11);  // measured 5e-13
  }
}

/// Six links in a row with any frames and inertias, and the given joints.
ModelSpec chain(const std::vector<JointType>& types, std::uint64_t seed) {
  CounterRng rng(seed);
  ModelSpec spec;
  spec.gravity = random_vec3(rng, 10);
  for (int i = 0; i < 6; ++i) {
    BodySpec body;
    body.name = "link" + std::to_string(i);
    body.parent = i - 1;
    body.inertia = random_inertia(rng);
    body.joint.type = types[static_cast<std::size_t>(i) % types.size()];
    body.joint.X_PF = {rotation_from_rpy(random_vec3(rng, 3)), random_vec3(rng)};
    const Mat3 R = rotation_from_rpy(random_vec3(rng, 3));
    body.joint.axis = R.col(0);
    body.joint.axis2 = R.col(1);
    spec.bodies.push_back(body);
  }
  return spec;
}

TEST(Simbody, Rover) { compare(rover_tree(), 1); }

TEST(Simbody, ChainOfSixHinges) { compare(chain({JointType::revolute}, 2), 2); }

TEST(Simbody, ChainOfMixedJoints) {
  compare(chain({JointType::spherical, JointType::prismatic, JointType::universal}, 3), 3);
}

}  // namespace
}  // namespace grouser::internal

#else

TEST(Simbody, Rover) { GTEST_SKIP() << "Simbody is not installed (Debian: libsimbody-dev)"; }

#endif
