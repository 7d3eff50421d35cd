#pragma once

#include <initializer_list>
#include <string>

#include "core/rng.h"
#include "multibody/kinematics.h"
#include "multibody/loops.h"
#include "multibody/model.h"

/// Models shared by the tests of the multibody algorithms.
namespace grouser::internal {

/// ExoMars-like chassis: 16 bodies, 21 velocities. INRIA report RT-448, model A.
ModelSpec rover_tree();

struct RandomTreeOptions {
  int bodies = 12;
  bool armature = true;
  bool all_joint_types = true;  ///< else revolute and prismatic only
  bool free_roots = false;      ///< every tree hangs on a free joint
  bool passive_laws = false;    ///< springs, dampers, friction and end stops at the joints
  bool force_elements = false;  ///< springs and tethers between bodies and to the world
  bool prescribed = false;      ///< half of the revolute and prismatic joints follow a motion
  bool loops = false;           ///< one of each kind between any two bodies; they are not closed
};

/// Trees of any shape with any joints and inertias.
ModelSpec random_tree(CounterRng& rng, const RandomTreeOptions& options = {});

/// A point in state space with unit quaternions.
VecX random_positions(const Model& model, CounterRng& rng);
VecX numbers(std::initializer_list<double> list);
VecX random_vector(int size, CounterRng& rng, double scale = 1);
Vec3 random_vec3(CounterRng& rng, double scale = 1);
RigidInertia random_inertia(CounterRng& rng);

/// A random tree with a random state and loads, and the kinematics of that state.
struct RandomSystem {
  explicit RandomSystem(std::uint64_t seed, const RandomTreeOptions& options = {});

  CounterRng rng;
  Model model;
  Kinematics kinematics;
  VecX q, v;
  VecX vdot, tau;
  std::vector<Wrench> wrenches;
};

/// The bodies of random_tree() with one loop of each kind, all closed at the random state q; loops
/// that depend on each other occur.
struct ClosedSystem {
  explicit ClosedSystem(std::uint64_t seed, const RandomTreeOptions& options = {});

  CounterRng rng;
  VecX q;
  ModelSpec spec;
  Model model;
};

/// Tests of identities run over the seeds 0 ... kRandomSystems - 1.
inline constexpr std::uint64_t kRandomSystems = 200;

/// False where a stop, a slack tether or half a turn of a ball joint is so near that differences
/// would straddle it; the elastic energy has a kink there.
bool is_smooth(const RandomSystem& system, double time);

Kinematics kinematics_at(const Model& model, const VecX& q, const VecX& v);
LoopEquations equations_at(const Model& model, const VecX& q, const VecX& v);

/// q moved along v for t [s].
VecX advanced(const Model& model, VecX q, const VecX& v, double t);

/// |actual - expected| over |expected|, or over `scale` if that is larger.
double relative_error(const MatX& actual, const MatX& expected, double scale = 0);

/// A homogeneous rod along -z from its origin.
RigidInertia rod(double mass, double length);

/// A homogeneous rod along x from its origin.
RigidInertia rod_along_x(double mass, double length);

/// One body on the world.
ModelSpec one_body(const JointSpec& joint, const RigidInertia& inertia);

/// n equal rods [length 1 m, mass 1 kg] hanging in a chain, turning about y.
ModelSpec pendulum_chain(int links);

}  // namespace grouser::internal
