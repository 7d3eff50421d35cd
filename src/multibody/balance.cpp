#include "multibody/balance.h"

#include "multibody/forces.h"

namespace grouser::internal {

double kinetic_energy(const Model& model, const Kinematics& kinematics, const double* v) {
  double sum = 0;
  for (std::size_t b = 0; b < kinematics.V.size(); ++b) {
    sum += dot(kinematics.V[b], kinematics.I[b] * kinematics.V[b]);
  }
  for (std::size_t d = 0; d < model.laws().size(); ++d) {
    sum += model.laws()[d].armature * v[d] * v[d];
  }
  return 0.5 * sum;
}

double potential_energy(const Model& model, const Kinematics& kinematics, const double* q,
                        double time) {
  double sum = 0;
  for (std::size_t b = 0; b < kinematics.X_WB.size(); ++b) {
    const RigidInertia& inertia = model.bodies()[b].inertia;
    sum -= inertia.mass * model.gravity().dot(kinematics.X_WB[b] * inertia.com);
  }
  return sum + elastic_energy(model, kinematics, q, time);
}

Wrench momentum(const Model& model, const Kinematics& kinematics) {
  Wrench sum;
  for (std::size_t b = 0; b < kinematics.V.size(); ++b) {
    const Spatial h = kinematics.I[b] * kinematics.V[b];
    const Vec3& p_WO = kinematics.p_WO[static_cast<std::size_t>(model.joints()[b].tree)];
    sum += Wrench{h.angular(), h.linear()}.shifted(-p_WO);
  }
  return sum;
}

Vec3 center_of_mass(const Model& model, const Kinematics& kinematics) {
  Vec3 moment = Vec3::Zero();
  for (std::size_t b = 0; b < kinematics.X_WB.size(); ++b) {
    const RigidInertia& inertia = model.bodies()[b].inertia;
    moment += inertia.mass * (kinematics.X_WB[b] * inertia.com);
  }
  const double mass = model.total_mass();
  return mass > 0 ? Vec3(moment / mass) : Vec3::Zero();
}

}  // namespace grouser::internal
