#pragma once

#include "multibody/kinematics.h"

/// Quantities that physics conserves, and the centre of mass.
namespace grouser::internal {

/// ½ Σ V·I V + ½ Σ armature v² [J].
double kinetic_energy(const Model& model, const Kinematics& kinematics, const double* v);

/// Gravity (zero at the origin of W), joint springs and end stops, spring elements and tethers [J].
double potential_energy(const Model& model, const Kinematics& kinematics, const double* q,
                        double time);

/// Momentum of all bodies: `force` = linear [kg m/s], `torque` = angular about the origin of W
/// [kg m²/s], axes of W. Armature carries none: its spin axis is not modelled.
Wrench momentum(const Model& model, const Kinematics& kinematics);

/// In W [m]; the origin if nothing has mass.
Vec3 center_of_mass(const Model& model, const Kinematics& kinematics);

}  // namespace grouser::internal
