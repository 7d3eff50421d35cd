// Any text is a scene or is refused as bad input.
#include <cstdint>
#include <string>

#include "core/error.h"
#include "scene/load_scene.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    grouser::internal::load_scene_text(std::string(reinterpret_cast<const char*>(data), size),
                                       "fuzz.yaml", "/nonexistent");
  } catch (const grouser::internal::Error&) {
  }
  return 0;
}
