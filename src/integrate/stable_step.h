#pragma once

#include "integrate/options.h"
#include "math/spatial.h"

namespace grouser::internal {

/// Largest stable step [s] of rk4 or semi_implicit for δv̇ = A_q δq + A_v δv; infinite if none is too long.
/// Modes that grow by themselves, such as that of a pendulum on its head, set no limit.
double stable_step(IntegrationMethod method, const MatX& A_q, const MatX& A_v);

}  // namespace grouser::internal
