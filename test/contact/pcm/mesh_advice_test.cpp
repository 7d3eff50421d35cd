#include "contact/pcm/mesh_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "geometry/mesh_refine.h"
#include "pcm_testing.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> advice_for(TriMesh base, TriMesh target) {
  return advise(
      PcmScene({{.name = "a", .body = 0, .mesh = share(std::move(base)), .role = ContactRole::base},
                {.name = "b", .body = 1, .mesh = share(std::move(target))}}));
}

TEST(MeshAdvice, PointsOutWhatGoesWrong) {
  const TriMesh ball = sphere_mesh(1, 8), box = box_mesh(Vec3(1, 1, 1));
  EXPECT_THAT(advice_for(ball, sphere_mesh(1, 3)), ElementsAre());
  EXPECT_THAT(advice_for(ball, box), ElementsAre(HasSubstr("'b' 12 of them")));
  EXPECT_THAT(advice_for(box, ball), ElementsAre(HasSubstr("'a' in 12 of 12 triangles")));
  EXPECT_THAT(advice_for(refined(box, 0.25), ball), ElementsAre());
  EXPECT_THAT(advice_for(sphere_mesh(0.1, 8), plane_mesh(1, 3)),
              ElementsAre(HasSubstr("'b' along 24 edges")));
}

TEST(MeshAdvice, HollowsAreNotSharp) {
  TriMesh hollow = box_mesh(Vec3(1, 1, 1));
  for (Triangle& t : hollow.triangles) std::swap(t[0], t[1]);  // the inside of a room
  EXPECT_EQ(grain_of(hollow).sharp_edges, 0u);
}

}  // namespace
}  // namespace grouser::internal
