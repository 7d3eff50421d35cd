#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/scm/cell_kernels.h"
#include "contact/scm/coverage.h"
#include "contact/scm/low_surface.h"
#include "contact/scm/options.h"
#include "contact/scm/scm_soil.h"

namespace grouser::internal {

/// What a body looks like from below, over the cells of a window of soil: how much of each cell it
/// presses on, and how deep.
class BodyRaster {
 public:
  static constexpr double kNone = std::numeric_limits<double>::infinity();

  explicit BodyRaster(const ScmBody& body) : surface_(body) {}

  /// Takes the facets that may be less than `near` [m] above the soil. Returns the rectangle to load the
  /// soil of.
  Rect gather(const ScmBody& body, const Pose& X_WB, const HighestNodes& soil, double near) {
    return surface_.gather(body, X_WB, soil, near);
  }
  bool empty() const { return surface_.facets().size() == 0; }

  /// First: heights of the body over the window.
  void sample(const GridSpec& window, const ScmOptions& options);
  /// Lowest height of the body over each cell of the window [m]; kNone where it does not stand.
  const std::vector<double>& lowest() const { return lowest_; }
  /// Then: what of it is below `heights`, which are given per node of the window [m].
  void outline(const ScmBody& body, const GridSpec& window, const std::vector<double>& heights,
               const ScmOptions& options);

  /// A box of cells with all that are in contact; what follows is over these.
  const Coverage::Box& box() const { return box_; }
  /// Part of each cell of the box in contact, padded.
  std::vector<double>& covered() { return covered_; }
  /// For a row of cells: mean height of the body over the samples of each that are below its height; kNone if
  /// none is.
  void mean_heights(int j, const double* heights, double* __restrict means) const;
  /// Lowest middle of the facets over a cell that stand between samples; kNone if there is none.
  double lowest_between(int i, int j) const {
    return between_[static_cast<std::size_t>(box_.first_j + j) * static_cast<std::size_t>(nx_) +
                    static_cast<std::size_t>(box_.first_i + i)];
  }

 private:
  static constexpr int kBlock = 2;  // samples along each side of a block

  kernels::FacetCorners corners(std::size_t first) const;
  void sample_facets();
  bool sample_facet(const kernels::FacetSetup& setup, std::size_t f);
  void sample_middle(const kernels::FacetCorners& corners, std::size_t f);
  void sample_vertices();
  void find_lowest();
  std::size_t block(int i, int j) const {
    return (static_cast<std::size_t>(j) * static_cast<std::size_t>(blocks_x_) +
            static_cast<std::size_t>(i)) *
           kBlock * kBlock;
  }
  std::size_t sample(int i, int j) const {
    return block(i / kBlock, j / kBlock) +
           static_cast<std::size_t>(j % kBlock * kBlock + i % kBlock);
  }
  kernels::SampleFrame frame(const GridSpec& window) const;
  void outline_facets(const ScmBody& body);
  void outline_part(const FacetPart& part, std::int32_t first);
  /// Corners of a triangle, and whether the contact goes on beyond the sides (a, b), (b, c), (c, a).
  struct Outline {
    std::array<std::size_t, 3> corners;
    std::array<bool, 3> goes_on;
  };
  void add_boundary(const Outline& triangle);

  LowSurface surface_;   // once scaled, x and y are in samples: sample (i, j) stands at (i, j)
  int m_ = 1;            // samples per cell and axis
  int nx_ = 0, ny_ = 0;  // cells along x and y
  int sx_ = 0, sy_ = 0;  // samples
  // Lowest height of the body per sample, by blocks: most facets are narrow, whichever way they lie.
  std::vector<double> samples_;
  int blocks_x_ = 0;
  std::vector<double> between_;  // per cell
  std::vector<double> lowest_;   // per cell: of samples and what is between them
  Coverage coverage_;
  Coverage::Box box_;
  std::vector<double> covered_;  // per cell of the box, padded
};

}  // namespace grouser::internal
