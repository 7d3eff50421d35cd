#pragma once

#include <optional>
#include <string>

#include "record/run_reader.h"
#include "render/image.h"

namespace grouser {

enum class ViewFrom { front, side, rear, top, corner };

struct RunPictureOptions {
  std::optional<double> time;  ///< [s]; nothing = the end
  ViewFrom view = ViewFrom::corner;
  std::string body;  ///< pattern of the names to look at; empty = everything that moves
  double zoom = 1;   ///< > 1: nearer
  int width = 1280, height = 800;
};

/// What a run looked like at an instant, that of the recorded sample nearest to the wanted time. Throws
/// Error(input) if the run does not reach that time or has no such body.
Image picture_of_run(const RunReader& run, const RunPictureOptions& options);

}  // namespace grouser
