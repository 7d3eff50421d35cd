#include "record/soil_state_file.h"

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace grouser {
namespace {

using Memory = TiledGrid<SoilMemory, 32>;
constexpr std::size_t kPerColumn = 6, kPerBody = 40;
constexpr std::size_t kTileSize = Memory::kTileSize;

/// Calls visit(number) for all numbers of a column, in the order of the file.
template <class Column, class Visit>
void for_each_number(Column& column, Visit&& visit) {
  visit(column.deposit);
  visit(column.sunk);
  visit(column.lowered);
  visit(column.fill);
  visit(column.shear_x);
  visit(column.shear_y);
}

template <class Vector, class Visit>
void for_each_component(Vector& vector, Visit&& visit) {
  for (Eigen::Index i = 0; i < vector.size(); ++i) visit(vector.data()[i]);
}

/// The same for a body.
template <class Body, class Visit>
void for_each_body_number(Body& body, Visit&& visit) {
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

std::array<double, 6> grid_numbers(const ElevationMap& map) {
  const GridSpec& grid = map.grid();
  return {grid.origin.x(),
          grid.origin.y(),
          grid.spacing,
          static_cast<double>(grid.nx),
          static_cast<double>(grid.ny),
          static_cast<double>(Memory::kSide)};
}

/// A whole number in [low, high] that a file holds as a double.
int whole(double number, int low, int high) {
  if (!(number >= low && number <= high) || number != std::floor(number)) {
    throw h5::Failure("its soil is damaged: a count is out of range");
  }
  return static_cast<int>(number);
}

std::vector<double> read_sized(hid_t file, const char* path, std::size_t size) {
  std::vector<double> values = h5::read_vector(file, path);
  if (values.size() != size) {
    throw h5::Failure(std::string(path) + " has an unexpected size");
  }
  return values;
}

void read_tiles(hid_t file, ScmState& state) {
  const std::vector<double> places = h5::read_vector(file, "/state/soil/tiles");
  const std::vector<double> columns =
      read_sized(file, "/state/soil/columns", places.size() / 2 * kTileSize * kPerColumn);
  const double* next = columns.data();
  Memory& memory = state.soil.memory;
  for (std::size_t t = 0; t + 1 < places.size(); t += 2) {
    const int ti = whole(places[t], 0, memory.tiles_x() - 1);
    const int tj = whole(places[t + 1], 0, memory.tiles_y() - 1);
    SoilMemory* tile = memory.writable_tile(ti, tj);
    for (std::size_t k = 0; k < kTileSize; ++k) {
      for_each_number(tile[k], [&](double& number) {
        number = *next++;
        if (!std::isfinite(number)) throw h5::Failure("its soil is damaged: not a number");
      });
      const int i = ti * Memory::kSide + static_cast<int>(k) % Memory::kSide;
      const int j = tj * Memory::kSide + static_cast<int>(k) / Memory::kSide;
      if (i >= memory.nx() || j >= memory.ny()) continue;
      state.soil.map.set_change(i, j, tile[k].deposit - tile[k].lowered);
    }
  }
}

}  // namespace

void write_soil(hid_t file, const ScmState& state) {
  h5::write_vector(file, "/state/soil/grid", grid_numbers(state.soil.map));
  const std::array<double, 3> clock = {state.updated, state.updates, state.soil.displaced};
  h5::write_vector(file, "/state/soil/clock", clock);
  std::vector<double> bodies, places, columns;
  for (const ScmBodyMemory& body : state.bodies) {
    const std::size_t before = bodies.size();
    for_each_body_number(body, [&](double number) { bodies.push_back(number); });
    for (const int i : {body.touched.i0, body.touched.j0, body.touched.nx, body.touched.ny}) {
      bodies.push_back(i);
    }
    bodies.push_back(body.holds ? 1 : 0);
    bodies.resize(before + kPerBody, 0);
  }
  state.soil.memory.for_each_tile([&](int ti, int tj, const SoilMemory* tile) {
    places.push_back(ti);
    places.push_back(tj);
    for (std::size_t k = 0; k < kTileSize; ++k) {
      for_each_number(tile[k], [&](double number) { columns.push_back(number); });
    }
  });
  h5::write_vector(file, "/state/soil/bodies", bodies);
  h5::write_vector(file, "/state/soil/tiles", places);
  h5::write_vector(file, "/state/soil/columns", columns);
}

ScmState read_soil(hid_t file, const ElevationMap& map, std::size_t bodies) {
  const std::array<double, 6> grid = grid_numbers(map);
  if (read_sized(file, "/state/soil/grid", grid.size()) !=
      std::vector<double>(grid.begin(), grid.end())) {
    throw h5::Failure("its soil lies on another grid than the scene's terrain");
  }
  ScmState state{.soil = ScmSoil(map), .bodies = {}};
  const std::vector<double> clock = read_sized(file, "/state/soil/clock", 3);
  state.updated = clock[0];
  state.updates = clock[1];
  state.soil.displaced = clock[2];
  const std::vector<double> numbers = read_sized(file, "/state/soil/bodies", bodies * kPerBody);
  for (std::size_t b = 0; b < bodies; ++b) {
    ScmBodyMemory& body = state.bodies.emplace_back();
    const double* next = &numbers[b * kPerBody];
    for_each_body_number(body, [&](double& number) { number = *next++; });
    const int nx = map.grid().nx, ny = map.grid().ny;
    body.touched.i0 = whole(*next++, 0, nx);
    body.touched.j0 = whole(*next++, 0, ny);
    body.touched.nx = whole(*next++, 0, nx - body.touched.i0);
    body.touched.ny = whole(*next++, 0, ny - body.touched.j0);
    body.holds = whole(*next, 0, 1) == 1;
  }
  read_tiles(file, state);
  return state;
}

}  // namespace grouser
