#pragma once

#include <string>
#include <vector>

#include "lab/reproduce.h"
#include "rigs/led_body.h"
#include "rigs/wheel_rig.h"

/// What the reproductions of the soil contact model are made of.
namespace grouser::internal {

/// A row for what has no number to meet: 1 if it holds. What was measured goes into `claim`.
ReproductionRow holds(std::string claim, bool true_or_not);

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
std::vector<ReproductionRow> scm_thrust();
std::vector<ReproductionRow> scm_convergence();
std::vector<ReproductionRow> scm_mmx_turn();
std::vector<ReproductionRow> scm_cmu_wheel();
Figure cmu_wheel_figure();
std::vector<ReproductionRow> scm_trec_wheel();
Figure trec_wheel_figure();

/// Changes of pull, torque and sinkage from one grid to one half as wide [m]: scm_convergence() at 10 mm.
std::vector<ReproductionRow> convergence_from(double spacing);

}  // namespace grouser::internal
