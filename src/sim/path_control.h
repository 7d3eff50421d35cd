#pragma once

#include <memory>
#include <vector>

#include "sim/controller.h"
#include "sim/evaluate.h"

namespace grouser::internal {

/// The path followers of a World; what they hold is in State::memory. Both must outlive them.
std::vector<std::unique_ptr<SampledController>> path_controllers(const World& world,
                                                                 WorldScratch& scratch);

}  // namespace grouser::internal
