#pragma once

#include "multibody/model.h"

/// The checks of Model's constructor. Each throws Error(input) with every defect it finds.
namespace grouser::internal {

/// Bodies, joints and their passive laws.
void check_tree(const ModelSpec& spec);

/// Loops, actuators and force elements refer to what exists, with legal numbers.
void check_elements(const Model& model);

/// Every degree of freedom must move some mass, or accelerations would be infinite.
void check_mass_matrix(const Model& model);

}  // namespace grouser::internal
