#include "lab/bench/bbcc_pairs.h"

#ifdef GROUSER_WITH_LIBCCD
#include <ccd/ccd.h>
#include <ccd/vec3.h>
#endif

namespace grouser::internal {

#ifdef GROUSER_WITH_LIBCCD

namespace {

struct PlacedConvex {
  const Convex* solid;
  const Pose* X_WS;
};

void support_of(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
  const auto& [solid, X_WS] = *static_cast<const PlacedConvex*>(object);
  const Vec3 in_S = X_WS->R.transpose() * Vec3(direction->v[0], direction->v[1], direction->v[2]);
  const Vec3 p = *X_WS * std::visit(
                             [&](const auto& s) -> Vec3 {
                               if constexpr (requires { s->support(in_S); }) {
                                 return s->support(in_S);
                               } else {
                                 return support(s, in_S);
                               }
                             },
                             *solid);
  ccdVec3Set(point, p.x(), p.y(), p.z());
}

void centre_of(const void* object, ccd_vec3_t* point) {
  const Vec3& p = static_cast<const PlacedConvex*>(object)->X_WS->p;
  ccdVec3Set(point, p.x(), p.y(), p.z());
}

}  // namespace

std::optional<double> time_libccd(const BenchPairs& pairs) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.support1 = ccd.support2 = support_of;
  ccd.center1 = ccd.center2 = centre_of;
  ccd.max_iterations = 100;
  ccd.mpr_tolerance = 1e-6;
  return time_pairs(pairs, [&](const BenchPair& pair) {
    const PlacedConvex a{&pair.A, &pair.X_WA}, b{&pair.B, &pair.X_WB};
    ccd_real_t depth;
    ccd_vec3_t way, point;
    ccdMPRPenetration(&a, &b, &ccd, &depth, &way, &point);
  });
}

#else

std::optional<double> time_libccd(const BenchPairs&) { return {}; }

#endif

}  // namespace grouser::internal
