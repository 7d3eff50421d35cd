#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "multibody/loops.h"
#include "sim/placement.h"
#include "sim/wheel_gap.h"

namespace grouser::internal {

/// How the ground bears a wheel near where it stands: V = load + stiffness (depth - sinkage), >= 0 unless glued.
struct WheelSpring {
  double load = 0;       ///< vertical force at the sinkage [N]
  double sinkage = 0;    ///< vertical depth of the wheel in the ground, by WheelGap::smooth [m]
  double stiffness = 1;  ///< [N/m], > 0
  bool glued = false;    ///< it pulls, too

  double force(double depth) const;  ///< [N]
};

/// The tree of a rover that is set on its wheels, as a function of the height and tilt of its chassis and of its free
/// joints: those without actuators, of plain coordinates, that are neither drives nor steering.
class StandingTree {
 public:
  StandingTree(const World& world, const PlaceRequest& request);

  std::size_t wheel_count() const { return wheels_.size(); }
  double weight() const { return weight_; }       ///< of the tree [N]
  double reach() const { return reach_; }         ///< of the wheels around the chassis [m]
  const VecX& positions() const { return q_; }    ///< of the whole model
  const VecX& coordinates() const { return u_; }  ///< height, pitch, roll, free joints
  void set_coordinates(const VecX& u) {
    u_ = u;
    move_to(u_);
  }
  double pitch() const { return u_[1]; }  ///< [rad]
  double roll() const { return u_[2]; }   ///< [rad]
  const std::vector<WheelGap>& gaps() const { return gaps_; }
  const Kinematics& kinematics() const { return kinematics_; }
  const Rover& rover() const { return rover_; }
  Vec3 centre_of_mass() const;                                               ///< of the tree [m]
  std::vector<double> loads(const std::vector<WheelSpring>& springs) const;  ///< per wheel [N]

  /// Tilts the chassis like the ground, lowest wheel on it.
  void lie_on(const GroundPlane& plane);
  /// Moves to the nearest minimum of energy: wheels without friction, below a chassis that is held at its sides, but
  /// for what lean() found. Stops after some steps: where the ground is rough, the last ones are small. Returns whether
  /// it is anywhere.
  bool balance(const std::vector<WheelSpring>& springs);
  /// Finds what friction does at the present pose to the coordinates: drives are on, the force on each wheel is
  /// vertical but for what lets each drive hold its share of the slope. Goes half of the way there from
  /// what was found before; nothing at first.
  void lean(const std::vector<WheelSpring>& springs);
  void lean_no_more();

 private:
  /// Energy and its derivatives in the coordinates.
  struct Slopes {
    VecX gradient;  ///< [J/m], [J/rad]
    MatX hessian;   ///< positive semidefinite but for gravity's part
  };

  /// How a wheel moves with the coordinates.
  struct WheelRates {
    MatX point;  ///< 3 rows: where it touches, its drive locked
    MatX depth;  ///< 1 row: in the ground
  };

  std::vector<WheelRates> wheel_rates();
  std::vector<Vec3> wheel_forces(const std::vector<double>& loads) const;
  void find_drives();
  void find_free_joints(const PlaceRequest& request);
  void move_to(const VecX& u);
  double potential() const;  ///< gravity, springs, stops, loops [J]
  double energy(const std::vector<WheelSpring>& springs) const;  ///< with wheels [J]
  Slopes slopes(const std::vector<WheelSpring>& springs, const MatX& of_potential);
  MatX potential_hessian(const VecX& u);
  VecX potential_gradient(const VecX& u);
  /// A step of Levenberg and Marquardt down the energy. Returns its size [m], [rad]; nothing if no step leads down.
  std::optional<double> descend(const Slopes& slopes, const std::vector<WheelSpring>& springs,
                                double& damping);
  double scale() const { return weight_ * std::max(reach_, 0.1); }  ///< of energies [J]
  Vec3 axle_of(const Wheel& wheel) const;

  const World& world_;
  const Rover& rover_;
  Vec2 at_;
  double heading_;
  int root_ = 0;             // body with the free joint
  std::vector<int> joints_;  // free ones: position indices
  std::vector<double>
      drive_shares_;  // per wheel: of the force along the slope that drives hold [-]
  double weight_ = 0, reach_ = 0;
  std::vector<const Wheel*> wheels_;
  VecX q_, v_, u_;
  VecX here_;  // coordinates of the pose that is looked at: u_, but on the way
  VecX load_;  // of friction, on the coordinates [N], [N m]
  Kinematics kinematics_;
  LoopEquations loops_;
  std::vector<WheelGap> gaps_;
};

}  // namespace grouser::internal
