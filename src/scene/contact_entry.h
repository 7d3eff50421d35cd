#pragma once

#include <optional>
#include <vector>

#include "scene/place.h"

namespace grouser::internal {

/// Which bodies, wheels or ground an entry of `contacts:` is about: what the entries of all models have in common.
struct ContactEntry {
  enum class Subject { bodies, wheels, rocks, terrain };

  Subject subject = Subject::bodies;
  std::optional<PlacedName> rover;  ///< of wheels; not needed if there is one only
  std::vector<PlacedName> names;    ///< of wheels (empty: all), or of bodies
  Place place;
};

}  // namespace grouser::internal
