#include <algorithm>

#include "contact/scm/scm_force.h"

namespace grouser {

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
  const std::vector<ContactCell>& cells = scratch.footprint.cells;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    SoilMemory& column = window.memory[static_cast<std::size_t>(cells[c].node)];
    const CellLoad& load = scratch.force.loads[c];
    const double sunk = law.sunk_after(load.sinkage);
    column.sunk = std::max(column.sunk, sunk);
    column.fill = std::min(column.fill, column.sunk - sunk);
    column.shear_x = load.shear.x();
    column.shear_y = load.shear.y();
  }
  const int nx = window.grid.nx;
  for (std::size_t c = 0; c < cells.size();) {  // row by row: nothing else has changed
    const int row = cells[c].node / nx, first = cells[c].node % nx;
    while (c < cells.size() && cells[c].node / nx == row) ++c;
    window.store(soil, first, row, cells[c - 1].node % nx - first + 1);
  }
}

}  // namespace grouser
