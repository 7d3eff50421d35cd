#pragma once

#include <vector>

#include "contact/scm/padded_grid.h"

namespace grouser {

/// Joins what bears across gaps: parts of a body that are closer together than they are deep act on the soil
/// as one plate.
class GapBridge {
 public:
  /// Raises values, 0 ... 1 per cell, padded, between cells of a row or a column where they are high. Each is
  /// carried on to both sides, less by 1 in `reach` cells, which is > 0; where two meet, twice the lower
  /// counts, up to 1. So a gap of half the reach is bridged fully, and one of twice the reach not at all.
  /// Continuous in values and reach.
  void bridge(const PaddedGrid& grid, const std::vector<double>& values, double reach,
              std::vector<double>& bridged);

 private:
  void bridge_rows(const PaddedGrid& grid, const std::vector<double>& values, double fall,
                   std::vector<double>& bridged);
  void bridge_columns(const PaddedGrid& grid, const std::vector<double>& values, double fall,
                      std::vector<double>& bridged);

  std::vector<double> before_, after_;  // per cell, padded: what comes over from one side
};

}  // namespace grouser
