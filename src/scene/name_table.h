#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/place.h"

namespace grouser::internal {

/// Names of one kind of thing in a world. What belongs to a model is called "model/name"; a scene
/// may leave out "model/" where that is unambiguous, and a model's own file always does.
class NameTable {
 public:
  /// `what` is for messages: "joint".
  explicit NameTable(const char* what) : what_(what) {}

  /// Enters the next index under a name; reports a name that is taken. `scope` is the model, or
  /// empty for what belongs to the scene. Returns the full name.
  std::string add(const std::string& scope, const PlacedName& name, IssueList& issues);

  /// Index of the thing meant; nothing if there is none or more than one.
  std::optional<int> find(const std::string& text, const std::string& scope) const;
  /// The same, reporting the failure. An empty text was reported when it was read.
  std::optional<int> resolve(const PlacedName& name, const std::string& scope,
                             IssueList& issues) const;

 private:
  const char* what_;
  int count_ = 0;
  std::map<std::string, int> by_full_name_;
  std::map<std::string, std::vector<std::string>> by_short_name_;  ///< to full names
};

}  // namespace grouser::internal
