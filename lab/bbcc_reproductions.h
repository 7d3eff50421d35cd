#pragma once

#include <vector>

#include "lab/reproduce.h"

namespace grouser::internal {

/// Contact of bodies by BBCC: the verification of the Contact Dynamics library's paper, its table 1.
std::vector<Reproduction> bbcc_reproductions();

}  // namespace grouser::internal
