#include "collision/face.h"

#include <algorithm>
#include <numbers>

namespace grouser::internal {
namespace {

/// Sets the plane of a polygon from its outward normal in contact coordinates.
void set_plane(const Point3& normal, Face& face) {
  const double scale = -1 / normal.z;
  const double slope_u = scale * normal.x, slope_v = scale * normal.y;
  const Point3& p = face.corner[0];
  face.plane = {slope_u, slope_v, p.z - slope_u * p.x - slope_v * p.y};
  face.turn = normal.z > 0 ? 1 : -1;
}

/// Side of a cylinder: the line of it farthest out, in the direction (x, y) across its axis.
void add_side(const CylinderShape& solid, double x, double y, const ContactFrame& frame,
              Face& face) {
  const Point3 middle = frame(solid.radius * Point3(x, y, 0));
  const Point3 half = 0.5 * solid.length * frame.axis[2];
  face.add(middle - half);
  face.add(middle + half);
}

/// End of a cylinder: eight fixed points of its rim, and the deepest one. The latter moves from the chord
/// of its neighbours out on to the rim as the tilt grows from none, since without tilt it is nowhere
/// certain and must not matter.
void add_end(const CylinderShape& solid, double top, double tilt_x, double tilt_y, double depth,
             const ContactFrame& frame, Face& face) {
  constexpr double kHalf = std::numbers::sqrt2 / 2;
  constexpr std::array<std::array<double, 2>, 8> kRim = {{{1, 0},
                                                          {kHalf, kHalf},
                                                          {0, 1},
                                                          {-kHalf, kHalf},
                                                          {-1, 0},
                                                          {-kHalf, -kHalf},
                                                          {0, -1},
                                                          {kHalf, -kHalf}}};
  constexpr double kCos = 0.92387953251128674, kSin = 0.38268343236508977;  // of π/8
  const double slope = std::sqrt(tilt_x * tilt_x + tilt_y * tilt_y);
  const double x = std::abs(tilt_x), y = std::abs(tilt_y);
  const bool is_odd = (tilt_x < 0) != (tilt_y < 0);
  const int quadrant = tilt_y < 0 ? (tilt_x < 0 ? 2 : 3) : (tilt_x < 0 ? 1 : 0);
  // Flat but for rounding, it is nowhere.
  const int octant =
      solid.radius * slope > 1e-9 * depth ? 2 * quadrant + ((y > x) != is_odd ? 1 : 0) : -1;
  const Point3 centre = frame.origin + top * frame.axis[2];
  const Point3 to_x = solid.radius * frame.axis[0], to_y = solid.radius * frame.axis[1];
  for (int k = 0; k < 8; ++k) {
    const auto& rim = kRim[static_cast<std::size_t>(k)];
    face.add(centre + rim[0] * to_x + rim[1] * to_y);
    if (k != octant) continue;
    const double chord = slope * kCos / (kCos * std::max(x, y) + kSin * std::min(x, y));
    const double out = std::min(1.0, solid.radius * slope / depth);
    const double reach = (chord + out * (1 - chord)) / slope;
    face.add(centre + reach * tilt_x * to_x + reach * tilt_y * to_y);
  }
}

}  // namespace

void find_face(const CapsuleShape& solid, const ContactFrame& frame, double side, double,
               Face& face) {
  const Point3 outmost = frame.origin + Point3(0, 0, side * solid.radius);
  const Point3 half = 0.5 * solid.length * frame.axis[2];
  face.add(outmost - half);
  face.add(outmost + half);
  face.curvature = curvature_towards(solid, {});
}

void find_face(const BoxShape& solid, const ContactFrame& frame, double side, double, Face& face) {
  const Point3 n = frame.normal();
  const double nx = std::abs(n.x), ny = std::abs(n.y), nz = std::abs(n.z);
  const int flat_axis = ny > nx ? 1 : 0;
  const int axis = nz > std::max(nx, ny) ? 2 : flat_axis;
  const int i = axis == 2 ? 0 : axis + 1, j = axis == 0 ? 2 : axis - 1;
  const double sign = std::copysign(1.0, side * frame.axis[slot(axis)].z);
  const Point3 normal = sign * frame.axis[slot(axis)];
  const Point3 centre = frame.origin + 0.5 * solid.size[axis] * normal;
  const Point3 along_i = 0.5 * solid.size[i] * frame.axis[slot(i)];
  const Point3 along_j = 0.5 * sign * solid.size[j] * frame.axis[slot(j)];
  const Point3 up = centre + along_j, down = centre - along_j;
  face.corner[0] = up + along_i;
  face.corner[1] = up - along_i;
  face.corner[2] = down - along_i;
  face.corner[3] = down + along_i;
  face.count = 4;
  set_plane(normal, face);
}

void find_face(const CylinderShape& solid, const ContactFrame& frame, double side, double depth,
               Face& face) {
  const Point3 out = side * frame.normal();
  const double across2 = out.x * out.x + out.y * out.y;
  face.curvature = curvature_towards(solid, out);
  if (across2 > out.z * out.z) {
    const double scale = 1 / std::sqrt(across2);
    add_side(solid, scale * out.x, scale * out.y, frame, face);
    return;
  }
  add_end(solid, std::copysign(0.5 * solid.length, out.z), out.x, out.y, depth, frame, face);
  set_plane(std::copysign(1.0, out.z) * frame.axis[2], face);
  // The rim runs anticlockwise about +z, whichever end it is.
  if (out.z < 0) face.turn = -face.turn;
}

void find_face(const HullSolid& solid, const ContactFrame& frame, double side, double, Face& face) {
  const Point3 out = side * frame.normal();
  const HullSolid::Face* best = nullptr;
  double most = -2;
  for (const std::uint16_t f : solid.faces_at(solid.farthest_index(out))) {
    const HullSolid::Face& candidate = solid.faces()[f];
    const double along = dot(candidate.normal, out);
    if (along > most) {
      most = along;
      best = &candidate;
    }
  }
  for (int k = 0; k < best->count; ++k) face.add(frame(solid.vertex(solid.corner(*best, k))));
  set_plane(frame.turn(best->normal), face);
}

}  // namespace grouser::internal
