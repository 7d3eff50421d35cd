#pragma once

#include <vector>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Rigid contact by time stepping: the scenarios of 3DROV's paper on the ExoMars rover, reference
/// trajectories of an independent program, and closed forms.
std::vector<Reproduction> nonsmooth_reproductions();

}  // namespace grouser::internal
