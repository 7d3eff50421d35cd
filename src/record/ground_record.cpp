#include "record/ground_record.h"

#include <algorithm>
#include <array>

#include "record/hdf5_file.h"

namespace grouser::internal {
namespace {

constexpr const char* kHeight = "/ground/height";
constexpr const char* kRockVertices = "/ground/rocks/vertices";
constexpr const char* kRockTriangles = "/ground/rocks/triangles";
constexpr int kMostNodes = 1000;  // along the longer side

template <class T>
hid_t type_of() {
  if constexpr (std::is_same_v<T, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<T, double>) return H5T_NATIVE_DOUBLE;
  return H5T_NATIVE_INT32;
}

template <class T>
h5::Handle write_table(hid_t file, const char* path, const T* values, std::size_t rows,
                       std::size_t columns) {
  const std::array<hsize_t, 2> size = {rows, columns};
  const h5::Handle space(H5Screate_simple(2, size.data(), nullptr), H5Sclose, "no data space");
  const h5::Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "no link properties");
  h5::checked(H5Pset_create_intermediate_group(links.get(), 1), "no link properties");
  h5::Handle dataset(
      H5Dcreate2(file, path, type_of<T>(), space.get(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose, path);
  h5::checked(H5Dwrite(dataset.get(), type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path);
  return dataset;
}

struct SizedTable {
  h5::Handle dataset;
  std::size_t rows, columns;
};

/// Opens a table and makes sure that its size is sane before anybody makes room for it.
SizedTable open_table(hid_t file, const char* path) {
  constexpr std::size_t kMostRows = 100'000'000;
  h5::Handle dataset = h5::open_dataset(file, path);
  const std::vector<hsize_t> size = h5::shape(dataset.get());
  if (size.size() != 2 || size[0] > kMostRows || size[1] > kMostRows ||
      size[0] * size[1] > kMostRows) {
    throw h5::Failure(std::string(path) + " has an unexpected shape");
  }
  return {std::move(dataset), size[0], size[1]};
}

template <class T>
std::vector<T> read_table(const SizedTable& table, const char* path) {
  std::vector<T> values(table.rows * table.columns);
  h5::checked(
      H5Dread(table.dataset.get(), type_of<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
      path);
  return values;
}

TriMesh read_rocks(hid_t file) {
  TriMesh mesh;
  if (!h5::exists(file, kRockVertices)) return mesh;
  const SizedTable vertices = open_table(file, kRockVertices);
  const SizedTable triangles = open_table(file, kRockTriangles);
  if (vertices.columns != 3 || triangles.columns != 3) throw h5::Failure("rocks make no sense");
  const auto xyz = read_table<double>(vertices, kRockVertices);
  const auto indices = read_table<std::int32_t>(triangles, kRockTriangles);
  for (std::size_t i = 0; i < xyz.size(); i += 3) {
    mesh.vertices.emplace_back(xyz[i], xyz[i + 1], xyz[i + 2]);
  }
  for (std::size_t i = 0; i < indices.size(); i += 3) {
    mesh.triangles.push_back({indices[i], indices[i + 1], indices[i + 2]});
  }
  const auto count = static_cast<std::int32_t>(mesh.vertices.size());
  const auto legal = [&](std::int32_t i) { return i >= 0 && i < count; };
  if (!std::ranges::all_of(indices, legal)) throw h5::Failure("rocks make no sense");
  return mesh;
}

}  // namespace

void write_ground(hid_t file, const Ground& ground) {
  const GridSpec grid = overview_grid(ground.map, kMostNodes);
  std::vector<double> heights(grid.size());
  ground.map.base().heights(grid, heights);
  const std::vector<float> stored(heights.begin(), heights.end());
  const h5::Handle dataset =
      write_table(file, kHeight, stored.data(), static_cast<std::size_t>(grid.ny),
                  static_cast<std::size_t>(grid.nx));
  h5::set_attribute(dataset.get(), "unit", std::string("m"));
  h5::set_attribute(dataset.get(), "origin", std::span(grid.origin.data(), 2));
  h5::set_attribute(dataset.get(), "spacing", grid.spacing);
  if (ground.rocks.rocks.empty()) return;
  const TriMesh rocks = merged_mesh(ground.rocks);
  write_table(file, kRockVertices, rocks.vertices.front().data(), rocks.vertices.size(), 3);
  write_table(file, kRockTriangles, rocks.triangles.front().data(), rocks.triangles.size(), 3);
}

std::optional<RecordedGround> read_recorded_ground(hid_t file) {
  if (!h5::exists(file, kHeight)) return std::nullopt;
  const SizedTable table = open_table(file, kHeight);
  const auto heights = read_table<float>(table, kHeight);
  const std::vector<double> origin = h5::numbers_attribute(table.dataset.get(), "origin");
  RecordedGround ground;
  ground.grid.spacing = h5::number_attribute(table.dataset.get(), "spacing");
  if (origin.size() != 2 || !(ground.grid.spacing > 0) || table.rows < 2 || table.columns < 2) {
    throw h5::Failure(std::string(kHeight) + " makes no sense");
  }
  ground.grid.origin = Vec2(origin[0], origin[1]);
  ground.grid.nx = static_cast<int>(table.columns);
  ground.grid.ny = static_cast<int>(table.rows);
  ground.heights.assign(heights.begin(), heights.end());
  ground.rocks = read_rocks(file);
  return ground;
}

}  // namespace grouser::internal
