#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contact/scm/footprint.h"
#include "contact/scm/padded_grid.h"
#include "contact/scm/scm_soil.h"

namespace grouser::internal {

/// Nodes of the map that a body is in contact with, as a box.
NodeRect contact_rect(const Footprint& footprint);

/// The soil around bodies while it is updated. What moves is booked in `change` alone, in multiples of
/// kSoilQuantum; at the end apply() turns that into the columns' memory. Per node values are padded by
/// a ring, which is held: nothing moves there. Numbers have a few entries more, so that four in a row can be
/// taken from any node on.
struct SoilWork {
  SoilWindow window;
  PaddedGrid grid;                 ///< of the window
  std::vector<double> base;        ///< height of the untouched ground [m]
  std::vector<double> change;      ///< deposit - lowered [m], exact
  std::vector<std::uint8_t> held;  ///< by a body: in contact, or off the window
  /// Lowest point of the bodies above [m], or infinite; minus infinite where held: no room.
  std::vector<double> ceiling;
  std::vector<std::int32_t> changed;  ///< nodes of the window whose surface did, each once
  std::vector<std::uint8_t> listed;   ///< per node of the window: 1 if it is one of those
  /// Per row of the window: the columns that were written are among begin ... end - 1.
  struct Span {
    int begin, end;
  };
  std::vector<Span> written;

  void load(const ScmSoil& soil, const NodeRect& rect, BaseHeights& heights);
  /// Marks the cells of a footprint that lie within the window as held, and the room above the others.
  void hold(const Footprint& footprint);
  /// Nodes, as a box, whose soil a body keeps down though it does not touch them.
  NodeRect kept_down(const Underside& underside) const;

  /// How much higher soil can get on a node [m], maybe infinite.
  double room(std::size_t padded) const { return ceiling[padded] - base[padded] - change[padded]; }
  /// From a node to the next along a direction, in padded indices: to one of its eight neighbours.
  std::ptrdiff_t step_along(const Vec2& direction) const {
    const NodeStep step = step_of(direction);
    return step.i + static_cast<std::ptrdiff_t>(step.j) * grid.stride();
  }

  /// Column and row within the window of a node of another window.
  struct Place {
    int i, j;
  };
  Place place(const SoilWindow& other, std::int32_t node) const {
    const int nx = other.grid.nx;
    return {node % nx + other.i0 - window.i0, node / nx + other.j0 - window.j0};
  }
  const SoilMemory& column(int i, int j) const { return window.memory[window.grid.index(i, j)]; }
  /// The same to write to.
  SoilMemory& writable(int i, int j);

  /// Presses a column down by D >= 0 [m], a multiple of the quantum. D is to be laid down elsewhere.
  void press(int i, int j, double D);

  /// Puts soil of height D >= 0 [m], a multiple of the quantum, on a free node: as far as there is room
  /// under the bodies, the rest on the next nodes along `step`; what finds no room stays on the last free
  /// node.
  void heap(std::size_t padded, std::ptrdiff_t step, double D);

  /// Makes the columns follow the changes. Soil put on a free column fills its dent first; otherwise
  /// its level rises or falls. True if a node on the window's rim changed beyond which the map goes on:
  /// what lies there may be too steep now.
  bool apply(const GridSpec& map);

  void store(ScmSoil& soil) const;

 private:
  void list(std::size_t node);
  NodeRect seen(const Underside& underside) const;  // what of it lies within the window
};

/// Raises the level of a column by h [m], or lowers it: soil is put on the fill or taken from it.
void raise_level(SoilMemory& column, double h);

/// Puts soil of height h [m] on a column that no body holds, into its dent first; or, if negative, takes
/// it.
void put_soil(SoilMemory& column, double h);

}  // namespace grouser::internal
