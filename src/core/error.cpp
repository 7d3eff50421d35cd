#include "core/error.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/issue_lines.h"

namespace grouser {
namespace {

std::string to_text(const std::vector<Issue>& issues) {
  std::string text;
  for (const std::string& line : internal::lines_of(issues)) {
    if (!text.empty()) text += '\n';
    text += line;
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

std::vector<std::string> lines_of(const std::vector<Issue>& issues) {
  constexpr int kToldInFull = 4, kShown = 3;
  std::map<std::string_view, int> all, told;
  for (const Issue& issue : issues) ++all[issue.message];
  std::vector<std::string> lines;
  for (const Issue& issue : issues) {
    const int count = all[issue.message];
    const int already = told[issue.message]++;
    if (count <= kToldInFull || already < kShown) lines.push_back(to_string(issue));
    if (count > kToldInFull && already == kShown) {
      lines.push_back(fmt::format("… and {} more like this: {}", count - kShown, issue.message));
    }
  }
  return lines;
}

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
