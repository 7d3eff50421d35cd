#include "contact/pcm/patch.h"

namespace grouser::internal {

Wrench patch_wrench(const BaseSurface& base, const ContactElements& elements, const LayerPair& law,
                    const Twist& V_TB, std::vector<PatchElement>& patch) {
  Wrench sum;
  patch.clear();
  for (const std::int32_t t : elements.active()) {
    const BaseElement& element = base.elements()[slot(t)];
    const double depth = elements.depth(t);
    const Vec3& n = element.normal;
    const Vec3 p = element.centre - depth * law.base_share * n;
    const Vec3 v = V_TB.linear + V_TB.angular.cross(p);
    const double rate = n.dot(v);  // the base moves outward: deeper into the target
    const double pressure = law.pressure(depth, rate);
    const Vec3 slip = v - rate * n;
    const double friction = pressure * law.friction.tangential_over_speed(slip.norm());
    const Vec3 traction = -pressure * n - friction * slip;
    const Vec3 force = element.area * traction;
    sum.force += force;
    sum.torque += p.cross(force);
    patch.push_back({.triangle = t,
                     .target = elements.target(t),
                     .p = p,
                     .area = element.area,
                     .depth = depth,
                     .pressure = pressure,
                     .slip = slip,
                     .traction = traction});
  }
  return sum;
}

}  // namespace grouser::internal
