// Damaged mesh files: each is refused as bad input with its name, or read with a note of what was
// repaired. Nothing crashes, hangs or prints.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <limits>

#include "core/error.h"
#include "core/rng.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "mesh_samples.h"
#include "support/temporary_folder.h"

namespace grouser::internal {
namespace {

struct Damaged {
  std::string name;  ///< of the file
  std::string bytes;
  std::string reason = "";  ///< part of the message, "" = any; "repaired" if it is read with a note
};

TriMesh cube() { return box_mesh({1, 1, 1}); }

std::string replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

std::string cut(const std::string& text, double part) {
  return text.substr(0, static_cast<std::size_t>(part * static_cast<double>(text.size())));
}

std::string repeated(std::string_view what, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += what;
  return text;
}

std::string patched(std::string bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(&bytes[at], &value, sizeof value);
  return bytes;
}

std::string patched(std::string bytes, std::size_t at, float value) {
  return patched(std::move(bytes), at, std::bit_cast<std::uint32_t>(value));
}

std::string garbage(std::size_t size) {
  CounterRng rng(99);
  std::string bytes;
  while (bytes.size() < size) bytes += static_cast<char>(rng.index(256));
  return bytes;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

std::vector<Damaged> damaged_obj() {
  const std::string good = obj_text(cube());
  TriMesh slivers = cube();
  slivers.triangles.push_back({1, 1, 2});
  return {
      {"empty.obj", "", "empty"},
      {"blank.obj", "\n\n  \n", "no triangles"},
      {"vertices.obj", "v 0 0 0\nv 1 0 0\n", "no triangles"},
      {"cut.obj", cut(good, 0.25), "three finite numbers"},
      {"nan.obj", replaced(good, "-0.5", "nan"), ":1: a vertex needs three finite numbers"},
      {"inf.obj", replaced(good, "-0.5", "-inf"), "finite"},
      {"overflow.obj", replaced(good, "-0.5", "1e999"), "finite"},
      {"huge.obj", replaced(good, "-0.5", "1e200"), "vertex 1 is not a finite position"},
      {"zero_index.obj", good + "f 0 1 2\n", ":21: a face names a vertex that is not there"},
      {"beyond.obj", good + "f 1 2 9\n", "there are 8"},
      {"before.obj", good + "f -1 -2 -9\n", "there are 8"},
      {"word.obj", good + "f one two three\n", "must be the number of a vertex"},
      {"garbage.obj", garbage(3000), "not text"},
      {"nul.obj", good + std::string(10, '\0'), ""},
      {"two_corners.obj", good + "f 1 2\n", "three corners"},
      {"repeated_corner.obj", obj_text(slivers), "repaired"},
      {"point.obj", "v 1 1 1\nv 1 1 1\nv 1 1 1\nf 1 2 3\n", "no triangles that have an area"},
  };
}

std::vector<Damaged> damaged_stl() {
  const std::string text = samples::stl_text(cube()), binary = samples::stl_binary(cube());
  TriMesh twice = cube();
  append(twice, twice);
  return {
      {"empty.stl", "", "empty"},
      {"short.stl", "abc", "84 bytes"},
      {"header.stl", std::string(84, '\0'), "no triangles"},
      {"absurd.stl", patched(binary, 80, 0xFFFFFFFFU),
       "claims 4294967295 triangles, but has room for 12"},
      {"more.stl", patched(binary, 80, 13U), "claims 13 triangles, but has room for 12"},
      {"fewer.stl", patched(binary, 80, 11U), "goes on for 50 bytes"},
      {"cut.stl", cut(binary, 0.5), "room for"},
      {"cut_text.stl", cut(text, 0.4), ""},
      {"nan.stl", patched(binary, 84 + 12, kNan), "vertex 1 is not a finite position"},
      {"inf.stl", patched(binary, 84 + 50 + 16, kInf), "vertex 4 is not a finite position"},
      {"nan_text.stl", replaced(text, "-0.5", "nan"), ""},
      {"garbage.stl", garbage(5000), "claims"},
      {"garbage_after_solid.stl", "solid " + garbage(2000), ""},
      {"only_solid.stl", "solid nothing\nendsolid nothing\n", ""},
      {"not_numbers.stl", replaced(text, "vertex -0.5", "vertex up"), ""},
      {"no_vertices.stl", "solid x\nfacet normal 0 0 1\nouter loop\nendloop\nendfacet\nendsolid\n",
       ""},
      {"many_vertices.stl", replaced(text, "endloop", "vertex 0 0 0\nvertex 1 1 1\nendloop"), ""},
      {"twice.stl", samples::stl_binary(twice), "repaired"},
      {"obj_in_disguise.stl", obj_text(cube()), ""},
  };
}

std::vector<Damaged> damaged_ply() {
  const std::string text = samples::ply_text(cube()), binary = samples::ply_binary(cube());
  const std::size_t body = binary.find("end_header\n") + 11;
  const std::size_t faces = body + 8 * 12;
  std::string long_list = binary;
  long_list[faces] = '\xFF';
  return {
      {"magic.ply", "plx" + text.substr(3), "begin with"},
      {"endless.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "header without end"},
      {"no_format.ply", replaced(text, "format ascii 1.0\n", ""), "format"},
      {"other_format.ply", replaced(text, "ascii", "morse"), "unknown format 'morse'"},
      {"absurd.ply", replaced(binary, "vertex 8", "vertex 4000000000"),
       "claims 4000000000 elements 'vertex'"},
      {"absurd_text.ply", replaced(text, "face 12", "face 1000000000000000000"), "room for"},
      {"negative.ply", replaced(text, "vertex 8", "vertex -8"), "claims '-8' elements"},
      {"word.ply", replaced(text, "vertex 8", "vertex many"), "claims 'many' elements"},
      {"type.ply", replaced(text, "property float x", "property quad x"), "unknown type 'quad'"},
      {"no_properties.ply", "ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n",
       "without any property"},
      {"no_faces.ply", cut(replaced(text, "face 12", "face 0"), 0.6), ""},
      {"no_vertices.ply", replaced(text, "vertex 8", "vertex 0"), ""},
      {"cut.ply", cut(binary, 0.9), ""},
      {"cut_text.ply", cut(text, 0.7), ""},
      {"cut_early.ply", cut(binary, 0.6), "room for"},
      {"nan.ply", patched(binary, body, kNan), "vertex 1 is not a finite position"},
      {"beyond.ply", patched(binary, faces + 1, 8U), ""},
      {"far_beyond.ply", patched(binary, faces + 1, 0x7FFFFFFFU), ""},
      {"negative_index.ply", patched(binary, faces + 1, 0xFFFFFFFFU), ""},
      {"long_list.ply", long_list, ""},
      {"absurd_list.ply", replaced(binary, "list uchar int", "list uint int"), ""},
      {"beyond_text.ply", replaced(text, "\n3 ", "\n3 999 "), ""},
      {"long_list_text.ply", replaced(text, "\n3 ", "\n4000000000 "), ""},
      {"garbage.ply", binary.substr(0, body) + garbage(8 * 12 + 12 * 13), ""},
      {"only_magic.ply", "ply", "header without end"},
      {"long_header.ply", "ply\n" + repeated("comment x\n", 20000), "header without end"},
  };
}

std::vector<Damaged> damaged_dae() {
  const std::string good = samples::dae(cube());
  const std::string cycle =
      "<library_nodes><node id=\"a\"><instance_node url=\"#b\"/></node><node id=\"b\">"
      "<instance_node url=\"#a\"/></node></library_nodes><library_visual_scenes>";
  return {
      {"garbage.dae", garbage(1000), "not XML"},
      {"cut.dae", cut(good, 0.6), ""},
      {"other_root.dae", "<html><body/></html>", ""},
      {"no_scene.dae", "<COLLADA version=\"1.4.1\"></COLLADA>", ""},
      {"deep.dae", "<COLLADA version=\"1.4.1\">" + repeated("<node>", 300000), ""},
      {"deep_nodes.dae",
       samples::dae(cube(), {.node = repeated("<node>", 100000) + repeated("</node>", 100000)}),
       ""},
      {"cycle.dae",
       replaced(samples::dae(cube(), {.node = "<instance_node url=\"#a\"/>"}),
                "<library_visual_scenes>", cycle),
       ""},
      {"beyond.dae", replaced(good, "<p>", "<p>777 "), ""},
      {"negative.dae", replaced(good, "<p>", "<p>-5 "), ""},
      {"nan.dae", replaced(good, "-0.5", "nan"), ""},
      {"absurd_count.dae", replaced(good, "count=\"24\"", "count=\"4000000000\""), ""},
      {"absurd_stride.dae", replaced(good, "stride=\"3\"", "stride=\"1000000000\""), ""},
      {"zero_stride.dae", replaced(good, "stride=\"3\"", "stride=\"0\""), ""},
      {"absurd_triangles.dae",
       replaced(good, "<triangles count=\"12\"", "<triangles count=\"999999999\""), ""},
      {"absurd_offset.dae", replaced(good, "offset=\"0\"", "offset=\"1000000000\""), ""},
      {"missing_source.dae", replaced(good, "source=\"#p\"", "source=\"#q\""), ""},
      {"own_source.dae", replaced(good, "source=\"#p\"", "source=\"#v\""), ""},
      {"missing_geometry.dae", samples::dae(cube(), {.node = "<instance_geometry url=\"#h\"/>"}),
       ""},
      {"empty_positions.dae",
       replaced(good, "count=\"24\">", "count=\"24\"></float_array><float_array>"), ""},
      {"bad_unit.dae",
       samples::dae(cube(), {.asset = "<unit meter=\"nan\"/><up_axis>Z_UP</up_axis>"}), ""},
      {"zero_unit.dae",
       samples::dae(cube(), {.asset = "<unit meter=\"0\"/><up_axis>Z_UP</up_axis>"}), ""},
      {"entities.dae",
       "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b "
       "\"&a;&a;&a;&a;\">]><COLLADA>&b;</COLLADA>",
       ""},
  };
}

std::vector<Damaged> damaged_gltf() {
  const std::string good = samples::gltf_embedded(cube()), glb = samples::glb(cube());
  const auto changed = [&](std::string_view what, std::string_view with) {
    return replaced(good, what, with);
  };
  return {
      {"garbage.gltf", garbage(1000), "not JSON"},
      {"cut.gltf", cut(good, 0.5), ""},
      {"empty_object.gltf", "{}", ""},
      {"deep.gltf", "{\"asset\": " + repeated("[", 200000), ""},
      {"version.gltf", changed("\"2.0\"", "\"9.0\""), ""},
      {"absurd_count.gltf", changed("\"count\": 8", "\"count\": 4000000000"), ""},
      {"more_vertices.gltf", changed("\"count\": 8", "\"count\": 80"), ""},
      {"more_indices.gltf", changed("\"count\": 36", "\"count\": 3600"), ""},
      {"negative_count.gltf", changed("\"count\": 36", "\"count\": -36"), ""},
      {"absurd_buffer.gltf",
       changed("\"byteLength\": 240}", "\"byteLength\": 9000000000000000000}"), ""},
      {"short_buffer.gltf", changed("\"byteLength\": 240}", "\"byteLength\": 20}"), ""},
      {"view_beyond.gltf", changed("\"byteLength\": 144", "\"byteLength\": 144000"), ""},
      {"view_offset.gltf", changed("\"byteOffset\": 96", "\"byteOffset\": 4000000000"), ""},
      {"no_view.gltf", changed("\"bufferView\": 1", "\"bufferView\": 77"), ""},
      {"no_accessor.gltf", changed("\"indices\": 1", "\"indices\": 55"), ""},
      {"no_positions.gltf", changed("\"POSITION\": 0", "\"NORMAL\": 0"), ""},
      {"component.gltf", changed("5125", "1"), ""},
      {"type.gltf", changed("\"SCALAR\"", "\"MAT4\""), ""},
      {"mode.gltf", changed("\"mode\": 4", "\"mode\": 99"), ""},
      {"node_cycle.gltf", changed("\"mesh\": 0,", "\"mesh\": 0, \"children\": [0],"), ""},
      {"no_node.gltf", changed("\"nodes\": [0]", "\"nodes\": [12]"), ""},
      {"no_mesh.gltf", changed("\"mesh\": 0", "\"mesh\": 12"), ""},
      {"nan_translation.gltf", changed("[0, 0, 0]", "[1e999, 0, 0]"), ""},
      {"bad_base64.gltf", changed("base64,", "base64,!!!"), ""},
      {"magic.glb", "glXF" + glb.substr(4), "begin with"},
      {"short.glb", glb.substr(0, 14), "ends within its header"},
      {"longer.glb", patched(glb, 8, 0xFFFFFFF0U), "claims 4294967280 bytes"},
      {"shorter.glb", patched(glb, 8, 100U), "first chunk"},
      {"chunk.glb", patched(glb, 12, 0xFFFFFFF0U), "claims a first chunk of 4294967280 bytes"},
      {"cut.glb", cut(glb, 0.8), "claims"},
      {"version.glb", patched(glb, 4, 77U), ""},
      {"no_chunk.glb", patched(glb, 16, 0x12345678U), ""},
      {"beyond.glb", patched(glb, glb.size() - 4, 0xFFFFFFU), ""},
      {"nan.glb", patched(glb, glb.size() - 240, kNan), "vertex 1 is not a finite position"},
  };
}

class MeshCorpusTest : public TemporaryFolderTest {
 protected:
  void expect_handled(const Damaged& damaged) const {
    SCOPED_TRACE(damaged.name);
    const auto file = folder_ / damaged.name;
    std::ofstream(file, std::ios::binary) << damaged.bytes;
    try {
      const MeshFile result = read_mesh(file, {.max_seconds = 2});
      EXPECT_THAT(damaged.reason, testing::AnyOf("", "repaired")) << "was read";
      EXPECT_FALSE(result.mesh.triangles.empty());
      EXPECT_FALSE(result.notes.empty());
      check_mesh(result.mesh);  // takes it as it is
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_THAT(error.what(), testing::HasSubstr(file.string()));
      EXPECT_THAT(error.what(), testing::HasSubstr(damaged.reason));
    }
  }

  void expect_all_handled(const std::vector<Damaged>& corpus) const {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    for (const Damaged& damaged : corpus) expect_handled(damaged);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
};

TEST_F(MeshCorpusTest, Obj) { expect_all_handled(damaged_obj()); }
TEST_F(MeshCorpusTest, Stl) { expect_all_handled(damaged_stl()); }
TEST_F(MeshCorpusTest, Ply) { expect_all_handled(damaged_ply()); }
TEST_F(MeshCorpusTest, Dae) { expect_all_handled(damaged_dae()); }
TEST_F(MeshCorpusTest, Gltf) { expect_all_handled(damaged_gltf()); }

TEST_F(MeshCorpusTest, HasAtLeastForty) {
  EXPECT_GE(damaged_obj().size() + damaged_stl().size() + damaged_ply().size() +
                damaged_dae().size() + damaged_gltf().size(),
            40U);
}

/// Replaces, removes or doubles a few stretches of a file.
std::string mutated(std::string bytes, CounterRng& rng) {
  static const std::string_view kTokens[] = {
      "4294967295", "-1", "nan", "0", "1e38", "\xFF\xFF\xFF\xFF", "[",       "}",   "<",
      "/>",         "\"", "\n",  " ", "#",    "999999",           "inf inf", "\\\n"};
  for (std::uint64_t edits = 1 + rng.index(4); edits > 0 && !bytes.empty(); --edits) {
    const std::size_t at = rng.index(bytes.size()), length = rng.index(12);
    switch (rng.index(4)) {
      case 0:
        bytes[at] = static_cast<char>(rng.index(256));
        break;
      case 1:
        bytes.replace(at, length, kTokens[rng.index(std::size(kTokens))]);
        break;
      case 2:
        bytes.erase(at, length);
        break;
      default:
        bytes.insert(rng.index(bytes.size()), bytes.substr(at, 5 * length));
        break;
    }
  }
  return bytes;
}

class MeshMutationTest : public TemporaryFolderTest {
 protected:
  void expect_handled(const std::string& name, const std::string& bytes) const {
    const auto file = folder_ / name;
    std::ofstream(file, std::ios::binary) << bytes;
    try {
      const MeshFile result = read_mesh(file, {.max_seconds = 1});
      check_mesh(result.mesh);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr(file.string()));
    }
  }

  void run(int repeats) const {
    const TriMesh mesh = cube();
    const std::pair<std::string, std::string> seeds[] = {{"m.obj", obj_text(mesh)},
                                                         {"t.stl", samples::stl_text(mesh)},
                                                         {"b.stl", samples::stl_binary(mesh)},
                                                         {"t.ply", samples::ply_text(mesh)},
                                                         {"b.ply", samples::ply_binary(mesh)},
                                                         {"m.dae", samples::dae(mesh)},
                                                         {"m.gltf", samples::gltf_embedded(mesh)},
                                                         {"m.glb", samples::glb(mesh)}};
    CounterRng rng(5);
    for (int i = 0; i < repeats; ++i) {
      for (const auto& [name, bytes] : seeds) expect_handled(name, mutated(bytes, rng));
    }
  }
};

TEST_F(MeshMutationTest, AreReadOrRefused) { run(60); }

class LongMeshMutationTest : public MeshMutationTest {};
TEST_F(LongMeshMutationTest, AreReadOrRefused) { run(5000); }

}  // namespace
}  // namespace grouser::internal
