#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>

#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "mesh_samples.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

class LongMeshFileTest : public TemporaryFolderTest {};

double megabytes(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST_F(LongMeshFileTest, AMillionTrianglesInFiveSeconds) {
  using Writer = std::string (*)(const TriMesh&);
  const std::pair<const char*, Writer> formats[] = {
      {"b.stl", samples::stl_binary},
      {"a.obj", [](const TriMesh& mesh) { return obj_text(mesh); }},
      {"b.ply", samples::ply_binary},
      {"t.ply", samples::ply_text},
      {"t.stl", samples::stl_text},
      {"a.glb", samples::glb},
      {"a.dae", [](const TriMesh& mesh) { return samples::dae(mesh); }}};
  const TriMesh mesh = sphere_mesh(1, 224);
  ASSERT_GT(mesh.triangles.size(), 1'000'000U);
  for (const auto& [name, writer] : formats) {
    std::ofstream(folder_ / name, std::ios::binary) << writer(mesh);
    const auto start = std::chrono::steady_clock::now();
    const MeshFile file = read_mesh(folder_ / name);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    EXPECT_EQ(file.mesh.triangles.size(), mesh.triangles.size());
    EXPECT_EQ(file.mesh.vertices.size(), mesh.vertices.size());
    EXPECT_LT(seconds, 10) << name;
    std::printf("%s: %.2f s, most memory so far %.0f MB here and %.0f MB in a child\n", name,
                seconds, megabytes(RUSAGE_SELF), megabytes(RUSAGE_CHILDREN));
  }
}

}  // namespace
}  // namespace grouser::internal
