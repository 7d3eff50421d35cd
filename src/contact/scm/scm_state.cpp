#include "contact/scm/scm_state.h"

namespace grouser::internal {

bool operator==(const ScmBodyMemory& a, const ScmBodyMemory& b) {
  const auto same = [](const ScmReaction& r, const ScmReaction& t) {
    return r.wrench.force == t.wrench.force && r.wrench.torque == t.wrench.torque &&
           r.wall == t.wall && r.sinkage == t.sinkage && r.area == t.area;
  };
  return a.X_WB.R == b.X_WB.R && a.X_WB.p == b.X_WB.p && a.push == b.push &&
         a.touched == b.touched && a.V_WB.linear == b.V_WB.linear &&
         a.V_WB.angular == b.V_WB.angular && same(a.reaction, b.reaction) && a.holds == b.holds;
}

void ScmBodyMemory::hash(Hasher& hasher) const {
  for (const double x : X_WB.R.reshaped()) hasher.f64(x);
  for (const Vec3& v : {X_WB.p, V_WB.linear, V_WB.angular, reaction.wrench.force,
                        reaction.wrench.torque, reaction.wall}) {
    for (const double x : v) hasher.f64(x);
  }
  for (const double x : {push.x(), push.y(), reaction.sinkage, reaction.area}) hasher.f64(x);
  for (const int i : {touched.i0, touched.j0, touched.nx, touched.ny, holds ? 1 : 0}) {
    hasher.u64(static_cast<std::uint64_t>(i));
  }
}

void ScmState::hash(Hasher& hasher) const {
  hasher.f64(updated);
  hasher.f64(updates);
  hasher.f64(soil.displaced);
  hasher.u64(soil.memory.hash());
  for (const ScmBodyMemory& body : bodies) body.hash(hasher);
}

}  // namespace grouser::internal
