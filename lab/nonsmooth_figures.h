#pragma once

#include "render/figure.h"

/// What the verification of rigid contact looks like.
namespace grouser::internal {

Figure block_figure();
Figure bounce_figure();
Figure turning_figure();
Figure step_figure();
Figure slope_figure();
Figure hold_figure();

}  // namespace grouser::internal
