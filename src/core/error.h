#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace grouser::internal {

/// What went wrong, by who can act on it. The value is the program's exit code.
enum class ErrorKind {
  usage = 1,     ///< the command line is wrong
  input = 2,     ///< a scene, model or asset is wrong
  diverged = 3,  ///< the simulation left the finite numbers
  io = 4,        ///< a file could not be read or written
};

/// One finding about one place of an input. Every field but `message` may be empty.
struct Issue {
  std::string message;  ///< what is wrong, as a sentence without a full stop
  std::string file;     ///< path as the user gave it
  int line = 0;         ///< 1-based; 0 = unknown
  std::string field;    ///< path of the field, e.g. "models[0].joints.hip.damping"
  std::string value;    ///< what was found
  std::string legal;    ///< what would have been legal, e.g. ">= 0 [N m s/rad]"
};

/// "scene.yaml:12: models[0].mass: must be positive (got -3, legal: > 0 [kg])"
std::string to_string(const Issue& issue);

/// The only exception of the library for bad input, divergence and file trouble. Carries every
/// finding, so that a user can mend a file in one go.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, Issue issue);
  Error(ErrorKind kind, std::vector<Issue> issues);

  ErrorKind kind() const { return kind_; }
  const std::vector<Issue>& issues() const { return issues_; }

 private:
  ErrorKind kind_;
  std::vector<Issue> issues_;
};

/// Collects findings while an input is read; throws them together.
class IssueList {
 public:
  void add(Issue issue) { issues_.push_back(std::move(issue)); }
  bool empty() const { return issues_.empty(); }
  const std::vector<Issue>& issues() const { return issues_; }
  void append(const std::vector<Issue>& more) {
    issues_.insert(issues_.end(), more.begin(), more.end());
  }
  /// Throws Error(ErrorKind::input) if anything was added. Issues are sorted by file and line.
  void throw_if_any() const;

 private:
  std::vector<Issue> issues_;
};

}  // namespace grouser::internal
