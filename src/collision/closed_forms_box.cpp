#include <algorithm>
#include <array>

#include "collision/closed_forms.h"
#include "collision/closed_forms_rim.h"
#include "collision/lanes.h"

/// Box against box by separating axes: the normals of both boxes' faces and the common normals of their
/// edges are all normals that the faces of the difference have.
namespace grouser::internal {
namespace {

// Edges nearer to parallel than this sine span no plane worth testing; leaving them out changes the depth
// by less than this part of their length.
constexpr double kParallelEdges = 1e-6;
// An edge pair wins over a face only if it is better by more than rounding.
constexpr double kRounding = 1e-10;

// Faces of both that are nearer to parallel than this sine press flat on each other. Which normal is least
// then hangs on the last digits: without a preference it would flip from one evaluation to the next, and with it
// the force. A's is taken unless B's is better by more than this part of the smaller box's longest edge, tilted.
constexpr double kFlat = 1e-3, kPreference = 0.1;

/// The axis along which the boxes overlap least so far.
struct Best {
  double depth;
  int axis;  // 0 ... 2 of A, 3 ... 5 of B, 6 + 3 i + j edge i of A with edge j of B
  bool may_be_flat = false;
};

Double4 triple(double x, double y, double z) { return Double4{x, y, z, 0}; }

/// The lowest bits give way to the number, so that one minimum finds both. For positive values.
Double4 marked(const Double4& value, std::uint64_t first) {
  constexpr std::uint64_t kNumberBits = 15;
  const Bits4 number = Bits4{0, 1, 2, 3} + first;
  return lanes_as<Double4>((lanes_as<Bits4>(value) & ~kNumberBits) | number);
}

int least_number(Double4 v) {
  v = smaller(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
  v = smaller(v, __builtin_shufflevector(v, v, 1, 0, 3, 2));
  return static_cast<int>(std::bit_cast<std::uint64_t>(v[0]) & 15);
}

/// Both boxes, with lanes for the three axes of B in each of the three rows.
struct BoxPair {
  Double4 a, b, c;           // half sizes, centre of B
  std::array<Double4, 3> R;  // R_AB by rows
  std::array<Double4, 3> abs_R;

  BoxPair(const BoxShape& A, const BoxShape& B, const Pose& X)
      : a(0.5 * triple(A.size.x(), A.size.y(), A.size.z())),
        b(0.5 * triple(B.size.x(), B.size.y(), B.size.z())),
        c(triple(X.p.x(), X.p.y(), X.p.z())) {
    for (int i = 0; i < 3; ++i) {
      R[slot(i)] = triple(X.R(i, 0), X.R(i, 1), X.R(i, 2));
      abs_R[slot(i)] = absolute(R[slot(i)]);
    }
  }

  /// Squares of the sines between B's axes and A's next to each.
  Double4 sines2() const {
    const Double4 x2 = R[0] * R[0], y2 = R[1] * R[1], z2 = R[2] * R[2];
    Double4 sine2 = smaller(smaller(x2 + y2, y2 + z2), z2 + x2);
    sine2[3] = 1;
    return sine2;
  }

  bool try_faces(Best& best) const {
    const auto sum = [](const Double4& v) { return v[0] + v[1] + v[2]; };
    const Double4 reach_b = triple(sum(abs_R[0] * b), sum(abs_R[1] * b), sum(abs_R[2] * b));
    const Double4 reach_a = a[0] * abs_R[0] + a[1] * abs_R[1] + a[2] * abs_R[2];
    const Double4 c_B = c[0] * R[0] + c[1] * R[1] + c[2] * R[2];
    Double4 along_a = a + reach_b - absolute(c), along_b = b + reach_a - absolute(c_B);
    along_a[3] = along_b[3] = kNever;
    if (any(lanes_as<Bits4>(smaller(along_a, along_b) <= Double4{}))) return false;
    const Double4 sine2 = sines2();
    Double4 judged_b = along_b;
    const bool may_be_flat = any(lanes_as<Bits4>(sine2 < Double4{} + kFlat * kFlat));
    if (may_be_flat) {
      const double edge = 2 * std::min(std::max({a[0], a[1], a[2]}), std::max({b[0], b[1], b[2]}));
      const Double4 bias = kPreference * edge * square_roots(sine2), none{};
      judged_b += sine2 < none + kFlat * kFlat ? bias : none;
    }
    const int least = least_number(smaller(marked(along_a, 0), marked(judged_b, 4)));
    best = least < 4 ? Best{along_a[least], least, may_be_flat}
                     : Best{along_b[least - 4], least - 1, may_be_flat};
    return true;
  }

  /// If the best axis is that of faces flat on each other, edges in these faces have the same normal but for
  /// the tilt.
  void leave_out_flat(int axis, std::array<Double4, 3>& square) const {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double cosine = abs_R[slot(i)][j];
        if ((axis != i && axis != 3 + j) || 1 - cosine * cosine > kFlat * kFlat) continue;
        for (int k = 0; k < 3; ++k) {
          for (int l = 0; l < 3; ++l) {
            if (k != i && l != j) square[slot(k)][l] = kNever;
          }
        }
      }
    }
  }

  bool try_edges(Best& best) const {
    constexpr double kParallel2 = kParallelEdges * kParallelEdges;
    const auto turned = [](const Double4& v) { return __builtin_shufflevector(v, v, 1, 2, 0, 3); };
    const Double4 b1 = turned(b), b2 = turned(b1);
    std::array<Double4, 3> square;  // of the overlap along the unit normals
    Bits4 is_apart{};
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const Double4 &r1 = R[slot(i1)], &r2 = R[slot(i2)];
      const Double4 next = turned(abs_R[slot(i)]);
      const Double4 reach =
          a[i1] * abs_R[slot(i2)] + a[i2] * abs_R[slot(i1)] + b1 * turned(next) + b2 * next;
      const Double4 overlap = reach - absolute(c[i2] * r1 - c[i1] * r2), sine2 = r1 * r1 + r2 * r2;
      const Bits4 counts = lanes_as<Bits4>(sine2 > Double4{} + kParallel2);
      is_apart |= counts & lanes_as<Bits4>(overlap <= Double4{});
      square[slot(i)] = counts != 0 ? overlap * overlap / sine2 : Double4{} + kNever;
    }
    if (any(is_apart)) return false;
    if (best.may_be_flat) leave_out_flat(best.axis, square);
    const int least = least_number(
        smaller(smaller(marked(square[0], 0), marked(square[1], 4)), marked(square[2], 8)));
    const double depth2 = square[slot(least / 4)][least % 4], limit = (1 - kRounding) * best.depth;
    if (depth2 < limit * limit) best = {std::sqrt(depth2), 6 + 3 * (least / 4) + least % 4};
    return true;
  }
};

}  // namespace

bool penetrate(const BoxShape& A, const BoxShape& B, const Pose& X_AB, Penetration& found) {
  const BoxPair pair(A, B, X_AB);
  Best best;
  if (!pair.try_faces(best) || !pair.try_edges(best)) return false;

  const auto axis_of_a = [](int i) {
    return Point3(i == 0 ? 1 : 0, i == 1 ? 1 : 0, i == 2 ? 1 : 0);
  };
  const auto axis_of_b = [&](int j) { return Point3(X_AB.R(0, j), X_AB.R(1, j), X_AB.R(2, j)); };
  const int edge_a = (best.axis - 6) / 3, edge_b = (best.axis - 6) % 3;
  Point3 normal;
  if (best.axis < 3) {
    normal = axis_of_a(best.axis);
  } else if (best.axis < 6) {
    normal = axis_of_b(best.axis - 3);
  } else {
    normal = normalized(cross(axis_of_a(edge_a), axis_of_b(edge_b)));
  }
  if (dot(normal, X_AB.p) > 0) normal = -normal;
  const Point3 on_b = product(X_AB.R, farthest(B, transposed_product(X_AB.R, normal))) + X_AB.p;
  Point3 on_a;
  if (best.axis < 3) {
    on_a = on_b - best.depth * normal;
  } else {
    on_a = farthest(A, -normal);
    if (best.axis >= 6) on_a = nearest_on_line(on_a, axis_of_a(edge_a), on_b, axis_of_b(edge_b));
  }
  found = {normal, best.depth, on_a, on_a + best.depth * normal};
  return true;
}

}  // namespace grouser::internal
