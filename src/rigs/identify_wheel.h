#pragma once

#include <string>
#include <vector>

#include "contact/wheel/wheel_model.h"
#include "render/figure.h"
#include "rigs/identify_soil.h"
#include "rigs/wheel_tests.h"

/// Fast wheel models fitted to tests of a wheel, and tried on tests that they were not fitted to.
namespace grouser::internal {

struct WheelParameter {
  std::string name;  ///< as in scenes; "soil.shear_modulus" is the soil's
  std::string unit;
  Estimate estimate;
  bool fitted = true;  ///< false: the tests do not tell it, it kept its value
};

/// How a model meets some tests.
struct WheelMisfit {
  double sinkage = 0;        ///< mean of |model - test| / test [-], of means and histories
  double worst_sinkage = 0;  ///< the largest of a test's [-]
  double sinkage_rms = 0;    ///< [m]
  double pull_rms = 0;       ///< [N]
  double torque_rms = 0;     ///< [N m]; 0 if no torque was measured
};

struct WheelIdentification {
  WheelModel model;
  WheelOnTest wheel;  ///< with the soil's fitted parameters
  std::vector<WheelParameter> parameters;
  std::vector<WheelTest> fitted, held_out;
  std::vector<WheelPrediction> of_fitted, of_held_out;
  WheelMisfit misfit, held_out_misfit;
  bool resampled = true;  ///< intervals by resampling tests; else from the covariance
  std::vector<std::string> warnings;
};

/// TerRA's parameters, from those of `start` on. Sinkage counts relative to itself, pull and torque to the load.
/// Without histories the length within which holes fill keeps its value. Throws Error(input) if there are too
/// few tests or no parameters fit.
WheelIdentification identify_terra(const WheelOnTest& wheel, const std::vector<WheelTest>& tests,
                                   const std::vector<WheelTest>& held_out,
                                   const TerraModel& start = {},
                                   const IdentifyOptions& options = {});

/// K of the soil, and a0, a1 and λ of Bekker, Wong and Reece's wheel.
WheelIdentification identify_bwr(const WheelOnTest& wheel, const std::vector<WheelTest>& tests,
                                 const std::vector<WheelTest>& held_out, const BwrModel& start = {},
                                 const IdentifyOptions& options = {});

/// An entry of a scene's `contacts`, with intervals as comments; the soil's K beside it if it was fitted.
std::string wheel_yaml(const WheelIdentification& fit);
/// A line per test: measured and by the model, and whether it was fitted.
std::string wheel_fit_csv(const WheelIdentification& fit);
/// Sinkage, pull and torque over slip and, if there are any, histories.
Figure wheel_fit_figure(const WheelIdentification& fit);

}  // namespace grouser::internal
