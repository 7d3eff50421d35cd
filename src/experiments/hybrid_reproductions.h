#pragma once

#include <vector>

#include "experiments/reproduce.h"

namespace grouser {

/// Time stepping of whole rovers: parked on hard ground for an hour, and driving from soft soil over hard rock.
std::vector<Reproduction> hybrid_reproductions();

}  // namespace grouser
