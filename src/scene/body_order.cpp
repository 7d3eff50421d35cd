#include "scene/body_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

/// The first body of each name; names used twice are reported where names are entered.
std::map<std::string_view, int> index_by_name(const std::vector<BodyData>& bodies) {
  std::map<std::string_view, int> index;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    index.emplace(bodies[i].name.text, static_cast<int>(i));
  }
  return index;
}

/// Parent index of each body; a parent that is wrong is reported and replaced by the world.
std::vector<int> find_parents(const std::vector<BodyData>& bodies,
                              const std::map<std::string_view, int>& index, IssueList& issues) {
  std::vector<int> parents(bodies.size(), kWorld);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!bodies[i].joint) continue;
    const PlacedName& parent = bodies[i].joint->parent;
    if (parent.text.empty() || parent.text == kWorldName) continue;
    const auto found = index.find(parent.text);
    if (found == index.end()) {
      std::vector<std::string_view> names{kWorldName};
      for (const auto& [name, _] : index) names.push_back(name);
      add_unknown_word(parent.place, parent.text, "unknown parent", names, issues);
    } else if (found->second == static_cast<int>(i)) {
      issues.add(issue_at(parent.place, "the body is its own parent", parent.text));
    } else {
      parents[i] = found->second;
    }
  }
  return parents;
}

/// Reports each cycle once, at its member that is first in the file, and hangs that one on the world.
void break_cycles(const std::vector<BodyData>& bodies, std::vector<int>& parents,
                  IssueList& issues) {
  constexpr std::size_t kMaxListed = 8;
  std::vector<int> walk(bodies.size(), -1);  // which walk came through
  for (int start = 0; start < static_cast<int>(bodies.size()); ++start) {
    int at = start;
    while (at != kWorld && walk[static_cast<std::size_t>(at)] < 0) {
      walk[static_cast<std::size_t>(at)] = start;
      at = parents[static_cast<std::size_t>(at)];
    }
    // A walk ends at the world, at an earlier walk or, in a cycle, at itself.
    if (at == kWorld || walk[static_cast<std::size_t>(at)] != start) continue;
    std::vector<int> members{at};
    while (parents[static_cast<std::size_t>(members.back())] != at) {
      members.push_back(parents[static_cast<std::size_t>(members.back())]);
    }
    std::string text;
    for (std::size_t i = 0; i < std::min(kMaxListed, members.size()); ++i) {
      text += bodies[static_cast<std::size_t>(members[i])].name.text + " on ";
    }
    const auto first = static_cast<std::size_t>(*std::ranges::min_element(members));
    issues.add(issue_at(bodies[first].name.place, "the bodies hang on each other in a cycle",
                        text + "..."));
    parents[first] = kWorld;
  }
}

}  // namespace

std::vector<OrderedBody> order_bodies(const std::vector<BodyData>& bodies, IssueList& issues) {
  std::vector<int> parents = find_parents(bodies, index_by_name(bodies), issues);
  break_cycles(bodies, parents, issues);
  std::vector<std::vector<int>> children(bodies.size());
  std::vector<int> stack;
  for (int i = static_cast<int>(bodies.size()) - 1; i >= 0; --i) {
    const int parent = parents[static_cast<std::size_t>(i)];
    (parent == kWorld ? stack : children[static_cast<std::size_t>(parent)]).push_back(i);
  }
  std::vector<OrderedBody> ordered;
  std::vector<int> position(bodies.size(), -1);
  while (!stack.empty()) {
    const auto i = static_cast<std::size_t>(stack.back());
    stack.pop_back();
    const int parent = parents[i];
    position[i] = static_cast<int>(ordered.size());
    ordered.push_back(
        {&bodies[i], parent == kWorld ? kWorld : position[static_cast<std::size_t>(parent)]});
    stack.insert(stack.end(), children[i].begin(), children[i].end());
  }
  return ordered;
}

}  // namespace grouser::internal
