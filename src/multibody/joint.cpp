#include "multibody/joint.h"

namespace grouser {

const char* to_string(JointType type) {
  constexpr const char* names[] = {"fixed",     "revolute", "prismatic", "universal",
                                   "spherical", "planar",   "free"};
  return names[static_cast<int>(type)];
}

}  // namespace grouser
