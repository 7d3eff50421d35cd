#include "multibody/kinematics.h"

#include <cmath>

#include "math/rotation.h"
#include "math/sin_cos.h"

namespace grouser::internal {
namespace {

/// A joint's coordinates.
struct Coordinates {
  const double* q;
  const double* v;
  const double* sin_q;
  const double* cos_q;
};

/// A body's parent as the joint sees it.
struct Parent {
  const Columns& R;  ///< R_WP
  const Spatial& V;  ///< twist at O
};

/// Where a joint writes: straight into the Kinematics, register by register, because copying what
/// was just written in pieces stalls the processor. On input r is the joint frame's origin.
struct Placed {
  Columns& R;  ///< R_WB
  Triple& r;   ///< p_OB
  Spatial* S;  ///< motion subspace at O
  Spatial& C;  ///< its rate times v
  Spatial& V;  ///< twist at O
};

/// Angular rate about the unit vector a (in W) through the point r from O.
Spatial turn_about(const Triple& a, const Triple& r) { return spatial(a, cross(r, a)); }

void set_one_dof(const Parent& parent, const Spatial& S, double rate, const Placed& out) {
  out.S[0] = S;
  const Spatial joint_velocity{S.x * rate};
  out.C = cross_motion(parent.V, joint_velocity);
  out.V = {parent.V.x + joint_velocity.x};
}

void revolute(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  const double s = at.sin_q[0], c = at.cos_q[0];
  for (int k = 0; k < 3; ++k) {
    const Triple R_PB{joint.R_along.c[k] + c * joint.R_cos.c[k] + s * joint.R_sin.c[k]};
    out.R.c[k] = (parent.R * R_PB).x;
  }
  set_one_dof(parent, turn_about(parent.R * joint.axis_P, out.r), at.v[0], out);
}

void prismatic(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  out.R = parent.R * joint.X_PF.R;
  const Triple axis = parent.R * joint.axis_P;
  out.r.x += at.q[0] * axis.x;
  set_one_dof(parent, spatial(Triple{}, axis), at.v[0], out);
}

void universal(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  const Columns R_WF = parent.R * joint.X_PF.R;
  const Columns R_WG = R_WF * rotation_about(joint.axis, at.q[0]);  // the cross piece
  out.R = R_WG * rotation_about(joint.axis2, at.q[1]);
  set_one_dof(parent, turn_about(R_WF * joint.axis, out.r), at.v[0], out);
  out.S[1] = turn_about(R_WG * joint.axis2, out.r);
  const Spatial second{out.S[1].x * at.v[1]};
  out.C.x += cross_motion(out.V, second).x;  // the second axis rides on the cross piece
  out.V.x += second.x;
}

void spherical(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  const Columns R_WF = parent.R * joint.X_PF.R;
  out.R = R_WF * rotation_from_wxyz(at.q);
  Spatial joint_velocity;
  for (int k = 0; k < 3; ++k) {
    out.S[k] = turn_about(Triple{R_WF.c[k]}, out.r);
    joint_velocity.x += out.S[k].x * at.v[k];
  }
  out.C = cross_motion(parent.V, joint_velocity);
  out.V = {parent.V.x + joint_velocity.x};
}

void planar(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  const Columns R_WF = parent.R * joint.X_PF.R;
  out.R = R_WF * rotation_about(Vec3::UnitZ(), at.q[2]);
  out.r.x += R_WF.c[0] * at.q[0] + R_WF.c[1] * at.q[1];
  out.S[0] = spatial(Triple{}, Triple{R_WF.c[0]});
  out.S[1] = spatial(Triple{}, Triple{R_WF.c[1]});
  out.S[2] = turn_about(Triple{R_WF.c[2]}, out.r);
  const Spatial slide{out.S[0].x * at.v[0] + out.S[1].x * at.v[1]};
  const Spatial turn{out.S[2].x * at.v[2]};
  // The turning axis slides along: its rate is slide × turn besides what the parent carries.
  out.C = cross_motion(parent.V, {slide.x + turn.x});
  out.C.x += cross_motion(slide, turn).x;
  out.V = {parent.V.x + slide.x + turn.x};
}

/// On the world with F = W and O at the body's origin, where S is the unit matrix; the point at O
/// changes as the body moves, hence C = (0, -ω × v).
void free_joint(const Coordinates& at, const Placed& out) {
  out.R = columns(rotation_from_wxyz(at.q));
  out.r.x += triple({at.q[4], at.q[5], at.q[6]}).x;
  for (int k = 0; k < 3; ++k) {
    out.S[k] = spatial(Vec3::Unit(k), Vec3::Zero());
    out.S[k + 3] = spatial(Vec3::Zero(), Vec3::Unit(k));
  }
  const Vec3 w(at.v[0], at.v[1], at.v[2]), u(at.v[3], at.v[4], at.v[5]);
  out.V = spatial(w, u);
  out.C = spatial(Vec3::Zero(), u.cross(w));
}

void place(const Joint& joint, const Parent& parent, const Coordinates& at, const Placed& out) {
  switch (joint.type) {
    case JointType::fixed:
      out.R = parent.R * joint.X_PF.R;
      out.C = Spatial{};
      out.V = parent.V;
      break;
    case JointType::revolute:
      revolute(joint, parent, at, out);
      break;
    case JointType::prismatic:
      prismatic(joint, parent, at, out);
      break;
    case JointType::universal:
      universal(joint, parent, at, out);
      break;
    case JointType::spherical:
      spherical(joint, parent, at, out);
      break;
    case JointType::planar:
      planar(joint, parent, at, out);
      break;
    case JointType::free:
      free_joint(at, out);
      break;
  }
}

/// R I Rᵀ about the centre of mass, moved to O by Steiner's theorem.
void inertia_about_reference(const RigidInertia& body, const Columns& R, const Triple& r,
                             SpatialInertia& out) {
  const Triple c{r.x + (R * body.com).x};
  const Lane4 h = body.mass * c.x;
  out.mass = body.mass;
  out.h.x = h;
  const Columns T = R * body.about_com;
  const double hc = dot(Triple{h}, c);
  // Spelled out per column: an index that is not a constant sends registers through memory.
  const auto column = [&](const Lane4& T_row, const Lane4& diagonal, double c_j) {
    return T.c[0] * T_row[0] + T.c[1] * T_row[1] + T.c[2] * T_row[2] + (diagonal - h * c_j);
  };
  out.J.c[0] = column(Lane4{R.c[0][0], R.c[1][0], R.c[2][0]}, Lane4{hc, 0, 0, 0}, c[0]);
  out.J.c[1] = column(Lane4{R.c[0][1], R.c[1][1], R.c[2][1]}, Lane4{0, hc, 0, 0}, c[1]);
  out.J.c[2] = column(Lane4{R.c[0][2], R.c[1][2], R.c[2][2]}, Lane4{0, 0, hc, 0}, c[2]);
}

/// Places one body, given the kinematics of its parent; a root's joint frame is at `root_r` from O.
void place_body(const Model& model, int body, const Triple& root_r, const double* q,
                const double* v, Kinematics& out) {
  static const Columns kWorldRotation = columns(Mat3::Identity());
  static const Spatial kWorldTwist;
  const std::size_t b = static_cast<std::size_t>(body);
  const Joint& joint = model.joints()[b];
  const Coordinates at{q + joint.q, v + joint.v, out.sin_q.data() + joint.q,
                       out.cos_q.data() + joint.q};
  const Placed placed{out.R_WB[b], out.r_OB[b], out.S.data() + joint.v, out.C[b], out.V[b]};
  if (joint.parent == kWorld) {
    placed.r = root_r;
    place(joint, {kWorldRotation, kWorldTwist}, at, placed);
  } else {
    const std::size_t p = static_cast<std::size_t>(joint.parent);
    placed.r = {out.r_OB[p].x + (out.R_WB[p] * joint.X_PF.p).x};
    place(joint, {out.R_WB[p], out.V[p]}, at, placed);
  }
}

}  // namespace

Kinematics::Kinematics(const Model& model) {
  const std::size_t bodies = static_cast<std::size_t>(model.body_count());
  X_WB.resize(bodies);
  R_WB.resize(bodies);
  r_OB.resize(bodies);
  p_WO.resize(static_cast<std::size_t>(model.tree_count()), Vec3::Zero());
  V.resize(bodies);
  C.resize(bodies);
  S.resize(static_cast<std::size_t>(model.velocity_size()));
  I.resize(bodies);
  sin_q.resize(static_cast<std::size_t>(model.position_size()));
  cos_q.resize(sin_q.size());
}

void forward_kinematics_of_tree(const Model& model, int tree, const double* q, const double* v,
                                Kinematics& out) {
  const int begin = model.tree_begin(tree), end = model.tree_begin(tree + 1);
  const std::size_t first =
      static_cast<std::size_t>(model.joints()[static_cast<std::size_t>(begin)].q);
  const Joint& last = model.joints()[static_cast<std::size_t>(end - 1)];
  const std::size_t count = static_cast<std::size_t>(last.q + last.nq) - first;
  sin_cos(q + first, count, out.sin_q.data() + first, out.cos_q.data() + first);
  // Where the root is, O shall be: the root is placed twice, first from its joint frame to see how
  // far that moves it, then from as far the other way. It ends at O to the last bit.
  place_body(model, begin, Triple{}, q, v, out);
  const Triple travel = out.r_OB[static_cast<std::size_t>(begin)];
  const Triple p_WO{triple(model.joints()[static_cast<std::size_t>(begin)].X_PF.p).x + travel.x};
  out.p_WO[static_cast<std::size_t>(tree)] = p_WO.vec3();
  for (int i = begin; i < end; ++i) {
    const std::size_t b = static_cast<std::size_t>(i);
    place_body(model, i, Triple{-travel.x}, q, v, out);
    out.X_WB[b].R = out.R_WB[b].mat3();
    out.X_WB[b].p = Triple{p_WO.x + out.r_OB[b].x}.vec3();
    inertia_about_reference(model.bodies()[b].inertia, out.R_WB[b], out.r_OB[b], out.I[b]);
  }
}

void forward_kinematics(const Model& model, const VecXRef& q, const VecXRef& v, Kinematics& out) {
  for (int tree = 0; tree < model.tree_count(); ++tree) {
    forward_kinematics_of_tree(model, tree, q.data(), v.data(), out);
  }
}

Twist twist_at(const Model& model, const Kinematics& kinematics, int body, const Vec3& p_W) {
  if (body == kWorld) return {};
  const std::size_t b = static_cast<std::size_t>(body);
  const Vec3& p_WO = kinematics.p_WO[static_cast<std::size_t>(model.joints()[b].tree)];
  const Twist at_O{kinematics.V[b].angular(), kinematics.V[b].linear()};
  return at_O.shifted(p_W - p_WO);
}

void position_rate(const Model& model, const double* q, const double* v, double* rate) {
  for (const Joint& joint : model.joints()) {
    const double* vj = v + joint.v;
    double* out = rate + joint.q;
    if (has_plain_coordinates(joint.type)) {
      for (int k = 0; k < joint.nv; ++k) out[k] = vj[k];
      continue;
    }
    wxyz_rate(q + joint.q, {vj[0], vj[1], vj[2]}, out);
    for (int k = 3; k < joint.nv; ++k) out[k + 1] = vj[k];
  }
}

void advance_positions(const Model& model, const double* v, double dt, double* q) {
  for (const Joint& joint : model.joints()) {
    const double* vj = v + joint.v;
    double* qj = q + joint.q;
    if (has_plain_coordinates(joint.type)) {
      for (int k = 0; k < joint.nv; ++k) qj[k] += dt * vj[k];
      continue;
    }
    wxyz_rotate(qj, dt * Vec3(vj[0], vj[1], vj[2]));
    for (int k = 3; k < joint.nv; ++k) qj[k + 1] += dt * vj[k];
  }
}

void normalize_positions(const Model& model, double* q) {
  for (const Joint& joint : model.joints()) {
    const int offset = quaternion_offset(joint.type);
    if (offset >= 0) wxyz_normalize(q + joint.q + offset);
  }
}

}  // namespace grouser::internal
