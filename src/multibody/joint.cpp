#include "multibody/joint.h"

namespace grouser::internal {

const char* to_string(JointType type) {
  constexpr const char* kNames[] = {"fixed",     "revolute", "prismatic", "universal",
                                    "spherical", "planar",   "free"};
  return kNames[static_cast<int>(type)];
}

}  // namespace grouser::internal
