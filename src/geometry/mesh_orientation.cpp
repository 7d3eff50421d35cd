#include "geometry/mesh_orientation.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "geometry/edge_table.h"

namespace grouser::internal {
namespace {

constexpr std::int32_t kBorder = -1;

// Solid angles that may be computed in search of cavities: some seconds.
constexpr std::size_t kMaxSolidAngles = 100'000'000;

/// Closed piece: triangles[begin ... end) of the order in which they were reached.
struct Piece {
  std::size_t begin = 0, end = 0;
  bool was_consistent = true;
  double volume = 0;  // signed [m³]
  Aabb box;
};

struct Pieces {
  std::vector<std::size_t> order;  // triangles, piece after piece
  std::vector<Piece> closed;
  std::vector<bool> turn;  // by triangle
};

/// Across each side (3 × triangle + corner) the side of the neighbour, or kBorder.
std::vector<std::int32_t> neighbours_across(const TriMesh& mesh) {
  std::vector<std::int32_t> across(3 * mesh.triangles.size(), kBorder);
  const EdgeTable edges(mesh.triangles, mesh.vertices.size());
  edges.for_each_edge([&](std::int32_t, std::int32_t, std::span<const EdgeSide> sides) {
    if (sides.size() != 2) return;
    across[sides[0].index] = static_cast<std::int32_t>(sides[1].index);
    across[sides[1].index] = static_cast<std::int32_t>(sides[0].index);
  });
  return across;
}

/// Signed volume and box with the triangles turned as noted.
void measure(const TriMesh& mesh, const Pieces& pieces, Piece& piece) {
  const Vec3 origin = mesh.vertices[slot(mesh.triangles[pieces.order[piece.begin]][0])];
  piece.volume = 0;
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const std::size_t t = pieces.order[i];
    const auto& [a, b, c] = mesh.triangles[t];
    for (const std::int32_t vertex : {a, b, c}) piece.box.add(mesh.vertices[slot(vertex)]);
    const double volume6 =
        (mesh.vertices[slot(a)] - origin)
            .dot((mesh.vertices[slot(b)] - origin).cross(mesh.vertices[slot(c)] - origin));
    piece.volume += (pieces.turn[t] ? -volume6 : volume6) / 6;
  }
}

/// Follows the surface from one triangle, turning each newly reached one to agree with the one it
/// was reached from.
class SurfaceWalk {
 public:
  explicit SurfaceWalk(const TriMesh& mesh)
      : mesh_(mesh), across_(neighbours_across(mesh)), is_reached_(mesh.triangles.size(), false) {
    pieces_.turn.assign(mesh.triangles.size(), false);
    pieces_.order.reserve(mesh.triangles.size());
  }

  Pieces run() {
    for (std::size_t seed = 0; seed < mesh_.triangles.size(); ++seed) {
      if (!is_reached_[seed]) walk_from(seed);
    }
    return std::move(pieces_);
  }

 private:
  void walk_from(std::size_t seed) {
    Piece piece{.begin = pieces_.order.size()};
    bool is_sound = true;  // closed and orientable
    reach(seed);
    for (std::size_t i = piece.begin; i < pieces_.order.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k)
        is_sound = cross(3 * pieces_.order[i] + k, piece) && is_sound;
    }
    piece.end = pieces_.order.size();
    if (!is_sound) {
      for (std::size_t i = piece.begin; i < piece.end; ++i) pieces_.turn[pieces_.order[i]] = false;
      return;
    }
    measure(mesh_, pieces_, piece);
    pieces_.closed.push_back(piece);
  }

  /// False at a border and where the walk contradicts itself, as on a Klein bottle.
  bool cross(std::size_t side, Piece& piece) {
    if (across_[side] == kBorder) return false;
    const std::size_t here = side / 3;
    const auto other = static_cast<std::size_t>(across_[side]);
    const std::size_t there = other / 3;
    // Two triangles agree if they run along their common edge in opposite directions.
    const bool agree = mesh_.triangles[here][side % 3] == mesh_.triangles[there][(other + 1) % 3];
    const bool turn = pieces_.turn[here] == agree;
    if (!agree) piece.was_consistent = false;
    if (is_reached_[there]) return pieces_.turn[there] == turn;
    pieces_.turn[there] = turn;
    reach(there);
    return true;
  }

  void reach(std::size_t triangle) {
    is_reached_[triangle] = true;
    pieces_.order.push_back(triangle);
  }

  const TriMesh& mesh_;
  std::vector<std::int32_t> across_;
  std::vector<bool> is_reached_;
  Pieces pieces_;
};

void turn_piece(Pieces& pieces, Piece& piece) {
  for (std::size_t i = piece.begin; i < piece.end; ++i) pieces.turn[pieces.order[i]].flip();
  piece.volume = -piece.volume;
}

/// Solid angle of a triangle seen from the origin of a, b, c, in (-2π, 2π].
/// van Oosterom & Strackee, IEEE Trans. Biomed. Eng. 30 (1983).
double solid_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return 2 * std::atan2(a.dot(b.cross(c)),
                        la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
}

/// A closed surface fills the whole sky of a point inside and none of one outside.
bool is_inside(const TriMesh& mesh, const Pieces& pieces, const Piece& piece, const Vec3& point) {
  double sky = 0;
  for (std::size_t i = piece.begin; i < piece.end; ++i) {
    const std::size_t t = pieces.order[i];
    const auto& [a, b, c] = mesh.triangles[t];
    const double angle = solid_angle(mesh.vertices[slot(a)] - point, mesh.vertices[slot(b)] - point,
                                     mesh.vertices[slot(c)] - point);
    sky += pieces.turn[t] ? -angle : angle;
  }
  return std::abs(sky) > 2 * std::numbers::pi;
}

bool contains(const Aabb& box, const Vec3& point) {
  return (box.lower.array() <= point.array()).all() && (point.array() <= box.upper.array()).all();
}

/// Turns pieces of negative volume unless they are cavities. Returns how many were left undecided.
std::size_t turn_all_but_cavities(const TriMesh& mesh, Pieces& pieces) {
  std::size_t budget = kMaxSolidAngles, undecided = 0;
  std::vector<std::size_t> outward;  // decided after all have been looked at
  for (std::size_t i = 0; i < pieces.closed.size(); ++i) {
    const Piece& piece = pieces.closed[i];
    if (piece.volume >= 0) continue;
    const Vec3& point = mesh.vertices[slot(mesh.triangles[pieces.order[piece.begin]][0])];
    std::size_t around = 0;
    bool is_decided = true;
    for (const Piece& other : pieces.closed) {
      if (&other == &piece || !contains(other.box, point)) continue;
      const std::size_t cost = other.end - other.begin;
      if (cost > budget) {
        is_decided = false;
        break;
      }
      budget -= cost;
      if (is_inside(mesh, pieces, other, point)) ++around;
    }
    if (!is_decided) ++undecided;
    if (is_decided && around % 2 == 0) outward.push_back(i);
  }
  for (const std::size_t i : outward) turn_piece(pieces, pieces.closed[i]);
  return undecided;
}

}  // namespace

OrientationRepair orient_outward(TriMesh& mesh) {
  Pieces pieces = SurfaceWalk(mesh).run();
  double total = 0;
  for (Piece& piece : pieces.closed) {
    if (!piece.was_consistent && piece.volume < 0) turn_piece(pieces, piece);
    total += piece.volume;
  }
  if (total < 0) {
    for (Piece& piece : pieces.closed) {
      if (piece.was_consistent) turn_piece(pieces, piece);
    }
  }
  OrientationRepair repair;
  repair.undecided_pieces = turn_all_but_cavities(mesh, pieces);

  for (const Piece& piece : pieces.closed) {
    if (piece.was_consistent && pieces.turn[pieces.order[piece.begin]]) ++repair.turned_pieces;
  }
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (!pieces.turn[i]) continue;
    std::swap(mesh.triangles[i][1], mesh.triangles[i][2]);
    ++repair.turned_triangles;
  }
  return repair;
}

}  // namespace grouser::internal
