// Any text is a robot or is refused as bad input.
#include <cstdint>
#include <string>

#include "core/error.h"
#include "scene/urdf_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    grouser::internal::IssueList issues;
    grouser::internal::read_urdf(std::string(reinterpret_cast<const char*>(data), size),
                                 "fuzz.urdf", "/nonexistent", issues);
  } catch (const grouser::internal::Error&) {
  }
  return 0;
}
