#include <algorithm>

#include "contact/scm/cell_kernels.h"
#include "contact/scm/scm_force.h"

namespace grouser::internal {

void scm_commit(const Pose& X_WB, const Twist& V_WB, const ScmOptions& options, ScmScratch& scratch,
                ScmBodyMemory& memory, ScmSoil& soil) {
  memory.X_WB = X_WB;
  memory.V_WB = V_WB;
  memory.push = scratch.force.push;
  memory.reaction = scratch.force;
  memory.holds = true;
  if (scratch.footprint.empty()) return;
  SoilWindow& window = scratch.footprint.window;
  const BekkerLaw law{.unloading = options.unloading};
  const ContactCells& cells = scratch.footprint.cells;
  const CellLoads& loads = scratch.force.loads;
  ScmScratch::Cells& numbers = scratch.cells;
  const std::vector<double>* deepest = &loads.sinkage;
  if (options.bearing == ScmOptions::Bearing::inclined) {
    // Soil that gives way keeps no more pressure than it bears, as if it had been pressed deeper and
    // let up: no shear that reverses gives anything back.
    kernels::deepest_alike(cells.size(), loads.sinkage.data(), numbers.yields.data(),
                           numbers.exponent.data(), options.unloading, numbers.base.data(),
                           numbers.value.data());
    deepest = &numbers.value;
  }
  for (std::size_t c = 0; c < cells.size(); ++c) {
    SoilMemory& column = window.memory[static_cast<std::size_t>(cells.node[c])];
    const double sunk = law.sunk_after((*deepest)[c]);
    column.sunk = std::max(column.sunk, sunk);
    column.fill = std::min(column.fill, column.sunk - sunk);
    column.shear_x = loads.shear_x[c];
    column.shear_y = loads.shear_y[c];
  }
  const int nx = window.grid.nx;
  for (std::size_t c = 0; c < cells.size();) {  // row by row: nothing else has changed
    const int row = cells.node[c] / nx, first = cells.node[c] % nx;
    while (c < cells.size() && cells.node[c] / nx == row) ++c;
    window.store(soil, first, row, cells.node[c - 1] % nx - first + 1);
  }
}

}  // namespace grouser::internal
