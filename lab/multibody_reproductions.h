#pragma once

#include "lab/reproduce.h"

namespace grouser {

/// The laws of mechanics that the engine must obey, by built-in scenes.
std::vector<Reproduction> multibody_reproductions();

}  // namespace grouser
