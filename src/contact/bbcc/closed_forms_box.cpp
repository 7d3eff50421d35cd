#include "contact/bbcc/closed_forms.h"
#include "contact/bbcc/closed_forms_rim.h"

/// Box against box by separating axes: the normals of both boxes' faces and the common normals of their
/// edges are all normals that the faces of the difference have.
namespace grouser {
namespace {

// Edges nearer to parallel than this sine span no plane worth testing; leaving them out changes the depth
// by less than this part of their length.
constexpr double kParallel = 1e-6;
// An edge pair wins over a face only if it is better by more than rounding.
constexpr double kRounding = 1e-10;

/// The axis along which the boxes overlap least so far.
struct Best {
  double depth;
  int axis;  // 0 ... 2 of A, 3 ... 5 of B, 6 + 3 i + j edge i of A with edge j of B
};

bool try_faces(const Vec3& a, const Vec3& b, const Pose& X_AB, const Mat3& abs_R, Best& best) {
  const Vec3 along_a = a + abs_R * b - X_AB.p.cwiseAbs();
  const Vec3 along_b = b + abs_R.transpose() * a - (X_AB.R.transpose() * X_AB.p).cwiseAbs();
  best = {along_a[0], 0};
  for (int i = 1; i < 3; ++i) {
    if (along_a[i] < best.depth) best = {along_a[i], i};
  }
  for (int i = 0; i < 3; ++i) {
    if (along_b[i] < best.depth) best = {along_b[i], 3 + i};
  }
  return best.depth > 0;
}

bool try_edges(const Vec3& a, const Vec3& b, const Pose& X_AB, const Mat3& abs_R, Best& best) {
  const Mat3& R = X_AB.R;
  const Vec3& c = X_AB.p;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach =
          a[i1] * abs_R(i2, j) + a[i2] * abs_R(i1, j) + b[j1] * abs_R(i, j2) + b[j2] * abs_R(i, j1);
      const double overlap = reach - std::abs(c[i2] * R(i1, j) - c[i1] * R(i2, j));
      const double sine2 = R(i1, j) * R(i1, j) + R(i2, j) * R(i2, j);
      if (sine2 <= kParallel * kParallel) continue;
      if (overlap <= 0) return false;
      const double limit = (1 - kRounding) * best.depth;
      if (overlap * overlap < limit * limit * sine2) {
        best = {overlap / std::sqrt(sine2), 6 + 3 * i + j};
      }
    }
  }
  return true;
}

}  // namespace

bool penetrate(const BoxShape& A, const BoxShape& B, const Pose& X_AB, Penetration& found) {
  const Vec3 a = 0.5 * A.size, b = 0.5 * B.size;
  const Mat3 abs_R = X_AB.R.cwiseAbs();
  Best best;
  if (!try_faces(a, b, X_AB, abs_R, best)) return false;
  if (!try_edges(a, b, X_AB, abs_R, best)) return false;

  Vec3 normal;
  if (best.axis < 3) {
    normal = Vec3::Unit(best.axis);
  } else if (best.axis < 6) {
    normal = X_AB.R.col(best.axis - 3);
  } else {
    normal = Vec3::Unit((best.axis - 6) / 3).cross(X_AB.R.col((best.axis - 6) % 3)).normalized();
  }
  if (normal.dot(X_AB.p) > 0) normal = -normal;
  found.normal = normal;
  found.depth = best.depth;
  const Vec3 on_b = X_AB * farthest(B, Vec3(X_AB.R.transpose() * normal));
  if (best.axis < 3) {
    found.on_a = on_b - best.depth * normal;
  } else {
    found.on_a = farthest(A, Vec3(-normal));
    if (best.axis >= 6) {
      found.on_a = nearest_on_line(found.on_a, Vec3::Unit((best.axis - 6) / 3), on_b,
                                   X_AB.R.col((best.axis - 6) % 3));
    }
  }
  found.on_b = found.on_a + best.depth * normal;
  return true;
}

}  // namespace grouser
