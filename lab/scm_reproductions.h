#pragma once

#include "lab/reproduce.h"

namespace grouser::internal {

/// What is known of the soil contact model: tables and figures of Krenn & Hirzinger, "SCM - a soil contact
/// model for multi-body system simulations" (2009), closed forms, and what soils are seen to do.
std::vector<Reproduction> scm_reproductions();

}  // namespace grouser::internal
