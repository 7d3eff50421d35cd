#include <algorithm>

#include "contact/scm/cell_kernels.h"
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
  ScmScratch::Cells& cells = scratch.cells;
  const std::size_t count = scratch.footprint.cells.size();
  const std::vector<double>* deepest = &cells.sinkage;
  if (options.bearing == ScmOptions::Bearing::inclined) {
    // Soil that gives way keeps no more pressure than it bears, as if it had been pressed deeper and
    // let up: no shear that reverses gives anything back.
    kernels::deepest_alike(count, cells.sinkage.data(), cells.yields.data(), cells.exponent.data(),
                           options.unloading, cells.base.data(), cells.value.data());
    deepest = &cells.value;
  }
  for (std::size_t c = 0; c < count; ++c) {
    SoilMemory& column = window.memory[static_cast<std::size_t>(scratch.footprint.cells[c].node)];
    const CellLoad& load = scratch.force.loads[c];
    const double sunk = law.sunk_after((*deepest)[c]);
    column.sunk = std::max(column.sunk, sunk);
    column.fill = std::min(column.fill, column.sunk - sunk);
    column.shear_x = load.shear.x();
    column.shear_y = load.shear.y();
  }
  window.store(soil);
}

}  // namespace grouser
