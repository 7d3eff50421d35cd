#pragma once

#include <string>
#include <vector>

#include "grouser/error.h"

namespace grouser::internal {

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
