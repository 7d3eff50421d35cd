#include "geometry/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "core/error.h"
#include "core/rng.h"
#include "geometry/mass_properties.h"
#include "geometry/mesh_check.h"
#include "geometry/primitives.h"
#include "mesh_samples.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class MeshFileTest : public TemporaryFolderTest {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  MeshFile read(const std::string& name, const std::string& bytes) const {
    return read_mesh(write(name, bytes));
  }

  /// The error of reading, checked to be of the kind and to name the file.
  std::string refusal(ErrorKind kind, const std::filesystem::path& file,
                      const MeshLimits& limits = {}) const {
    try {
      read_mesh(file, limits);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(file.string()));
      return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
  }
};

/// The same surface, whatever the order and number of vertices.
void expect_same_solid(const TriMesh& actual, const TriMesh& expected, double tolerance) {
  const MeshReport report = check_mesh(actual);
  EXPECT_TRUE(report.solid()) << to_text(report);
  ASSERT_EQ(actual.vertices.size(), expected.vertices.size());
  ASSERT_EQ(actual.triangles.size(), expected.triangles.size());
  for (std::size_t i = 0; i < actual.triangles.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      const Vec3 difference =
          actual.vertices[actual.triangles[i][k]] - expected.vertices[expected.triangles[i][k]];
      ASSERT_NEAR(difference.norm(), 0, tolerance) << "triangle " << i;  // measured 9e-8
    }
  }
}

TriMesh sample() { return transformed({.p = {0.25, -0.5, 1}}, torus_mesh(1, 0.25, 12, 8)); }

TEST_F(MeshFileTest, ReadsEveryFormat) {
  const TriMesh mesh = sample();
  const double single = 2e-7;  // of coordinates up to 2: half a unit in the last place of a float
  expect_same_solid(read("a.obj", obj_text(mesh)).mesh, mesh, 0);
  expect_same_solid(read("t.stl", samples::stl_text(mesh)).mesh, mesh, single);
  expect_same_solid(read("b.stl", samples::stl_binary(mesh)).mesh, mesh, single);
  expect_same_solid(read("t.ply", samples::ply_text(mesh)).mesh, mesh, single);
  expect_same_solid(read("b.ply", samples::ply_binary(mesh)).mesh, mesh, single);
  expect_same_solid(read("a.dae", samples::dae(mesh)).mesh, mesh, single);
  expect_same_solid(read("e.gltf", samples::gltf_embedded(mesh)).mesh, mesh, single);
  expect_same_solid(read("a.glb", samples::glb(mesh)).mesh, mesh, single);
  write("x.bin", samples::gltf_buffer(mesh));
  expect_same_solid(read("x.gltf", samples::gltf_json(mesh, "\"uri\": \"x.bin\",")).mesh, mesh,
                    single);
}

TEST_F(MeshFileTest, EndingsMayBeCapitals) {
  expect_same_solid(read("A.STL", samples::stl_binary(sample())).mesh, sample(), 2e-7);
  expect_same_solid(read("A.Obj", obj_text(sample())).mesh, sample(), 0);
}

TEST_F(MeshFileTest, FilesOfNoTriangleTroubleHaveNoNotes) {
  EXPECT_THAT(read("a.obj", obj_text(sample())).notes, IsEmpty());
  EXPECT_THAT(read("a.ply", samples::ply_text(sample())).notes, IsEmpty());
  EXPECT_THAT(read("a.stl", samples::stl_binary(sample())).notes,
              ElementsAre("joined 480 vertices at the same position"));
}

TEST_F(MeshFileTest, ColladaBecomesMetresWithZUp) {
  const TriMesh mesh = sample();
  const auto asset = [](const char* meter, const char* up) {
    return std::string("<unit meter=\"") + meter + "\"/><up_axis>" + up + "</up_axis>";
  };
  const MeshFile cm =
      read("cm.dae", samples::dae(scaled({100, 100, 100}, mesh), {.asset = asset("0.01", "Z_UP")}));
  expect_same_solid(cm.mesh, mesh, 1e-6);
  // With y up, what the file calls (x, y, z) is (x, -z, y) with z up.
  Mat3 to_y_up;
  to_y_up << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  const TriMesh lying = transformed({to_y_up, Vec3::Zero()}, mesh);
  expect_same_solid(read("y.dae", samples::dae(lying, {.asset = asset("1", "Y_UP")})).mesh, mesh,
                    1e-6);
  // Nothing stated means metres and y up.
  expect_same_solid(read("none.dae", samples::dae(lying, {.asset = ""})).mesh, mesh, 1e-6);
}

TEST_F(MeshFileTest, TransformsAreAppliedAndPiecesUnited) {
  const TriMesh box = box_mesh({1, 1, 1});
  const MeshFile two = read(
      "two.dae",
      samples::dae(box, {.node = "<instance_geometry url=\"#g\"/><node><translate>3 0 0</translate>"
                                 "<node><scale>1 1 -2</scale><instance_geometry url=\"#g\"/></node>"
                                 "</node>"}));
  const MeshReport report = check_mesh(two.mesh);
  EXPECT_EQ(report.pieces, 2U);
  EXPECT_TRUE(report.solid()) << to_text(report);
  EXPECT_NEAR(report.volume, 3, 1e-6);                                  // measured 0
  EXPECT_NEAR((report.box.upper - Vec3(3.5, 0.5, 1)).norm(), 0, 1e-6);  // measured 0
  // Mirrored, but turned on the way: no repair.
  EXPECT_THAT(two.notes, ElementsAre("joined 56 vertices at the same position"));
}

TEST_F(MeshFileTest, PolygonsAreCutAndLinesDropped) {
  const MeshFile file = read("p.ply",
                             "ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\n"
                             "property double y\nproperty double z\nelement face 6\n"
                             "property list uchar int vertex_indices\nend_header\n"
                             "0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
                             "4 3 2 1 0\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n");
  EXPECT_EQ(file.mesh.triangles.size(), 12U);
  EXPECT_TRUE(check_mesh(file.mesh).solid());
  EXPECT_NEAR(check_mesh(file.mesh).volume, 1, 1e-14);  // measured 0
}

TEST_F(MeshFileTest, MissingMaterialsAndTexturesDoNotMatter) {
  const MeshFile file = read("m.obj", "mtllib missing.mtl\nusemtl rust\n" + obj_text(sample()));
  EXPECT_THAT(file.notes, IsEmpty());
}

TEST_F(MeshFileTest, WrittenMeshesReadBackToTheBit) {
  CounterRng rng(1);
  TriMesh mesh = sphere_mesh(1, 6);
  for (Vec3& v : mesh.vertices) v *= rng.uniform(0.9, 1.1);
  mesh.vertices[0].x() = -0.0;
  mesh.vertices[1] *= 1e-300;  // small, but a number
  const auto file = folder_ / "m.obj";
  write_obj(file, mesh, "two lines\nof comment");
  EXPECT_THAT(text_of(file), testing::StartsWith("# two lines\n# of comment\nv "));
  const MeshFile back = read_mesh(file);
  EXPECT_EQ(back.mesh.vertices, mesh.vertices);
  EXPECT_EQ(back.mesh.triangles, mesh.triangles);
  EXPECT_THAT(back.notes, IsEmpty());
  EXPECT_EQ(obj_text(back.mesh, "two lines\nof comment"), text_of(file));
  EXPECT_TRUE(std::signbit(back.mesh.vertices[0].x()));
}

TEST_F(MeshFileTest, WritingWhereOneMayNotIsAnIoError) {
  try {
    write_obj(folder_ / "no" / "m.obj", sample());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
}

TEST_F(MeshFileTest, FilesThatCannotBeOpened) {
  EXPECT_THAT(refusal(ErrorKind::io, folder_ / "absent.stl"), HasSubstr("no such file"));
  std::filesystem::create_directory(folder_ / "folder.stl");
  EXPECT_THAT(refusal(ErrorKind::io, folder_ / "folder.stl"), HasSubstr("is a folder"));
  ASSERT_EQ(mkfifo((folder_ / "pipe.stl").c_str(), 0600), 0);
  EXPECT_THAT(refusal(ErrorKind::io, folder_ / "pipe.stl"), HasSubstr("regular file"));
}

TEST_F(MeshFileTest, UnknownKinds) {
  const std::string text = refusal(ErrorKind::input, write("a.step", "x"));
  EXPECT_THAT(text, HasSubstr(".step"));
  EXPECT_THAT(text, HasSubstr(".obj, .stl, .ply, .dae, .gltf, .glb"));
  refusal(ErrorKind::input, write("none", "x"));
}

TEST_F(MeshFileTest, Limits) {
  const auto stl = write("a.stl", samples::stl_binary(sample()));
  const auto obj = write("a.obj", obj_text(sample()));
  const auto dae = write("a.dae", samples::dae(sample()));
  EXPECT_THAT(refusal(ErrorKind::input, stl, {.max_file_bytes = 100}), HasSubstr("too large"));
  EXPECT_THAT(refusal(ErrorKind::input, stl, {.max_triangles = 100}), HasSubstr("192 triangles"));
  EXPECT_THAT(refusal(ErrorKind::input, obj, {.max_triangles = 100}),
              HasSubstr("more than 100 triangles"));
  EXPECT_THAT(refusal(ErrorKind::input, dae, {.max_triangles = 100}),
              HasSubstr("too many triangles"));
  EXPECT_THAT(refusal(ErrorKind::input, stl, {.max_seconds = 1e-6}),
              HasSubstr("did not finish within"));
}

// A file beside the mesh is fine, one elsewhere is not opened.
TEST_F(MeshFileTest, BuffersAreReadOnlyFromTheFolderOfTheFile) {
  std::filesystem::create_directory(folder_ / "sub");
  write("outside.bin", samples::gltf_buffer(sample()));
  write("sub/inside.bin", samples::gltf_buffer(sample()));
  const auto uri = [](const std::string& path) { return "\"uri\": \"" + path + "\","; };
  EXPECT_NO_THROW(read("sub/a.gltf", samples::gltf_json(sample(), uri("inside.bin"))));
  EXPECT_NO_THROW(read("b.gltf", samples::gltf_json(sample(), uri("sub/inside.bin"))));
  refusal(ErrorKind::input,
          write("sub/c.gltf", samples::gltf_json(sample(), uri("../outside.bin"))));
  refusal(ErrorKind::input, write("d.gltf", samples::gltf_json(sample(), uri("/dev/zero"))));
  refusal(ErrorKind::input, write("e.gltf", samples::gltf_json(sample(), uri("absent.bin"))));
}

TEST_F(MeshFileTest, MeshOfAFileIsScaled) {
  const auto file = write("box.obj", obj_text(box_mesh({1, 2, 3})));
  const TriMesh mesh = mesh_of(MeshShape{file.string(), {2, 1, -1}}, 1);
  EXPECT_EQ(bounds(mesh).upper, Vec3(1, 1, 1.5));
  EXPECT_NEAR(solid_properties(mesh).volume, 12, 1e-13);  // measured 0
  EXPECT_THROW(mesh_of(MeshShape{file.string(), {2, 0, 1}}, 1), Error);
}

}  // namespace
}  // namespace grouser::internal
