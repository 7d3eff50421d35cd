#pragma once

#include "multibody/kinematics.h"

/// Forces that the model itself applies: passive joint laws, springs and tethers.
namespace grouser::internal {

/// Length, its rate and direction of the line from a to b.
struct LineOfAction {
  Vec3 p_Wa, p_Wb;
  Vec3 direction = Vec3::Zero();  ///< unit, from a to b; zero if the points coincide
  double length = 0;              ///< [m]
  double rate = 0;                ///< [m/s]
};

LineOfAction line_between(const Model& model, const Kinematics& kinematics, const BodyPoint& a,
                          const BodyPoint& b);

/// Pull [N] along the line, positive pulling the points together.
double spring_force(const SpringDamper& spring, const LineOfAction& line);
/// Tension [N], never negative.
double tether_tension(const Tether& tether, const LineOfAction& line, double time);

/// Adds the forces of springs and dampers at the joints to tau.
void add_joint_springs(const Model& model, const double* q, const double* v, double* tau);

/// Adds all passive joint forces to tau: springs, dampers, friction and end stops, both made smooth.
void add_passive_joint_forces(const Model& model, const double* q, const double* v, double* tau);

/// Adds the wrenches of springs and tethers, at the body origins, axes of W.
void add_element_wrenches(const Model& model, const Kinematics& kinematics, double time,
                          std::span<Wrench> wrenches);

/// Energy stored in joint springs, end stops, spring elements and taut tethers [J].
double elastic_energy(const Model& model, const Kinematics& kinematics, const double* q,
                      double time);

}  // namespace grouser::internal
