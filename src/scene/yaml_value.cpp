#include "scene/yaml_value.h"

#include <fmt/format.h>
#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

#include "scene/text_file.h"

namespace grouser::internal {
namespace {

constexpr int kMaxDepth = 32;          // scenes need about eight
constexpr int kMaxValues = 200'000;    // after expansion of aliases
constexpr std::size_t kMaxKey = 128;   // characters
constexpr std::size_t kMaxShown = 60;  // characters

int line_of(const YAML::Mark& mark) { return mark.is_null() ? 0 : mark.line + 1; }

/// Notes where documents begin and passes over everything else.
class DocumentMarks : public YAML::EventHandler {
 public:
  std::vector<YAML::Mark> marks;

  void OnDocumentStart(const YAML::Mark& mark) override { marks.push_back(mark); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Where the first two documents begin. Not YAML::LoadAll: on a stray ',' that one makes empty
/// documents without end.
std::vector<YAML::Mark> document_marks(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  DocumentMarks documents;
  while (documents.marks.size() < 2 && parser.HandleNextDocument(documents)) {
  }
  return documents.marks;
}

/// Copies yaml-cpp's graph into a tree of our own. Counts values, because aliases can make a small
/// file explode, and levels, because they can even make a cycle.
class YamlExpansion {
 public:
  YamlExpansion(std::string file, IssueList& issues) : file_(std::move(file)), issues_(issues) {}

  /// True if a limit was hit; what was expanded then is of no use.
  bool stopped() const { return stopped_; }

  YamlValue expand(const YAML::Node& node, Place place, int depth) {
    YamlValue value;
    value.place = std::move(place);
    if (!may_go_on(value.place, depth)) return value;
    switch (node.Type()) {
      case YAML::NodeType::Scalar:
        value.kind = YamlValue::Kind::scalar;
        value.text = node.Scalar();
        value.quoted = node.Tag() == "!";
        break;
      case YAML::NodeType::Sequence:
        expand_list(node, depth, value);
        break;
      case YAML::NodeType::Map:
        expand_map(node, depth, value);
        break;
      default:
        break;
    }
    return value;
  }

 private:
  bool may_go_on(const Place& place, int depth) {
    if (stopped_) return false;
    if (depth > kMaxDepth) stop(place, "is nested too deeply", kMaxDepth);
    if (++count_ > kMaxValues) stop(place, "the file holds too many values", kMaxValues);
    return !stopped_;
  }

  void stop(Place place, const char* why, int limit) {
    place.field = place.field.substr(0, place.field.find('['));
    issues_.add(issue_at(place, why, {}, fmt::format("<= {}, counting aliases", limit)));
    stopped_ = true;
  }

  void expand_list(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::list;
    for (const YAML::Node& item : node) {
      if (stopped_) return;
      Place place{file_, line_of(item.Mark()),
                  fmt::format("{}[{}]", value.place.field, value.items.size())};
      if (item.IsNull()) place.line = value.place.line;
      value.items.push_back(expand(item, std::move(place), depth + 1));
    }
  }

  void expand_map(const YAML::Node& node, int depth, YamlValue& value) {
    value.kind = YamlValue::Kind::map;
    std::set<std::string> seen;
    for (const auto& entry : node) {
      if (stopped_) return;
      Place place{file_, line_of(entry.first.Mark()), value.place.field};
      if (!entry.first.IsScalar() || entry.first.Scalar().size() > kMaxKey) {
        issues_.add(issue_at(place, "has a key that is not a short text"));
        continue;
      }
      const std::string& key = entry.first.Scalar();
      if (!place.field.empty()) place.field += '.';
      place.field += key;
      if (!seen.insert(key).second) {
        issues_.add(issue_at(place, "is given twice"));
        continue;
      }
      // A map or list below its key is reported at the key, a scalar where it stands.
      if (entry.second.IsScalar()) place.line = line_of(entry.second.Mark());
      value.keys.push_back(key);
      value.items.push_back(expand(entry.second, std::move(place), depth + 1));
    }
  }

  std::string file_;
  IssueList& issues_;
  int count_ = 0;
  bool stopped_ = false;
};

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

std::string YamlValue::shown() const {
  if (kind == Kind::list) return fmt::format("a list of {}", items.size());
  if (kind != Kind::scalar) return to_string(kind);
  std::string shown = text.substr(0, kMaxShown);
  std::ranges::replace(shown, '\n', ' ');
  if (text.size() > kMaxShown) shown += "...";
  return quoted || shown.empty() ? fmt::format("'{}'", shown) : shown;
}

const char* to_string(YamlValue::Kind kind) {
  constexpr const char* kNames[] = {"nothing", "a single value", "a list", "a map"};
  return kNames[static_cast<int>(kind)];
}

YamlValue parse_yaml(const std::string& text, const std::string& file, IssueList& issues) {
  const Place top{file, 1, {}};
  YamlValue nothing;
  nothing.place = top;
  if (!check_text(text, file, issues)) return nothing;
  try {
    // yaml-cpp takes a quote that never closes for closed if white space ends the file.
    const std::string trimmed = text.substr(0, text.find_last_not_of(" \n\r") + 1);
    const std::vector<YAML::Mark> documents = document_marks(trimmed);
    if (documents.size() > 1) {
      issues.add(issue_at({file, line_of(documents[1]), {}},
                          "a second document begins; there must be one only"));
    }
    const YAML::Node document = YAML::Load(trimmed);
    if (document.IsNull()) {
      if (documents.size() < 2) issues.add(issue_at(top, "the file is empty"));
      return nothing;
    }
    YamlExpansion expansion(file, issues);
    YamlValue value = expansion.expand(document, top, 0);
    return expansion.stopped() ? nothing : value;
  } catch (const YAML::DeepRecursion&) {
    issues.add(issue_at(top, "is nested too deeply", {}, fmt::format("<= {}", kMaxDepth)));
  } catch (const YAML::Exception& error) {
    issues.add(issue_at({file, line_of(error.mark), {}}, "not valid YAML: " + error.msg));
  }
  return nothing;
}

Place place_of(const YamlValue& value, std::string_view path) {
  const YamlValue* at = &value;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of(".["), path.size());
    const YamlValue* next = nullptr;
    if (path.front() == '[') {
      std::size_t index = 0;
      const auto [rest, error] = std::from_chars(path.data() + 1, path.data() + path.size(), index);
      if (error != std::errc{} || at->kind != YamlValue::Kind::list || index >= at->items.size())
        break;
      next = &at->items[index];
      path.remove_prefix(std::min(path.find(']') + 1, path.size()));
    } else {
      next = at->find(path.substr(0, end));
      path.remove_prefix(end);
    }
    if (next == nullptr) break;
    at = next;
    if (!path.empty() && path.front() == '.') path.remove_prefix(1);
  }
  return at->place;
}

}  // namespace grouser::internal
