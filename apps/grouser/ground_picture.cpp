#include "ground_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "preview.h"

namespace grouser::internal {
namespace {

constexpr double kMostTriangles = 4e6;  // of ruts; about two seconds

/// Change of height at any point, bilinear [m].
double change_at(const RecordedSoil& soil, const Vec2& point) {
  const GridSpec& grid = soil.grid;
  const Vec2 place = (point - grid.origin) / grid.spacing;
  const int i = std::clamp(static_cast<int>(std::floor(place.x())), 0, grid.nx - 2);
  const int j = std::clamp(static_cast<int>(std::floor(place.y())), 0, grid.ny - 2);
  const double u = std::clamp(place.x() - i, 0.0, 1.0), v = std::clamp(place.y() - j, 0.0, 1.0);
  return (1 - v) * ((1 - u) * soil.change.get(i, j) + u * soil.change.get(i + 1, j)) +
         v * ((1 - u) * soil.change.get(i, j + 1) + u * soil.change.get(i + 1, j + 1));
}

/// Builds the mesh: one cell per cell of the overview grid, those with ruts divided into n x n. Along
/// the border of these the change is nil, so that no cracks open towards the large ones.
class GroundMesher {
 public:
  GroundMesher(const RecordedGround& ground, const RecordedSoil* soil)
      : ground_(ground), grid_(ground.grid), soil_(soil) {
    if (soil_) mark_changed_cells();
  }

  TriMesh build() {
    add_overview_nodes();
    for (int j = 0; j + 1 < grid_.ny; ++j) {
      for (int i = 0; i + 1 < grid_.nx; ++i) {
        if (divisions_ > 1 && changed_[cell(i, j)] != 0) {
          add_fine_cell(i, j);
        } else {
          add_quad(index(i, j), index(i + 1, j), index(i + 1, j + 1), index(i, j + 1),
                   (i + j) % 2 == 0);
        }
      }
    }
    return std::move(mesh_);
  }

  const std::vector<double>& change() const { return change_; }  ///< per vertex [m]
  double rut_spacing() const { return grid_.spacing / divisions_; }

 private:
  std::size_t cell(int i, int j) const { return grid_.index(i, j); }
  std::int32_t index(int i, int j) const { return static_cast<std::int32_t>(grid_.index(i, j)); }

  void mark_changed_cells() {
    changed_.assign(grid_.size(), 0);
    constexpr int kSide = TiledGrid<double>::kSide;
    soil_->change.for_each_tile([&](int ti, int tj, const double* tile) {
      for (int k = 0; k < TiledGrid<double>::kTileSize; ++k) {
        if (tile[k] != 0) mark_around(kSide * ti + k % kSide, kSide * tj + k / kSide);
      }
    });
    const auto cells = static_cast<double>(std::ranges::count(changed_, 1));
    const double wanted = std::ceil(grid_.spacing / soil_->grid.spacing - 1e-6);
    const double most = std::sqrt(kMostTriangles / 2 / std::max(cells, 1.0));
    divisions_ = static_cast<int>(std::max(1.0, std::min(wanted, std::floor(most))));
  }

  /// A node's change reaches as far as its neighbours.
  void mark_around(int i, int j) {
    const Vec2 p = soil_->grid.node(i, j) - grid_.origin;
    const auto first = [&](double x, int n) {
      const double place = std::floor((x - soil_->grid.spacing) / grid_.spacing + 1e-6);
      return static_cast<int>(std::clamp(place, 0.0, n - 2.0));
    };
    const auto last = [&](double x, int n) {
      const double place = std::ceil((x + soil_->grid.spacing) / grid_.spacing - 1e-6) - 1;
      return static_cast<int>(std::clamp(place, 0.0, n - 2.0));
    };
    for (int cj = first(p.y(), grid_.ny); cj <= last(p.y(), grid_.ny); ++cj) {
      for (int ci = first(p.x(), grid_.nx); ci <= last(p.x(), grid_.nx); ++ci) {
        changed_[cell(ci, cj)] = 1;
      }
    }
  }

  std::int32_t add_vertex(const Vec2& p, double height) {
    const double change = soil_ ? change_at(*soil_, p) : 0;
    change_.push_back(change);
    mesh_.vertices.emplace_back(p.x(), p.y(), height + change);
    return static_cast<std::int32_t>(mesh_.vertices.size()) - 1;
  }

  void add_overview_nodes() {
    for (int j = 0; j < grid_.ny; ++j) {
      for (int i = 0; i < grid_.nx; ++i) {
        add_vertex(grid_.node(i, j), ground_.heights[grid_.index(i, j)]);
      }
    }
  }

  /// Node (a, b) of the grid that is `divisions_` times as fine as the overview.
  std::int32_t fine_node(std::int64_t a, std::int64_t b) {
    const int n = divisions_;
    if (a % n == 0 && b % n == 0) return index(static_cast<int>(a / n), static_cast<int>(b / n));
    const auto [at, is_new] =
        fine_.try_emplace(static_cast<std::uint64_t>(b) << 32 | static_cast<std::uint64_t>(a));
    if (is_new) {
      const int i = std::min(static_cast<int>(a / n), grid_.nx - 2);
      const int j = std::min(static_cast<int>(b / n), grid_.ny - 2);
      const double u = static_cast<double>(a) / n - i, v = static_cast<double>(b) / n - j;
      const auto h = [&](int di, int dj) { return ground_.heights[grid_.index(i + di, j + dj)]; };
      const double height =
          (1 - v) * ((1 - u) * h(0, 0) + u * h(1, 0)) + v * ((1 - u) * h(0, 1) + u * h(1, 1));
      at->second = add_vertex(grid_.origin + grid_.spacing * Vec2(i + u, j + v), height);
    }
    return at->second;
  }

  void add_fine_cell(int i, int j) {
    const std::int64_t n = divisions_;
    for (std::int64_t b = j * n; b < (j + 1) * n; ++b) {
      for (std::int64_t a = i * n; a < (i + 1) * n; ++a) {
        add_quad(fine_node(a, b), fine_node(a + 1, b), fine_node(a + 1, b + 1), fine_node(a, b + 1),
                 (a + b) % 2 == 0);
      }
    }
  }

  void add_quad(std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d, bool even) {
    mesh_.triangles.push_back(even ? Triangle{a, b, c} : Triangle{a, b, d});
    mesh_.triangles.push_back(even ? Triangle{a, c, d} : Triangle{b, c, d});
  }

  const RecordedGround& ground_;
  const GridSpec& grid_;
  const RecordedSoil* soil_;
  std::vector<char> changed_;  // per cell
  int divisions_ = 1;
  TriMesh mesh_;
  std::vector<double> change_;
  std::unordered_map<std::uint64_t, std::int32_t> fine_;
};

}  // namespace

GroundPicture ground_picture(const RecordedGround& ground, const RecordedSoil* soil,
                             const RutRange& range) {
  GroundMesher mesher(ground, soil);
  GroundPicture picture{.mesh = ground_to_draw(mesher.build()),
                        .rut_spacing = mesher.rut_spacing()};
  picture.mesh.crease = 1.2;  // soil has no edges but those of holes
  for (std::size_t v = 0; v < mesher.change().size(); ++v) {
    Vec3& colour = picture.mesh.vertex_colors[v];
    colour = rut_colour(mesher.change()[v], range, colour);
  }
  return picture;
}

}  // namespace grouser::internal
