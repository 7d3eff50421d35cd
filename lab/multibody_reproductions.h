#pragma once

#include "lab/reproduce.h"

namespace grouser::internal {

/// The laws of mechanics that the engine must obey, by built-in scenes.
std::vector<Reproduction> multibody_reproductions();

}  // namespace grouser::internal
