#include "scene/name_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

std::string full_name(const std::string& scope, const std::string& name) {
  return scope.empty() ? name : fmt::format("{}/{}", scope, name);
}

}  // namespace

std::string NameTable::add(const std::string& scope, const PlacedName& name, IssueList& issues) {
  std::string full = full_name(scope, name.text);
  const int index = count_++;
  if (name.text.empty()) return full;
  if (by_full_name_.emplace(full, index).second) {
    by_short_name_[name.text].push_back(full);
  } else {
    issues.add(issue_at(name.place, fmt::format("the {} name is used twice", what_), name.text));
  }
  return full;
}

std::optional<int> NameTable::find(const std::string& text, const std::string& scope) const {
  const auto exact = by_full_name_.find(full_name(scope, text));
  if (exact != by_full_name_.end()) return exact->second;
  const auto candidates = by_short_name_.find(text);
  if (!scope.empty() || candidates == by_short_name_.end()) return std::nullopt;
  if (candidates->second.size() != 1) return std::nullopt;
  return by_full_name_.at(candidates->second[0]);
}

std::optional<int> NameTable::resolve(const PlacedName& name, const std::string& scope,
                                      IssueList& issues) const {
  if (name.text.empty()) return std::nullopt;
  if (const auto index = find(name.text, scope)) return index;
  const auto several = by_short_name_.find(name.text);
  if (scope.empty() && several != by_short_name_.end()) {
    issues.add(issue_at(name.place,
                        fmt::format("the {} '{}' exists in several models", what_, name.text), {},
                        fmt::format("{}", fmt::join(several->second, ", "))));
    return std::nullopt;
  }
  std::vector<std::string_view> candidates;
  for (const auto& [short_name, full_names] : by_short_name_) {
    for (const std::string& full : full_names) {
      if (scope.empty() && full != short_name) candidates.push_back(full);
      if (scope.empty() || full == full_name(scope, short_name)) candidates.push_back(short_name);
    }
  }
  add_unknown_word(name.place, name.text, fmt::format("unknown {}", what_).c_str(), candidates,
                   issues);
  return std::nullopt;
}

}  // namespace grouser::internal
