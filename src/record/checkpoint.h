#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sim/world.h"

namespace grouser::internal {

/// Writes a state from which a run can be resumed, with the scene it belongs to. The file appears
/// complete and synchronised, or not at all. Throws Error(io) naming the file and the reason.
void save_checkpoint(const std::filesystem::path& path, const World& world, const State& state);

/// The state with all its bits. Throws Error(io) if the file cannot be read; Error(input) if it is
/// damaged or no checkpoint, and if it belongs to a world of another layout, naming all that
/// differs. A scene with the same layout but another text is taken, with a warning in the log.
State load_checkpoint(const std::filesystem::path& path, const World& world);

/// The bytes that save_checkpoint() writes, in memory.
std::vector<std::byte> checkpoint_bytes(const World& world, const State& state);

/// As load_checkpoint(), from the bytes of such a file.
State state_from_bytes(std::span<const std::byte> bytes, const World& world);

struct CheckpointScene {
  std::string name;
  std::string file;              ///< as the user gave it, or "builtin:NAME"
  std::string text;              ///< the whole scene
  double time = 0;               ///< of the state [s]
  IntegratorOptions integrator;  ///< as the run used it, overrides included
  std::uint64_t seed = 0;        ///< as the run used it
};

/// The scene and settings a checkpoint was taken in. Throws as load_checkpoint() does.
CheckpointScene read_checkpoint_scene(const std::filesystem::path& path);

}  // namespace grouser::internal
