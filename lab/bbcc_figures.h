#pragma once

#include "render/figure.h"

/// What the verification of body contact looks like: speeds over time, with the laws of mechanics dashed.
namespace grouser::internal {

Figure impact_figure();
Figure hertz_figure();
Figure sliding_figure();
Figure rolling_figure();
Figure incline_low_figure();
Figure incline_high_figure();
Figure incline_roll_figure();
Figure spin_figure();
Figure parcours_figure();
Figure tower_figure();

}  // namespace grouser::internal
