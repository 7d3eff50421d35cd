#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// Curves on paper: plain structs that become one SVG file. The same input gives the same bytes.
namespace grouser::internal {

/// A curve, a cloud of points, or both. Where x or y is not finite (or not positive on a
/// logarithmic axis) the line has a gap and there is no marker.
struct Series {
  std::string label;            ///< in the legend; empty: not there
  std::vector<double> x, y;     ///< of the same length
  std::vector<double> y_error;  ///< half lengths of error bars, one per point; empty: none
  bool line = true;
  bool markers = false;
  bool dashed = false;
  /// Number of the colour and of the marker's shape, >= 0; both come round again. Empty: the
  /// series' place in its panel. Lets a fit share the colour of its data.
  std::optional<int> style;
};

struct Axis {
  std::string label;  ///< with the unit, e.g. "sinkage [mm]"
  bool logarithmic = false;
  std::optional<double> low, high;  ///< empty: what the data need
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

/// Panels side by side, row by row, all of the same size.
struct Figure {
  std::vector<Panel> panels;
  int columns = 2;           ///< > 0; no more than there are panels are used
  double panel_width = 480;  ///< [px], with the axes' labels
  double panel_height = 340;
};

/// The figure as the text of an SVG file. Throws Error(input) naming the panel if a series' columns
/// differ in length or an axis cannot have the ends it is given.
std::string to_svg(const Figure& figure);

/// Writes to_svg(); the file appears when complete. Throws Error(io) if it cannot be written.
void write_svg(const std::filesystem::path& path, const Figure& figure);

}  // namespace grouser::internal
