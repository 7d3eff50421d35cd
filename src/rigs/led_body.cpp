#include "rigs/led_body.h"

namespace grouser::internal {

LedBody::LedBody(const TriMesh& mesh, const RigGround& ground, const ScmOptions& options)
    : LedBody(mesh, make_ground(ground), options) {}

LedBody::LedBody(const TriMesh& mesh, std::shared_ptr<const Ground> ground,
                 const ScmOptions& options)
    : ground_(std::move(ground)),
      body_(soil_body(mesh, options, ground_->map.grid().spacing)),
      options_(options),
      soil_(ground_->map),
      scratch_(*body_, ground_->map),
      updater_(ground_->map, 1) {}

const ScmForce& LedBody::try_at(const Pose& X_WB, const Twist& V_WB) {
  return scm_force(*body_, X_WB, V_WB, memory_, soil_, ground_->soils, options_, scratch_);
}

const ScmForce& LedBody::go_to(const Pose& X_WB, const Twist& V_WB) {
  X_ = X_WB;
  V_ = V_WB;
  scm_force(*body_, X_, V_, memory_, soil_, ground_->soils, options_, scratch_);
  scm_commit(X_, V_, options_, scratch_, memory_, soil_);
  return scratch_.force;
}

const ScmForce& LedBody::creep(const Pose& X_WB) { return go_to(X_WB, {}); }

const ScmForce& LedBody::step(const Pose& X_WB, double dt) {
  const Eigen::AngleAxisd turn(Mat3(X_WB.R * X_.R.transpose()));
  return go_to(X_WB, {.angular = turn.angle() / dt * turn.axis(), .linear = (X_WB.p - X_.p) / dt});
}

SoilUpdateReport LedBody::update(double dt) {
  find_underside(*body_, X_, soil_, options_, scratch_.footprint_scratch, scratch_.footprint);
  SoilToucher self{&scratch_.footprint, &scratch_.force, X_, V_, &memory_};
  return updater_.update({&self, 1}, dt, ground_->soils, options_, soil_);
}

void LedBody::lift() {
  constexpr double kTime = 1;
  Pose away = X_;
  away.p.z() += 10;
  step(away, kTime);
  update(kTime);
}

}  // namespace grouser::internal
