#pragma once

#include <optional>
#include <string>

#include "render/figure.h"
#include "rigs/identify_soil.h"
#include "terrain/soil.h"

/// What is written about an identified soil.
namespace grouser::internal {

struct SoilIdentification {
  std::string name;        ///< of the soil
  std::string plate_file;  ///< where the tests come from, for people
  std::string shear_file;
  IdentifyOptions options;
  PlateFit plates;
  std::optional<ShearFit> shear;
  std::optional<Soil> like;  ///< has the parameters that were not identified
};

/// A soil for a scene's `terrain`, with intervals and warnings as comments. Without `like`, the key
/// `preset` that scenes require is left to the user, and a comment says so.
std::string soil_yaml(const SoilIdentification& soil);

/// Every point that was used beside what the fit gives there, in SI units.
std::string plate_csv(const PlateFit& fit);
std::string shear_csv(const ShearFit& fit);

/// Pressure over sinkage, plain and in logarithms, and shear stress over displacement if there is a
/// shear fit. Of a trial with many points every k-th is drawn.
Figure fit_figure(const SoilIdentification& soil);

/// "Ø 60 mm" for a disc, "b = 30 mm" for others.
std::string plate_label(const PlateTest& test);

}  // namespace grouser::internal
