#include "contact/pcm/pcm_stiffness.h"

namespace grouser::internal {

Mat6 pcm_stiffness(const PcmPair& pair, std::span<const PatchElement> patch, double damping,
                   double stiffness) {
  const LayerPair& law = pair.law;
  Mat3 angular = Mat3::Zero(), mixed = Mat3::Zero(), linear = Mat3::Zero();
  for (const PatchElement& element : patch) {
    if (element.pressure <= 0) continue;  // parts faster than it presses
    const Vec3& n =
        pair.base_surface->elements()[static_cast<std::size_t>(element.triangle)].normal;
    const double along = stiffness * law.stiffness + damping * law.damping;
    const double across =
        damping * element.pressure * law.friction.tangential_over_speed(element.slip.norm());
    Mat3 slope = (element.area * (along - across)) * (n * n.transpose());
    slope.diagonal().array() += element.area * across;
    const Mat3 arm = skew(element.p);
    const Mat3 turned = arm * slope;
    angular -= turned * arm;
    mixed += turned;
    linear += slope;
  }
  Mat6 sum;
  sum << angular, mixed, mixed.transpose(), linear;
  return sum;
}

}  // namespace grouser::internal
