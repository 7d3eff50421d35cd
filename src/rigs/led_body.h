#pragma once

#include <memory>

#include "contact/scm/options.h"
#include "contact/scm/soil_update.h"
#include "rigs/rig_ground.h"

namespace grouser::internal {

/// A body that is led through soil, without dynamics.
class LedBody {
 public:
  LedBody(const TriMesh& mesh, const RigGround& ground, const ScmOptions& options);
  LedBody(const TriMesh& mesh, std::shared_ptr<const Ground> ground, const ScmOptions& options);

  /// Where it begins, out of the soil.
  void start(const Pose& X_WB) { memory_.X_WB = X_ = X_WB; }
  /// Goes on within dt [s]; the soil remembers.
  const ScmForce& step(const Pose& X_WB, double dt);
  /// Goes on so slowly that speed is nothing; the soil remembers.
  const ScmForce& creep(const Pose& X_WB);
  /// What the soil would do to it there; nothing changes.
  const ScmForce& try_at(const Pose& X_WB, const Twist& V_WB = {});
  /// Moves the soil, dt [s] after the last time.
  SoilUpdateReport update(double dt);
  /// Takes it away from the soil; what it held may slide.
  void lift();

  const Pose& pose() const { return X_; }
  const Twist& twist() const { return V_; }  ///< at the last step
  const Footprint& footprint() const { return scratch_.footprint; }
  const ScmSoil& soil() const { return soil_; }

 private:
  const ScmForce& go_to(const Pose& X_WB, const Twist& V_WB);

  std::shared_ptr<const Ground> ground_;
  std::shared_ptr<const ScmBody> body_;
  ScmOptions options_;
  ScmSoil soil_;
  ScmScratch scratch_;
  ScmBodyMemory memory_;
  SoilUpdater updater_;
  Pose X_;
  Twist V_;
};

}  // namespace grouser::internal
