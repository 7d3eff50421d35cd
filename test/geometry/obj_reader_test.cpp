#include "geometry/obj_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "geometry/mass_properties.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

MeshFile read(std::string_view text) { return read_obj_text(text, "a.obj", 1000); }

std::vector<Issue> issues_of(std::string_view text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.issues();
  }
  return {};
}

const std::string kCorners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

TEST(ObjReader, VerticesAndFacesInTheirVariousSpellings) {
  const MeshFile file = read(
      "\xEF\xBB\xBF# comment \\\n"
      "o box\r\ng a b\ns off\n"
      "v  1.5 -2e-3 +3\n"
      "v\t1 2 3 1.0\n"
      "   v .5 1. 7E2 0.1 0.2 0.3 # colours\n"
      "vt 0 0\nvn 0 0 1\n"
      "f 1 2 3\n"
      "f 1/1 2/1 3/1\n"
      "f 1//1 2//1 3//1\n"
      "f -3/1/1 -2/1/1 \\\n -1/1/1\n"
      "f 3 2 1");
  EXPECT_THAT(file.mesh.vertices,
              ElementsAre(Vec3(1.5, -2e-3, 3), Vec3(1, 2, 3), Vec3(0.5, 1, 700)));
  EXPECT_THAT(file.mesh.triangles,
              ElementsAre(Triangle{0, 1, 2}, Triangle{0, 1, 2}, Triangle{0, 1, 2},
                          Triangle{0, 1, 2}, Triangle{2, 1, 0}));
  EXPECT_THAT(file.notes, IsEmpty());
}

TEST(ObjReader, FacesMayComeBeforeTheirVertices) {
  EXPECT_THAT(read("f 1 2 3\nf 4 3 2 1\n" + kCorners).mesh.triangles,
              ElementsAre(Triangle{0, 1, 2}, Triangle{3, 2, 1}, Triangle{3, 1, 0}));
}

TEST(ObjReader, ConvexPolygonsBecomeFans) {
  EXPECT_THAT(read(kCorners + "f 1 2 3 4").mesh.triangles,
              ElementsAre(Triangle{0, 1, 2}, Triangle{0, 2, 3}));
}

// An L of area 3: a fan from its first corner would cover ground outside of it.
TEST(ObjReader, ConcavePolygonsAreCutAlongTheInside) {
  const MeshFile file = read("v 0 2 0\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nf 4 5 6 1 2 3");
  ASSERT_EQ(file.mesh.triangles.size(), 4U);
  double area = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_GT(area_vector(file.mesh, i).z(), 0);
    area += area_vector(file.mesh, i).z();
  }
  EXPECT_NEAR(area, 3, 1e-15);  // measured 0
}

TEST(ObjReader, LinesAndPointsAreNoted) {
  const MeshFile file = read(kCorners + "l 1 2\np 1\nf 1 2 3\ncurv 0 1 2\nfoo\n");
  EXPECT_THAT(
      file.notes,
      ElementsAre("left out 2 lines or points",
                  "skipped 2 lines with keywords that say nothing about triangles, the first "
                  "of them 'curv' in line 8"));
}

TEST(ObjReader, EveryErrorHasItsLine) {
  const auto issues = issues_of(
      "v 1 2\nv 1 2 x\nv 1 2 nan\nv 1 inf 3\nv 1 2 1e999\nv 1 2 3\nf 1 1\nf 0 1 1\nf 1 1 a\nf 1 1 "
      "9\n");
  ASSERT_EQ(issues.size(), 9U);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(issues[i].line, i + 1);
    EXPECT_THAT(issues[i].message, HasSubstr("three finite numbers"));
  }
  EXPECT_EQ(issues[5].line, 7);
  EXPECT_THAT(issues[5].message, HasSubstr("at least three corners"));
  EXPECT_EQ(issues[6].line, 8);
  EXPECT_EQ(issues[7].value, "a");
  EXPECT_EQ(issues[8].line, 10);
  EXPECT_THAT(issues[8].message, HasSubstr("not there; there are 6"));
  EXPECT_EQ(issues[8].file, "a.obj");
}

TEST(ObjReader, LinesAreCountedAcrossContinuations) {
  const auto issues = issues_of("v 1 \\\n 2 \\\r\n 3\n# x \\\nv 1\n");
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_EQ(issues[0].line, 5);
}

TEST(ObjReader, StopsAfterTenErrors) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "v x\n";
  EXPECT_EQ(issues_of(text).size(), 10U);
}

TEST(ObjReader, NegativeIndicesBeforeTheFirstVertex) {
  EXPECT_EQ(issues_of(kCorners + "f -1 -2 -5").size(), 1U);
  EXPECT_EQ(issues_of(kCorners + "f 1 2 -9223372036854775808").size(), 1U);
  EXPECT_EQ(issues_of(kCorners + "f 1 2 99999999999999999999").size(), 1U);
}

TEST(ObjReader, TinyNumbersAreZero) {
  EXPECT_THAT(read("v 1e-999 -1e-999 1e-310").mesh.vertices, ElementsAre(Vec3(0, 0, 1e-310)));
}

TEST(ObjReader, BinaryIsRefused) {
  const auto issues = issues_of(std::string("\x7f\x01\x02\x00\xff", 5));
  ASSERT_EQ(issues.size(), 1U);
  EXPECT_THAT(issues[0].message, HasSubstr("not text"));
}

TEST(ObjReader, TooManyTriangles) {
  EXPECT_THROW(read_obj_text(kCorners + "f 1 2 3\nf 1 2 3 4\n", "a.obj", 2), Error);
  EXPECT_NO_THROW(read_obj_text(kCorners + "f 1 2 3\nf 1 2 3 4\n", "a.obj", 3));
}

TEST(ObjReader, EmptyTextIsAnEmptyMesh) {
  EXPECT_THAT(read("").mesh.vertices, IsEmpty());
  EXPECT_THAT(read("\n\n#").mesh.vertices, IsEmpty());
}

}  // namespace
}  // namespace grouser::internal
