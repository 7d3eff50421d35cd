#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contact/scm/soil_update.h"
#include "experiments/reproduce.h"
#include "experiments/rig_ground.h"
#include "experiments/wheel_rig.h"

/// What the reproductions of the soil contact model are made of.
namespace grouser {

/// A row for what has no number to meet: 1 if it holds. What was measured goes into `claim`.
ReproductionRow holds(std::string claim, bool true_or_not);

/// A body that is led through soil, without dynamics.
class LedBody {
 public:
  LedBody(const TriMesh& mesh, const RigGround& ground, const ScmOptions& options);

  /// Where it begins, out of the soil.
  void start(const Pose& X_WB) { memory_.X_WB = X_ = X_WB; }
  /// Goes on within dt [s]; the soil remembers.
  const ScmForce& step(const Pose& X_WB, double dt);
  /// Moves the soil, dt [s] after the last time.
  SoilUpdateReport update(double dt);
  /// Takes it away from the soil; what it held may slide.
  void lift();

  const Pose& pose() const { return X_; }
  const Footprint& footprint() const { return scratch_.footprint; }
  const ScmSoil& soil() const { return soil_; }

 private:
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

/// A rig that runs within seconds: grid 10 mm, 100 N on a wheel of 125 mm radius and 100 mm width.
WheelRigSpec quick_wheel_rig();
/// The same wheel with 24 grousers of 8 mm.
WheelSpec grouser_wheel();

// One for each id, without the group's name.
std::vector<ReproductionRow> scm_bevameter();
std::vector<ReproductionRow> scm_pressure();
std::vector<ReproductionRow> scm_compaction();
std::vector<ReproductionRow> scm_volume();
std::vector<ReproductionRow> scm_slip_sinkage();
std::vector<ReproductionRow> scm_multipass();
std::vector<ReproductionRow> scm_bulldozing();
std::vector<ReproductionRow> scm_lateral();
std::vector<ReproductionRow> scm_drawbar();
std::vector<ReproductionRow> scm_slip60();
std::vector<ReproductionRow> scm_convergence();

/// Changes of pull, torque and sinkage from one grid to one half as wide [m]: scm_convergence() at 10 mm.
std::vector<ReproductionRow> convergence_from(double spacing);

}  // namespace grouser
