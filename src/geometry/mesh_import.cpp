#include "geometry/mesh_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <sstream>
#include <utility>

#include "core/error.h"
#include "geometry/assimp_import.h"
#include "geometry/child_process.h"

namespace grouser::internal {
namespace {

constexpr std::uint64_t kMagic = 0x6772'6f75'7365'7201;
constexpr std::size_t kMaxReason = 200;  // letters of a reason that a user is shown
constexpr std::size_t kMaxWords = 4096;  // bytes of all reasons and warnings

static_assert(sizeof(Vec3) == 3 * sizeof(double) && sizeof(Triangle) == 3 * sizeof(std::int32_t));

/// What the child sends first; then words (why it failed, or else warnings, one to a line), the
/// vertices and the triangles.
struct Answer {
  std::uint64_t magic = kMagic;
  std::uint64_t has_failed = 0;
  std::uint64_t words = 0;  // bytes
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  std::uint64_t left_out = 0;
};

/// One line of printable text of moderate length.
std::string tidy(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  if (text.size() > kMaxReason) text = text.substr(0, kMaxReason) + "...";
  return text;
}

void send(int pipe, AssimpMesh result) {
  const bool has_failed = !result.failure.empty();
  if (has_failed) result.mesh = {};
  std::string words = has_failed ? tidy(result.failure) : std::string();
  for (const std::string& warning : result.warnings) {
    if (!has_failed) words += tidy(warning) + "\n";
  }
  words.resize(std::min(words.size(), kMaxWords));
  const TriMesh& mesh = result.mesh;
  const Answer answer{.has_failed = has_failed,
                      .words = words.size(),
                      .vertices = mesh.vertices.size(),
                      .triangles = mesh.triangles.size(),
                      .left_out = result.left_out};
  // Should the parent have gone, there is nobody to tell.
  (void)(write_all(pipe, &answer, sizeof answer) && write_all(pipe, words.data(), words.size()) &&
         write_all(pipe, mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3)) &&
         write_all(pipe, mesh.triangles.data(), mesh.triangles.size() * sizeof(Triangle)));
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw Error(ErrorKind::input,
              {.message = "the file could not be read: " + why, .file = file.string()});
}

/// The child may have lost its mind before it answered: nothing it says is taken for granted.
bool is_plausible(const Answer& answer, const MeshLimits& limits) {
  return answer.magic == kMagic && answer.words <= kMaxWords &&
         answer.triangles <= limits.max_triangles &&
         answer.vertices <= std::numeric_limits<std::int32_t>::max() &&
         answer.vertices <= limits.max_memory_bytes / sizeof(Vec3);
}

bool is_in_range(const TriMesh& mesh) {
  const auto count = static_cast<std::int64_t>(mesh.vertices.size());
  return std::ranges::all_of(mesh.triangles, [&](const Triangle& t) {
    return std::ranges::all_of(t, [&](std::int32_t i) { return 0 <= i && i < count; });
  });
}

/// Assimp's words where they mislead.
std::string reworded(const std::string& reason, const MeshLimits& limits) {
  if (reason.find("bad_alloc") != std::string::npos) {
    return fmt::format("it takes more than {} MB of memory", limits.max_memory_bytes >> 20);
  }
  if (reason.find("No suitable reader") != std::string::npos) {
    return "it is not the kind of file that its name says, of an unknown version, or damaged";
  }
  return reason;
}

std::vector<std::string> notes_of(const Answer& answer, const std::string& words) {
  std::vector<std::string> notes;
  std::istringstream lines(words);
  for (std::string line; std::getline(lines, line);) notes.push_back("the reader says: " + line);
  if (answer.left_out > 0) {
    notes.push_back(fmt::format("left out {} lines or points", answer.left_out));
  }
  return notes;
}

}  // namespace

MeshFile import_in_child(const std::filesystem::path& file, MeshFormat format,
                         const MeshLimits& limits) {
  const AssimpOptions options{.max_file_bytes = limits.max_file_bytes,
                              .max_triangles = limits.max_triangles,
                              .is_collada = format == MeshFormat::dae};
  ChildProcess child({.memory_bytes = limits.max_memory_bytes, .seconds = limits.max_seconds},
                     [&](int pipe) { send(pipe, import_with_assimp(file, options)); });
  const auto receive = [&](void* to, std::size_t bytes) {
    if (child.read(to, bytes)) return;
    refuse(file, fmt::format("the reader {}; is it damaged?", child.what_happened()));
  };

  Answer answer;
  receive(&answer, sizeof answer);
  if (!is_plausible(answer, limits)) refuse(file, "the reader gave a senseless answer");
  std::string words(answer.words, '\0');
  receive(words.data(), words.size());
  if (answer.has_failed) refuse(file, reworded(words, limits));

  MeshFile result;
  result.mesh.vertices.resize(answer.vertices);
  result.mesh.triangles.resize(answer.triangles);
  receive(result.mesh.vertices.data(), answer.vertices * sizeof(Vec3));
  receive(result.mesh.triangles.data(), answer.triangles * sizeof(Triangle));
  if (!is_in_range(result.mesh)) refuse(file, "the reader gave a senseless answer");
  result.notes = notes_of(answer, words);
  return result;
}

}  // namespace grouser::internal
