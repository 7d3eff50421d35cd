#include "multibody/rnea.h"

namespace grouser::internal {

RneaScratch::RneaScratch(const Model& model)
    : a(static_cast<std::size_t>(model.body_count())),
      f(static_cast<std::size_t>(model.body_count())) {}

void rnea(const Model& model, const Kinematics& kinematics, const double* vdot,
          std::span<const Wrench> wrenches, RneaScratch& scratch, double* tau) {
  const Spatial a_world = spatial(Vec3::Zero(), -model.gravity());
  const int bodies = model.body_count();
  for (int i = 0; i < bodies; ++i) {
    const std::size_t b = static_cast<std::size_t>(i);
    const Joint& joint = model.joints()[b];
    Spatial a =
        joint.parent == kWorld ? a_world : scratch.a[static_cast<std::size_t>(joint.parent)];
    a.x += kinematics.C[b].x;
    for (int k = joint.v; k < joint.v + joint.nv; ++k) {
      a.x += kinematics.S[static_cast<std::size_t>(k)].x * vdot[k];
    }
    scratch.a[b] = a;
    const SpatialInertia& I = kinematics.I[b];
    Spatial f{(I * a).x + cross_force(kinematics.V[b], I * kinematics.V[b]).x};
    if (!wrenches.empty()) f.x -= load_at_reference(wrenches[b], kinematics.r_OB[b]).x;
    scratch.f[b] = f;
  }
  for (int i = bodies - 1; i >= 0; --i) {
    const std::size_t b = static_cast<std::size_t>(i);
    const Joint& joint = model.joints()[b];
    for (int k = joint.v; k < joint.v + joint.nv; ++k) {
      const std::size_t d = static_cast<std::size_t>(k);
      tau[d] = dot(kinematics.S[d], scratch.f[b]) + model.laws()[d].armature * vdot[d];
    }
    if (joint.parent != kWorld) {
      scratch.f[static_cast<std::size_t>(joint.parent)].x += scratch.f[b].x;
    }
  }
}

}  // namespace grouser::internal
