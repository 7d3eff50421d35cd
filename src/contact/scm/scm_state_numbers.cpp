// The memory of soft soil as numbers.
#include <array>

#include "contact/number_stream.h"
#include "contact/scm/scm_system.h"

namespace grouser::internal {
namespace {

using Columns = TiledGrid<SoilMemory, 32>;
constexpr std::size_t kPerColumn = 6;

/// The grid of the soil, which must be the same.
std::array<double, 6> grid_numbers(const ElevationMap& map) {
  const GridSpec& grid = map.grid();
  return {grid.origin.x(),
          grid.origin.y(),
          grid.spacing,
          static_cast<double>(grid.nx),
          static_cast<double>(grid.ny),
          static_cast<double>(Columns::kSide)};
}

template <class Column, class Visit>
void visit_column(Column& column, Visit&& visit) {
  visit(column.deposit);
  visit(column.sunk);
  visit(column.lowered);
  visit(column.fill);
  visit(column.shear_x);
  visit(column.shear_y);
}

template <class Body, class Visit>
void visit_body(Body& body, Visit&& visit) {
  for_each_component(body.X_WB.R, visit);
  for_each_component(body.X_WB.p, visit);
  for_each_component(body.push, visit);
  for_each_component(body.V_WB.angular, visit);
  for_each_component(body.V_WB.linear, visit);
  for_each_component(body.reaction.wrench.torque, visit);
  for_each_component(body.reaction.wrench.force, visit);
  for_each_component(body.reaction.wall, visit);
  visit(body.reaction.sinkage);
  visit(body.reaction.area);
}

void read_rectangle(NumberReader& read, const GridSpec& grid, NodeRect& rect) {
  rect.i0 = read.whole(0, grid.nx);
  rect.j0 = read.whole(0, grid.ny);
  rect.nx = read.whole(0, grid.nx - rect.i0);
  rect.ny = read.whole(0, grid.ny - rect.j0);
}

void read_tile(NumberReader& read, ScmSoil& soil) {
  Columns& memory = soil.memory;
  const int ti = read.whole(0, memory.tiles_x() - 1), tj = read.whole(0, memory.tiles_y() - 1);
  SoilMemory* tile = memory.writable_tile(ti, tj);
  for (std::size_t k = 0; k < Columns::kTileSize; ++k) {
    visit_column(tile[k], read);
    const int i = ti * Columns::kSide + static_cast<int>(k) % Columns::kSide;
    const int j = tj * Columns::kSide + static_cast<int>(k) / Columns::kSide;
    if (i >= memory.nx() || j >= memory.ny()) continue;
    soil.map.set_change(i, j, tile[k].deposit - tile[k].lowered);
  }
}

}  // namespace

std::vector<double> ScmSystem::save(const ContactMemory& memory) const {
  const auto& state = memory.as<ScmState>();
  NumberWriter write;
  for (const double number : grid_numbers(state.soil.map)) write(number);
  for (const double number : {state.updated, state.updates, state.soil.displaced}) write(number);
  for (const ScmBodyMemory& body : state.bodies) {
    visit_body(body, write);
    const NodeRect& touched = body.touched;
    for (const int i : {touched.i0, touched.j0, touched.nx, touched.ny, body.holds ? 1 : 0})
      write(i);
  }
  std::int32_t tiles = 0;
  state.soil.memory.for_each_tile([&](int, int, const SoilMemory*) { ++tiles; });
  write(tiles);
  state.soil.memory.for_each_tile([&](int ti, int tj, const SoilMemory* tile) {
    write(ti);
    write(tj);
    for (std::size_t k = 0; k < Columns::kTileSize; ++k) visit_column(tile[k], write);
  });
  return write.take();
}

ContactMemory ScmSystem::load(std::span<const double> numbers) const {
  ScmState state{.soil = ScmSoil(*map_), .bodies = {}};
  NumberReader read(numbers);
  for (const double expected : grid_numbers(*map_)) {
    double number = 0;
    read(number);
    if (number != expected) {
      throw DamagedMemory("its soil lies on another grid than the scene's terrain");
    }
  }
  read(state.updated);
  read(state.updates);
  read(state.soil.displaced);
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    ScmBodyMemory& body = state.bodies.emplace_back();
    visit_body(body, read);
    read_rectangle(read, map_->grid(), body.touched);
    body.holds = read.whole(0, 1) == 1;
  }
  const std::size_t tiles = read.count(2 + kPerColumn * Columns::kTileSize);
  for (std::size_t t = 0; t < tiles; ++t) read_tile(read, state.soil);
  read.expect_end();
  return ContactMemory(std::move(state));
}

}  // namespace grouser::internal
