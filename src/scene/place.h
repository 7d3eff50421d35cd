#pragma once

#include <string>
#include <utility>

#include "core/error.h"

namespace grouser::internal {

/// Where in an input something stands, for messages.
struct Place {
  std::string file;   ///< as the user gave it, or "builtin:NAME"
  int line = 0;       ///< 1-based; 0 = unknown
  std::string field;  ///< e.g. "models[0].joints.hip.damping"
};

/// A text together with where it stands: names and references to names.
struct PlacedName {
  std::string text;
  Place place;
};

inline Issue issue_at(const Place& place, std::string message, std::string value = {},
                      std::string legal = {}) {
  return {.message = std::move(message),
          .file = place.file,
          .line = place.line,
          .field = place.field,
          .value = std::move(value),
          .legal = std::move(legal)};
}

}  // namespace grouser::internal
