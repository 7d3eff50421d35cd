#pragma once

#include <optional>
#include <string>

#include "record/run_reader.h"
#include "render/image.h"
#include "rut_colours.h"

namespace grouser::internal {

enum class ViewFrom { front, side, rear, top, corner };

struct RunPictureOptions {
  std::optional<double> time;        ///< [s]; nothing = the end
  ViewFrom view = ViewFrom::corner;  ///< corner: from where the ruts lead to the bodies, if any
  std::string body;  ///< pattern of the names to look at; empty = all that moves, and ruts near it
  double zoom = 1;   ///< > 1: nearer
  int width = 1280, height = 800;
};

/// The ruts in a picture.
struct RutLegend {
  RutRange range;      ///< of the colours
  double time = 0;     ///< at which the soil was recorded [s]
  double spacing = 0;  ///< of the nodes with which it is drawn [m]
};

struct RunPicture {
  Image image;
  std::optional<RutLegend> ruts;  ///< nothing if there are none
};

/// What a run looked like at an instant, that of the recorded sample nearest to the wanted time, with
/// the ruts as they were recorded last before it. Throws Error(input) if the run does not reach that
/// time or has no such body.
RunPicture picture_of_run(const RunReader& run, const RunPictureOptions& options);

}  // namespace grouser::internal
