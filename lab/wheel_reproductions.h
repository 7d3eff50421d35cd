#pragma once

#include <vector>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Of the fast wheel models, group "wheel".
std::vector<Reproduction> wheel_reproductions();

// Those that set models beside measurements, without the group's name.
std::vector<ReproductionRow> wheel_cmu();
Figure wheel_cmu_figure();
std::vector<ReproductionRow> wheel_mgru3();
Figure wheel_mgru3_figure();
std::vector<ReproductionRow> wheel_terra_scm();
Figure wheel_terra_scm_figure();

}  // namespace grouser::internal
