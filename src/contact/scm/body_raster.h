#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "contact/scm/cell_kernels.h"
#include "contact/scm/coverage.h"
#include "contact/scm/low_surface.h"
#include "contact/scm/options.h"
#include "contact/scm/scm_soil.h"

namespace grouser {

/// What a body looks like from below, over the cells of a window of soil: how much of each cell it
/// presses on, and how deep.
class BodyRaster {
 public:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  explicit BodyRaster(const ScmBody& body) : surface_(body) {}

  /// Takes the triangles that may be below a height. Returns the rectangle to load the soil of.
  Rect gather(const ScmBody& body, const Pose& X_WB, double height) {
    return surface_.gather(body, X_WB, height);
  }
  bool empty() const { return surface_.parts().empty(); }

  /// First: heights of the body over the window.
  void sample(const ScmBody& body, const GridSpec& window, double highest,
              const ScmOptions& options);
  /// Lowest height of the body over a cell; kNone if it does not stand there.
  double lowest(int i, int j) const { return lowest_[cells_.index(i, j)]; }
  /// Then: what of it is below `heights`, which are given per node of the window [m].
  void outline(const ScmBody& body, const GridSpec& window, const std::vector<double>& heights,
               const ScmOptions& options);

  const PaddedGrid& cells() const { return cells_; }
  /// Part of each cell in contact, padded.
  std::vector<double>& covered() { return covered_; }
  /// Mean height of the body over the samples of a cell that are below a height; kNone if none is.
  double mean_height(int i, int j, double height) const;
  /// Lowest centre of the triangles over a cell that stand between samples; kNone if there is none.
  double lowest_between(int i, int j) const {
    return between_[static_cast<std::size_t>(j) * static_cast<std::size_t>(cells_.nx) +
                    static_cast<std::size_t>(i)];
  }

 private:
  void sample_part(const ScmBody& body, const LowSurface::Part& part, double highest);
  bool sample_triangle(const kernels::TriangleSetup& setup, std::size_t t);
  void sample_vertices();
  void find_lowest();
  void outline_part(const ScmBody& body, const LowSurface::Part& part);
  kernels::SampleFrame frame(const GridSpec& window) const;
  void add_boundary(const Triangle& neighbours, std::size_t a, std::size_t b, std::size_t c);

  LowSurface surface_;  // once scaled, x and y are in samples: sample (i, j) stands at (i, j)
  int m_ = 1;           // samples per cell and axis
  PaddedGrid cells_;
  int sx_ = 0, sy_ = 0;          // samples along x and y
  std::vector<double> samples_;  // lowest height of the body per sample
  std::vector<double> between_;  // per cell
  std::vector<double> lowest_;   // per cell, padded: of samples and what is between them
  Coverage coverage_;
  std::vector<double> covered_;  // per cell, padded
};

}  // namespace grouser
