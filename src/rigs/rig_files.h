#pragma once

#include <optional>
#include <string>
#include <vector>

#include "render/figure.h"
#include "rigs/bevameter.h"
#include "rigs/drawbar_rig.h"
#include "rigs/identify_soil.h"
#include "rigs/wheel_rig.h"

/// Tables and figures of what the rigs measured. Tables are CSV in SI units, slip angles in degrees.
namespace grouser::internal {

/// Plate tests and shear tests as `grouser identify soil` reads them.
std::string plates_csv(const BevameterTests& tests);
std::string shear_csv(const BevameterTests& tests);

/// What was identified from a bevameter's tests, if there were any of the kind.
struct BevameterFit {
  std::optional<PlateFit> plates;
  std::optional<ShearFit> shear;
};
BevameterFit identify(const BevameterTests& tests);

/// Force over sinkage and shear stress over displacement, with what the fits say.
Figure bevameter_figure(const BevameterTests& tests, const BevameterFit& fit);

/// One line per pass: what was asked, then means and standard deviations.
std::string wheel_sweep_csv(const std::vector<WheelPass>& passes);
/// All traces one after another.
std::string wheel_traces_csv(const std::vector<WheelPass>& passes);
/// Pull, lateral force, torque and sinkage over slip: a curve for each pass and slip angle. Free rolling is
/// drawn at the slip that came about.
Figure wheel_figure(const std::vector<WheelPass>& passes);

std::string drawbar_sweep_csv(const std::vector<DrawbarRun>& runs);
std::string drawbar_traces_csv(const std::vector<DrawbarRun>& runs);
/// Tension, torque and sinkage over slip, and tension over time.
Figure drawbar_figure(const std::vector<DrawbarRun>& runs);

}  // namespace grouser::internal
