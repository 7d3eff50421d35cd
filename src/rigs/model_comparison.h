#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contact/wheel/wheel_model.h"
#include "render/figure.h"
#include "rigs/slope_rig.h"

/// Models of a wheel side by side on the rigs.
namespace grouser::internal {

/// "scm" or one of kWheelModelNames, with its parameters.
struct NamedModel {
  std::string name;
  std::optional<WheelModel> model;  ///< none: SCM
};

/// The words of a command line, "all" for SCM and the five. Throws Error(usage) with the nearest name for one
/// that is unknown.
std::vector<NamedModel> models_named(const std::vector<std::string>& words);

struct ModelPasses {
  std::string model;
  std::vector<WheelPass> passes;
};

/// Each model through all cases.
std::vector<ModelPasses> run_wheel_models(const WheelRigSpec& spec,
                                          const std::vector<NamedModel>& models,
                                          const std::vector<WheelCase>& cases,
                                          const SweepProgress& progress = {});

/// Like wheel_sweep_csv() and wheel_traces_csv(), the model's name first.
std::string wheel_models_csv(const std::vector<ModelPasses>& runs);
std::string wheel_models_traces_csv(const std::vector<ModelPasses>& runs);
/// Pull, torque and sinkage over slip, and sinkage over time at the largest slip below 1; slip angles other than
/// the first are left out.
Figure wheel_models_figure(const std::vector<ModelPasses>& runs);
/// {"rig", "soil", "models": {name: [cases as of wheel_json()]}}
nlohmann::ordered_json wheel_models_json(const WheelRigSpec& spec,
                                         const std::vector<ModelPasses>& runs);

struct ModelSlopes {
  std::string model;
  std::vector<SlopeRun> runs;
};

std::vector<ModelSlopes> run_slope_models(const SlopeSpec& spec,
                                          const std::vector<NamedModel>& models,
                                          const std::vector<double>& slopes_deg,
                                          const SweepProgress& progress = {});
std::string slope_csv(const std::vector<ModelSlopes>& runs);
/// Slip, sinkage and torque over slope.
Figure slope_figure(const std::vector<ModelSlopes>& runs);
/// {"rig", "rover", "soil", "models": {name: [{"slope_deg", "slip", ...}]}}
nlohmann::ordered_json slope_json(const SlopeSpec& spec, const std::vector<ModelSlopes>& runs);

}  // namespace grouser::internal
