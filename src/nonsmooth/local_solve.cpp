#include "nonsmooth/local_solve.h"

#include <limits>

namespace grouser::internal {
namespace {

/// With the normal velocity zero, the normal impulse follows from the tangential one, and while sliding
/// (S + α) r_T = -b with α = |u_T| / |r_T|, S and b being W_TT and q_T without the normal row.
struct Sliding {
  double s[2];    // eigenvalues of S
  double b[2];    // b along its eigenvectors
  double w[2];    // W_NT along them, over W_NN
  double normal;  // normal impulse without tangential ones
  double mu;
  double r[2];  // tangential impulse at the α last tried

  double normal_impulse() const { return normal - w[0] * r[0] - w[1] * r[1]; }

  /// |r_T| - μ r_N: positive for α too small. Also gives the derivative.
  double excess(double alpha, double& derivative) {
    double change[2];
    for (int k = 0; k < 2; ++k) {
      r[k] = -b[k] / (s[k] + alpha);
      change[k] = -r[k] / (s[k] + alpha);
    }
    const double size = std::hypot(r[0], r[1]);
    derivative = mu * (w[0] * change[0] + w[1] * change[1]);
    if (size > 0) derivative += (r[0] * change[0] + r[1] * change[1]) / size;
    return size - mu * normal_impulse();
  }
};

/// Newton's method kept between bounds that close in on the root.
void find_root(Sliding& sliding) {
  double low = 0, high = std::numeric_limits<double>::infinity();
  double alpha = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double derivative;
    const double excess = sliding.excess(alpha, derivative);
    const double scale = std::abs(sliding.normal) * sliding.mu;
    if (std::abs(excess) <= 4 * std::numeric_limits<double>::epsilon() * scale) return;
    (excess > 0 ? low : high) = alpha;
    double next = alpha - excess / derivative;
    if (!(next > low && next < high)) {
      next = std::isfinite(high) ? 0.5 * (low + high) : 4 * alpha + sliding.s[0] + sliding.s[1];
    }
    if (next == alpha) return;
    alpha = next;
  }
}

}  // namespace

Vec3 solve_one_cone(const Mat3& W, const Vec3& q, double mu) {
  if (q[0] >= 0) return Vec3::Zero();  // parts
  const double inverse = 1 / W(0, 0);
  Sliding sliding{.mu = mu};
  sliding.normal = -q[0] * inverse;
  const double coupling[2] = {W(0, 1) * inverse, W(0, 2) * inverse};
  const double a = W(1, 1) - W(0, 1) * coupling[0], c = W(2, 2) - W(0, 2) * coupling[1];
  const double off = W(1, 2) - W(0, 1) * coupling[1];
  const double b[2] = {q[1] - coupling[0] * q[0], q[2] - coupling[1] * q[0]};
  // Eigenvectors (cos, sin) and (-sin, cos) of S.
  const double angle = 0.5 * std::atan2(2 * off, a - c);
  const double x = std::cos(angle), y = std::sin(angle);
  const double mean = 0.5 * (a + c), radius = 0.5 * std::hypot(a - c, 2 * off);
  const double tiny = std::numeric_limits<double>::epsilon() * (mean + radius);
  sliding.s[0] = std::max(mean + radius, tiny);
  sliding.s[1] = std::max(mean - radius, tiny);
  sliding.b[0] = x * b[0] + y * b[1];
  sliding.b[1] = x * b[1] - y * b[0];
  sliding.w[0] = x * coupling[0] + y * coupling[1];
  sliding.w[1] = x * coupling[1] - y * coupling[0];
  double derivative;
  if (sliding.excess(0, derivative) > 0) find_root(sliding);
  return {sliding.normal_impulse(), x * sliding.r[0] - y * sliding.r[1],
          y * sliding.r[0] + x * sliding.r[1]};
}

/// A contact whose normal impulse is the radius whatever happens, with friction 1.
Vec3 solve_one_disk(const Mat3& W, const Vec3& q, double radius) {
  Mat3 contact = Mat3::Identity();
  contact.bottomRightCorner<2, 2>() = W.topLeftCorner<2, 2>();
  const Vec3 r = solve_one_cone(contact, Vec3(-radius, q[0], q[1]), 1);
  return {r[1], r[2], 0};
}

}  // namespace grouser::internal
