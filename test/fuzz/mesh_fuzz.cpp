// Fuzz target for libFuzzer: whatever a mesh file holds, it is read or refused with an Error.
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/error.h"
#include "geometry/mesh_check.h"
#include "geometry/mesh_file.h"

namespace {

/// A folder for the life of the process.
const std::filesystem::path& scratch_folder() {
  static const struct Folder {
    std::filesystem::path path;
    Folder() {
      std::string name = (std::filesystem::temp_directory_path() / "grouser_fuzz_XXXXXX").string();
      if (!mkdtemp(name.data())) std::abort();
      path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
  } folder;
  return folder.path;
}

}  // namespace

/// The first byte chooses the ending of the name, the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array<const char*, 6> kNames = {"a.obj", "a.stl",  "a.ply",
                                                        "a.dae", "a.gltf", "a.glb"};
  if (size == 0) return 0;
  const std::filesystem::path file = scratch_folder() / kNames[data[0] % kNames.size()];
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  try {
    const grouser::internal::MeshFile result = grouser::internal::read_mesh(
        file,
        {.max_triangles = 100'000, .max_memory_bytes = std::uint64_t{1} << 30, .max_seconds = 5});
    grouser::internal::check_mesh(result.mesh);
  } catch (const grouser::internal::Error&) {
    // Refused, as it should be.
  }
  return 0;
}
