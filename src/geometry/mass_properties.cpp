#include "geometry/mass_properties.h"

namespace grouser::internal {

// A tetrahedron with one corner at the origin and the others at a, b, c has with s = a + b + c
//   volume   V = a · (b × c) / 6
//   ∫ r dV     = V s / 4
//   ∫ r rᵀ dV  = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20
SolidProperties solid_properties(const TriMesh& mesh) {
  // From the middle of the mesh, so that a mesh far from the origin loses no digits.
  const Vec3 origin = mesh.vertices.empty() ? Vec3::Zero() : bounds(mesh).centre();
  double volume6 = 0;
  Vec3 first24 = Vec3::Zero();
  Mat3 second120 = Mat3::Zero();
  for (const auto& [i, j, k] : mesh.triangles) {
    const Vec3 a = mesh.vertices[slot(i)] - origin;
    const Vec3 b = mesh.vertices[slot(j)] - origin;
    const Vec3 c = mesh.vertices[slot(k)] - origin;
    const Vec3 s = a + b + c;
    const double v6 = a.dot(b.cross(c));
    volume6 += v6;
    first24 += v6 * s;
    second120 += v6 * (a * a.transpose() + b * b.transpose() + c * c.transpose());
    second120 += v6 * (s * s.transpose());
  }
  if (volume6 == 0) return {.volume = 0, .centroid = origin};

  const Vec3 d = first24 / (4 * volume6);
  const Mat3 about_centroid = second120 / 120 - volume6 / 6 * (d * d.transpose());
  return {.volume = volume6 / 6,
          .centroid = origin + d,
          .inertia = about_centroid.trace() * Mat3::Identity() - about_centroid};
}

}  // namespace grouser::internal
