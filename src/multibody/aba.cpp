#include "multibody/aba.h"

#include <cmath>

#include "math/small_cholesky.h"

namespace grouser::internal {
namespace {

/// A body's own bias force: what keeps it on its present motion, less what is applied to it.
Spatial bias_force(const SpatialInertia& I, const Spatial& V, const Triple& r_OB,
                   const Wrench* wrench) {
  Spatial p = cross_force(V, I * V);
  if (wrench != nullptr) p.x -= load_at_reference(*wrench, r_OB).x;
  return p;
}

/// Passes the part of a one-dof joint's inertia and force that the joint cannot absorb to `parent`.
void reduce_one_dof(const Model& model, const Kinematics& kinematics, int body, const double* tau,
                    const double* vdot, AbaScratch& scratch) {
  const std::size_t b = static_cast<std::size_t>(body);
  const Joint& joint = model.joints()[b];
  const std::size_t d = static_cast<std::size_t>(joint.v);
  const SpatialMatrix& IA = scratch.IA[b];
  const Spatial& S = kinematics.S[d];
  const Spatial& C = kinematics.C[b];
  const bool prescribed = model.prescribed()[d] != 0;
  if (prescribed) {
    if (joint.parent == kWorld) return;
    const std::size_t p = static_cast<std::size_t>(joint.parent);
    const Spatial known{C.x + S.x * vdot[d]};
    scratch.pA[p].x += scratch.pA[b].x + (IA * known).x;
    scratch.IA[p] += IA;
    return;
  }
  Spatial& U = scratch.U[d];
  U = IA * S;
  const double D_inverse = 1 / (dot(S, U) + model.laws()[d].armature);
  const double u = tau[d] - dot(S, scratch.pA[b]);
  scratch.D_inverse[d] = D_inverse;
  scratch.u[d] = u;
  if (joint.parent == kWorld) return;
  const std::size_t p = static_cast<std::size_t>(joint.parent);
  const Lane8 UD = U.x * D_inverse;
  SpatialMatrix& IA_parent = scratch.IA[p];
  const std::array<double, 6> u_entries = U.entries();
  for (std::size_t j = 0; j < 6; ++j) IA_parent.column[j] += IA.column[j] - UD * u_entries[j];
  scratch.pA[p].x += scratch.pA[b].x + (IA * C).x + UD * (u - dot(U, C));
}

/// The same for joints of two or three velocities: D is a small matrix.
void reduce_multi_dof(const Model& model, const Kinematics& kinematics, int body, const double* tau,
                      AbaScratch& scratch) {
  const std::size_t b = static_cast<std::size_t>(body);
  const Joint& joint = model.joints()[b];
  const SpatialMatrix& IA = scratch.IA[b];
  const Spatial& C = kinematics.C[b];
  const std::size_t d = static_cast<std::size_t>(joint.v);
  const std::size_t n = static_cast<std::size_t>(joint.nv);
  for (std::size_t k = 0; k < n; ++k) {
    scratch.U[d + k] = IA * kinematics.S[d + k];
    scratch.u[d + k] = tau[d + k] - dot(kinematics.S[d + k], scratch.pA[b]);
  }
  if (joint.parent == kWorld) return;
  double D[3][3], UC[3];
  std::array<double, 6> DU[3];  // rows of U, then of D⁻¹ Uᵀ
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) D[k][l] = dot(kinematics.S[d + k], scratch.U[d + l]);
    D[k][k] += model.laws()[d + k].armature;
    UC[k] = scratch.u[d + k] - dot(scratch.U[d + k], C);
    DU[k] = scratch.U[d + k].entries();
  }
  SmallCholesky<3> factor;
  factor.compute(D, joint.nv);
  for (std::size_t j = 0; j < 6; ++j) {
    double x[3];
    for (std::size_t k = 0; k < n; ++k) x[k] = DU[k][j];
    factor.solve(x);
    for (std::size_t k = 0; k < n; ++k) DU[k][j] = x[k];
  }
  factor.solve(UC);
  const std::size_t p = static_cast<std::size_t>(joint.parent);
  Spatial pass{scratch.pA[b].x + (IA * C).x};
  scratch.IA[p] += IA;
  for (std::size_t k = 0; k < n; ++k) {
    pass.x += scratch.U[d + k].x * UC[k];
    for (std::size_t j = 0; j < 6; ++j) {
      scratch.IA[p].column[j] -= scratch.U[d + k].x * DU[k][j];
    }
  }
  scratch.pA[p].x += pass.x;
}

/// Accelerations of a multi-dof joint once that of its parent is known.
void accelerate_multi_dof(const Model& model, const Kinematics& kinematics, int body,
                          const Spatial& a_before, AbaScratch& scratch, double* vdot) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(body)];
  const std::size_t d = static_cast<std::size_t>(joint.v);
  const std::size_t n = static_cast<std::size_t>(joint.nv);
  double D[3][3], x[3];
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) D[k][l] = dot(kinematics.S[d + k], scratch.U[d + l]);
    D[k][k] += model.laws()[d + k].armature;
    x[k] = scratch.u[d + k] - dot(scratch.U[d + k], a_before);
  }
  SmallCholesky<3> factor;
  factor.compute(D, joint.nv);
  factor.solve(x);
  Spatial a = a_before;
  for (std::size_t k = 0; k < n; ++k) {
    vdot[d + k] = x[k];
    a.x += kinematics.S[d + k].x * x[k];
  }
  scratch.a[static_cast<std::size_t>(body)] = a;
}

/// A free body answers to the whole articulated inertia: IA a = τ - pA, with S the unit matrix.
void accelerate_free(const SpatialMatrix& IA, const Spatial& pA, const Spatial& C,
                     const double* tau, const Spatial& a_world, Spatial& a, double* vdot) {
  double A[6][6], x[6];
  const std::array<double, 6> bias = pA.entries();
  for (std::size_t j = 0; j < 6; ++j) {
    const std::array<double, 6> column = Spatial{IA.column[j]}.entries();
    for (std::size_t i = j; i < 6; ++i) A[i][j] = column[i];
    x[j] = tau[j] - bias[j];
  }
  SmallCholesky<6> factor;
  factor.compute(A, 6);
  factor.solve(x);
  a = spatial(Vec3(x[0], x[1], x[2]), Vec3(x[3], x[4], x[5]));
  const std::array<double, 6> relative = Spatial{a.x - a_world.x - C.x}.entries();
  for (std::size_t k = 0; k < 6; ++k) vdot[k] = relative[k];
}

void accelerate(const Model& model, const Kinematics& kinematics, int body, const double* tau,
                const Spatial& a_world, AbaScratch& scratch, double* vdot) {
  const std::size_t b = static_cast<std::size_t>(body);
  const Joint& joint = model.joints()[b];
  const std::size_t d = static_cast<std::size_t>(joint.v);
  const Spatial& a_parent =
      joint.parent == kWorld ? a_world : scratch.a[static_cast<std::size_t>(joint.parent)];
  if (joint.type == JointType::free) {
    accelerate_free(scratch.IA[b], scratch.pA[b], kinematics.C[b], tau + joint.v, a_world,
                    scratch.a[b], vdot + joint.v);
    return;
  }
  const Spatial a_before{a_parent.x + kinematics.C[b].x};
  if (joint.nv == 1) {
    if (!model.prescribed()[d]) {
      vdot[d] = (scratch.u[d] - dot(scratch.U[d], a_before)) * scratch.D_inverse[d];
    }
    scratch.a[b] = {a_before.x + kinematics.S[d].x * vdot[d]};
  } else if (joint.nv == 0) {
    scratch.a[b] = a_before;
  } else {
    accelerate_multi_dof(model, kinematics, body, a_before, scratch, vdot);
  }
}

}  // namespace

AbaScratch::AbaScratch(const Model& model) {
  const std::size_t bodies = static_cast<std::size_t>(model.body_count());
  const std::size_t velocities = static_cast<std::size_t>(model.velocity_size());
  IA.resize(bodies);
  pA.resize(bodies);
  a.resize(bodies);
  U.resize(velocities);
  D_inverse.resize(velocities);
  u.resize(velocities);
}

void aba_of_tree(const Model& model, int tree, const Kinematics& kinematics, const double* tau,
                 std::span<const Wrench> wrenches, AbaScratch& scratch, double* vdot) {
  const int begin = model.tree_begin(tree), end = model.tree_begin(tree + 1);
  for (int i = begin; i < end; ++i) {
    const std::size_t b = static_cast<std::size_t>(i);
    scratch.IA[b] = to_matrix(kinematics.I[b]);
    scratch.pA[b] = bias_force(kinematics.I[b], kinematics.V[b], kinematics.r_OB[b],
                               wrenches.empty() ? nullptr : &wrenches[b]);
  }
  for (int i = end - 1; i >= begin; --i) {
    const Joint& joint = model.joints()[static_cast<std::size_t>(i)];
    if (joint.nv == 1) {
      reduce_one_dof(model, kinematics, i, tau, vdot, scratch);
    } else if (joint.nv == 2 || joint.nv == 3) {
      reduce_multi_dof(model, kinematics, i, tau, scratch);
    } else if (joint.nv == 0 && joint.parent != kWorld) {
      const std::size_t b = static_cast<std::size_t>(i);
      const std::size_t p = static_cast<std::size_t>(joint.parent);
      scratch.IA[p] += scratch.IA[b];
      scratch.pA[p].x += scratch.pA[b].x;  // C of a fixed joint is zero
    }
  }
  // Gravity as an upward acceleration of the world.
  const Spatial a_world = spatial(Vec3::Zero(), -model.gravity());
  for (int i = begin; i < end; ++i) accelerate(model, kinematics, i, tau, a_world, scratch, vdot);
}

void aba(const Model& model, const Kinematics& kinematics, const double* tau,
         std::span<const Wrench> wrenches, AbaScratch& scratch, double* vdot) {
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    aba_of_tree(model, tree, kinematics, tau, wrenches, scratch, vdot);
  }
}

}  // namespace grouser::internal
