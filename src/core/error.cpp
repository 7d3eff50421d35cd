#include "core/error.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace grouser {
namespace {

std::string to_text(const std::vector<Issue>& issues) {
  std::string text;
  for (const Issue& issue : issues) {
    if (!text.empty()) text += '\n';
    text += to_string(issue);
  }
  return text;
}

}  // namespace

std::string to_string(const Issue& issue) {
  std::string text = issue.file;
  if (issue.line > 0) text += fmt::format("{}{}", text.empty() ? "line " : ":", issue.line);
  if (!text.empty()) text += ": ";
  if (!issue.field.empty()) text += issue.field + ": ";
  text += issue.message;

  std::string details;
  if (!issue.value.empty()) details = "got " + issue.value;
  if (!issue.legal.empty()) {
    if (!details.empty()) details += ", ";
    details += "legal: " + issue.legal;
  }
  if (!details.empty()) text += " (" + details + ")";
  return text;
}

Error::Error(ErrorKind kind, Issue issue) : Error(kind, std::vector<Issue>{std::move(issue)}) {}

Error::Error(ErrorKind kind, std::vector<Issue> issues)
    : std::runtime_error(to_text(issues)), kind_(kind), issues_(std::move(issues)) {}

namespace internal {

void IssueList::throw_if_any() const {
  if (issues_.empty()) return;
  std::vector<Issue> sorted = issues_;
  // Stable: findings about the same line keep the order in which they were made.
  std::ranges::stable_sort(sorted, {}, [](const Issue& issue) {
    return std::tuple<std::string_view, int>(issue.file, issue.line);
  });
  throw Error(ErrorKind::input, std::move(sorted));
}

}  // namespace internal
}  // namespace grouser
