#pragma once

#include <array>

#include "math/spatial.h"

/// Vectors and matrices of the dynamics' inner loops, padded so that the compiler keeps each in
/// vector registers of whatever width the machine has. Arithmetic on whole registers avoids the
/// stalls of writing a vector in pieces and reading it back at once.
namespace grouser::internal {

using Lane4 = double __attribute__((vector_size(32)));
using Lane8 = double __attribute__((vector_size(64)));

/// A 3-vector (x, y, z, 0).
struct Triple {
  Lane4 x = {};

  double operator[](int i) const { return x[i]; }
  Vec3 vec3() const { return {x[0], x[1], x[2]}; }
};

inline Triple triple(const Vec3& v) { return {Lane4{v.x(), v.y(), v.z(), 0}}; }

inline Triple cross(const Triple& a, const Triple& b) {
  const Lane4 a_yzx = __builtin_shufflevector(a.x, a.x, 1, 2, 0, 3);
  const Lane4 b_yzx = __builtin_shufflevector(b.x, b.x, 1, 2, 0, 3);
  const Lane4 c = a.x * b_yzx - a_yzx * b.x;
  return {__builtin_shufflevector(c, c, 1, 2, 0, 3)};
}

inline double dot(const Triple& a, const Triple& b) {
  const Lane4 p = a.x * b.x;
  return p[0] + p[1] + p[2];
}

/// A 3×3 matrix by columns.
struct Columns {
  Lane4 c[3] = {};

  Triple operator*(const Vec3& v) const { return {c[0] * v.x() + c[1] * v.y() + c[2] * v.z()}; }
  Triple operator*(const Triple& v) const { return {c[0] * v[0] + c[1] * v[1] + c[2] * v[2]}; }
  Columns operator*(const Columns& m) const {
    Columns product;
    for (int j = 0; j < 3; ++j)
      product.c[j] = c[0] * m.c[j][0] + c[1] * m.c[j][1] + c[2] * m.c[j][2];
    return product;
  }
  Columns operator*(const Mat3& m) const {
    Columns product;
    for (int j = 0; j < 3; ++j) product.c[j] = c[0] * m(0, j) + c[1] * m(1, j) + c[2] * m(2, j);
    return product;
  }
  Mat3 mat3() const {
    Mat3 m;
    m << c[0][0], c[1][0], c[2][0], c[0][1], c[1][1], c[2][1], c[0][2], c[1][2], c[2][2];
    return m;
  }
};

inline Columns columns(const Mat3& m) {
  return {{triple(m.col(0)).x, triple(m.col(1)).x, triple(m.col(2)).x}};
}

/// A six-vector (angular, 0, linear, 0).
struct Spatial {
  Lane8 x = {};

  /// Entry 0-2 angular, 3-5 linear.
  std::array<double, 6> entries() const { return {x[0], x[1], x[2], x[4], x[5], x[6]}; }
  Triple top() const { return {__builtin_shufflevector(x, x, 0, 1, 2, 3)}; }
  Triple bottom() const { return {__builtin_shufflevector(x, x, 4, 5, 6, 7)}; }
  Vec3 angular() const { return top().vec3(); }
  Vec3 linear() const { return bottom().vec3(); }
};

inline Spatial spatial(const Triple& angular, const Triple& linear) {
  return {__builtin_shufflevector(angular.x, linear.x, 0, 1, 2, 3, 4, 5, 6, 7)};
}

inline Spatial spatial(const Vec3& angular, const Vec3& linear) {
  return spatial(triple(angular), triple(linear));
}

inline double dot(const Spatial& a, const Spatial& b) {
  const Lane8 p = a.x * b.x;
  const Lane4 q =
      __builtin_shufflevector(p, p, 0, 1, 2, 3) + __builtin_shufflevector(p, p, 4, 5, 6, 7);
  return (q[0] + q[1]) + q[2];
}

/// Motion cross product V × S: the rate of the motion vector S carried along by V.
inline Spatial cross_motion(const Spatial& V, const Spatial& S) {
  const Triple w = V.top(), sw = S.top();
  return spatial(cross(w, sw), Triple{cross(w, S.bottom()).x + cross(V.bottom(), sw).x});
}

/// Force cross product V ×* F: the rate of the force vector F carried along by V.
inline Spatial cross_force(const Spatial& V, const Spatial& F) {
  const Triple w = V.top(), f = F.bottom();
  return spatial(Triple{cross(w, F.top()).x + cross(V.bottom(), f).x}, cross(w, f));
}

/// Rigid-body inertia about a reference point O, axes of W: ten numbers.
struct SpatialInertia {
  double mass = 0;
  Triple h;   ///< mass × (centre of mass - O)
  Columns J;  ///< rotational inertia about O, symmetric

  Spatial operator*(const Spatial& V) const {
    const Triple w = V.top(), v = V.bottom();
    return spatial(Triple{(J * w).x + cross(h, v).x}, Triple{mass * v.x - cross(h, w).x});
  }
  SpatialInertia& operator+=(const SpatialInertia& other) {
    mass += other.mass;
    h.x += other.h.x;
    for (int j = 0; j < 3; ++j) J.c[j] += other.J.c[j];
    return *this;
  }
};

/// Symmetric 6×6 matrix by columns.
struct SpatialMatrix {
  Lane8 column[6] = {};

  Spatial operator*(const Spatial& V) const {
    return {(column[0] * V.x[0] + column[1] * V.x[1] + column[2] * V.x[2]) +
            (column[3] * V.x[4] + column[4] * V.x[5] + column[5] * V.x[6])};
  }
  SpatialMatrix& operator+=(const SpatialMatrix& other) {
    for (int j = 0; j < 6; ++j) column[j] += other.column[j];
    return *this;
  }
};

/// Rows and columns 0-2 angular, 3-5 linear.
inline SpatialMatrix to_matrix(const Mat6& m) {
  SpatialMatrix out;
  for (int j = 0; j < 6; ++j) {
    out.column[j] = spatial(Vec3(m.col(j).head<3>()), Vec3(m.col(j).tail<3>())).x;
  }
  return out;
}

inline SpatialMatrix to_matrix(const SpatialInertia& I) {
  const Lane4 h = I.h.x;
  const double m = I.mass;
  // Columns of the cross-product matrix of h.
  const Triple hx{Lane4{0, h[2], -h[1], 0}}, hy{Lane4{-h[2], 0, h[0], 0}},
      hz{Lane4{h[1], -h[0], 0, 0}};
  return {{spatial(Triple{I.J.c[0]}, Triple{-hx.x}).x, spatial(Triple{I.J.c[1]}, Triple{-hy.x}).x,
           spatial(Triple{I.J.c[2]}, Triple{-hz.x}).x, spatial(hx, Triple{Lane4{m, 0, 0, 0}}).x,
           spatial(hy, Triple{Lane4{0, m, 0, 0}}).x, spatial(hz, Triple{Lane4{0, 0, m, 0}}).x}};
}

}  // namespace grouser::internal
