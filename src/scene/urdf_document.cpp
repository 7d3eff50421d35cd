#include "scene/urdf_document.h"

#include <fmt/format.h>
#include <tinyxml.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "core/text.h"
#include "math/spatial.h"
#include "scene/range.h"
#include "scene/text_file.h"
#include "scene/xml_guard.h"
#include "scene/yaml_reader.h"

namespace grouser::internal {
namespace {

constexpr std::size_t kMaxUrdfName = 128;
constexpr std::size_t kMaxLinks = 10'000;
constexpr Range kRpy{-1000, 1000, false, "rad", "angles are in radians, not degrees"};

const std::vector<std::string_view> kRobotChildren = {
    "link", "joint", "material", "transmission", "gazebo", "sensor", "group", "ros2_control"};
const std::vector<std::string_view> kLinkChildren = {
    "inertial", "visual", "collision", "self_collide", "gravity", "sensor", "contact"};
const std::vector<std::string_view> kJointChildren = {"origin", "parent",      "child",
                                                      "axis",   "limit",       "dynamics",
                                                      "mimic",  "calibration", "safety_controller"};
const std::vector<std::string_view> kUrdfJointTypes = {"fixed",     "revolute", "continuous",
                                                       "prismatic", "planar",   "floating"};

/// Walks the document; `path` describes where, e.g. "link 'arm'.inertial".
class UrdfChecker {
 public:
  UrdfChecker(std::string file, IssueList& issues) : file_(std::move(file)), issues_(issues) {}

  UrdfIndex index;

  void robot(const TiXmlElement& root) {
    if (root.ValueStr() != "robot") {
      add(root.Row(), "",
          fmt::format("the root element must be 'robot', not '{}'", root.ValueStr()));
      return;
    }
    name(root, "robot");
    children(root, "robot", kRobotChildren, {});
    for (const TiXmlElement* e = root.FirstChildElement("link"); e != nullptr;
         e = e->NextSiblingElement("link")) {
      link(*e);
    }
    for (const TiXmlElement* e = root.FirstChildElement("joint"); e != nullptr;
         e = e->NextSiblingElement("joint")) {
      joint(*e);
    }
    if (index.links.empty()) add(root.Row(), "robot", "has no links");
    if (index.links.size() > kMaxLinks) {
      add(root.Row(), "robot", "has too many links", fmt::format("{}", index.links.size()),
          fmt::format("<= {}", kMaxLinks));
    }
    roots();
    cycles();
  }

 private:
  void add(int line, const std::string& path, std::string message, std::string value = {},
           std::string legal = {}) {
    issues_.add(
        issue_at({file_, line, path}, std::move(message), std::move(value), std::move(legal)));
  }

  static const TiXmlAttribute* attribute(const TiXmlElement& e, const char* key) {
    for (const TiXmlAttribute* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
      if (a->NameTStr() == key) return a;
    }
    return nullptr;
  }

  std::optional<std::string> text(const TiXmlElement& e, const std::string& path, const char* key) {
    const TiXmlAttribute* found = attribute(e, key);
    if (found == nullptr) {
      add(e.Row(), path, fmt::format("the attribute '{}' is missing", key));
      return std::nullopt;
    }
    return found->ValueStr();
  }

  std::string name(const TiXmlElement& e, const std::string& path) {
    const std::string name = text(e, path, "name").value_or("?");
    if (name.empty() || name.size() > kMaxUrdfName) {
      add(e.Row(), path, "is not a legal name", "'" + name.substr(0, kMaxUrdfName) + "'",
          fmt::format("1 to {} characters", kMaxUrdfName));
    }
    return name;
  }

  /// Reads `count` numbers of an optional attribute and checks them.
  std::optional<std::vector<double>> numbers(const TiXmlElement& e, const std::string& path,
                                             const char* key, std::size_t count,
                                             const Range& range) {
    const TiXmlAttribute* found = attribute(e, key);
    if (found == nullptr) return std::nullopt;
    const std::string field = path + "." + key;
    std::istringstream words(found->ValueStr());
    std::vector<double> values;
    bool good = true;
    for (std::string word; words >> word && good;) {
      const ParsedNumber number = parse_number(word);
      const std::string defect =
          number.defect != nullptr ? number.defect : range_defect(range, number.value);
      if (!defect.empty()) add(found->Row(), field, defect, word.substr(0, 60), legal_text(range));
      good = good && defect.empty();
      values.push_back(number.value);
    }
    if (good && values.size() != count) {
      add(found->Row(), field, fmt::format("must be {} number{}", count, count == 1 ? "" : "s"),
          "'" + found->ValueStr() + "'", fmt::format("[{}]", range.unit));
      good = false;
    }
    return good ? std::optional(values) : std::nullopt;
  }

  void required_numbers(const TiXmlElement& e, const std::string& path, const char* key,
                        std::size_t count, const Range& range) {
    if (text(e, path, key)) numbers(e, path, key, count, range);
  }

  /// Reports children that look misspelt, and those of `once` that come twice.
  void children(const TiXmlElement& e, const std::string& path,
                const std::vector<std::string_view>& known,
                const std::set<std::string_view>& once) {
    std::set<std::string> seen;
    for (const TiXmlElement* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
      const std::string& tag = c->ValueStr();
      if (tag.starts_with("xacro:")) {
        add(c->Row(), path, fmt::format("'{}' is xacro; expand the file with xacro first", tag));
      }
      const bool is_known = std::ranges::find(known, tag) != known.end();
      if (once.contains(tag) && !seen.insert(tag).second) {
        add(c->Row(), path, fmt::format("the element '{}' is given twice", tag));
      }
      const auto meant = is_known ? std::nullopt : closest_match(tag, known);
      if (meant) {
        add(c->Row(), path, fmt::format("unknown element '{}', did you mean '{}'?", tag, *meant));
      }
    }
  }

  void origin(const TiXmlElement& parent, const std::string& path) {
    const TiXmlElement* e = parent.FirstChildElement("origin");
    if (e == nullptr) return;
    numbers(*e, path + ".origin", "xyz", 3, ranges::kOffset);
    numbers(*e, path + ".origin", "rpy", 3, kRpy);
  }

  void link(const TiXmlElement& e) {
    const std::string link_name = name(e, "link");
    const std::string path = fmt::format("link '{}'", link_name);
    if (!index.link_lines.emplace(link_name, e.Row()).second) {
      add(e.Row(), path, "the name is used twice");
    } else {
      index.links.push_back(link_name);
    }
    children(e, path, kLinkChildren, {"inertial"});
    if (const TiXmlElement* inertial_element = e.FirstChildElement("inertial")) {
      index.inertial_lines.emplace(link_name, inertial_element->Row());
      inertial(*inertial_element, path + ".inertial");
    }
    for (const char* tag : {"visual", "collision"}) {
      for (const TiXmlElement* v = e.FirstChildElement(tag); v != nullptr;
           v = v->NextSiblingElement(tag)) {
        shape(*v, path + "." + tag);
      }
    }
  }

  void inertial(const TiXmlElement& e, const std::string& path) {
    children(e, path, {"origin", "mass", "inertia"}, {"origin", "mass", "inertia"});
    origin(e, path);
    if (const TiXmlElement* mass = e.FirstChildElement("mass")) {
      Range range = ranges::kMass;
      range.above_low = false;  // whether a link may do without mass depends on its place
      required_numbers(*mass, path + ".mass", "value", 1, range);
    } else {
      add(e.Row(), path, "the element 'mass' is missing");
    }
    const TiXmlElement* inertia = e.FirstChildElement("inertia");
    if (inertia == nullptr) {
      add(e.Row(), path, "the element 'inertia' is missing");
      return;
    }
    for (const char* key : {"ixx", "iyy", "izz"}) {
      required_numbers(*inertia, path + ".inertia", key, 1, ranges::kMoment);
    }
    for (const char* key : {"ixy", "ixz", "iyz"}) {
      required_numbers(*inertia, path + ".inertia", key, 1, ranges::kProduct);
    }
  }

  void shape(const TiXmlElement& e, const std::string& path) {
    children(e, path, {"origin", "geometry", "material"}, {"origin", "geometry", "material"});
    origin(e, path);
    const TiXmlElement* geometry = e.FirstChildElement("geometry");
    const TiXmlElement* solid = geometry != nullptr ? geometry->FirstChildElement() : nullptr;
    if (solid == nullptr) {
      add(e.Row(), path, "has no geometry");
      return;
    }
    const std::string& type = solid->ValueStr();
    const std::string solid_path = path + "." + type;
    if (type == "box") {
      required_numbers(*solid, solid_path, "size", 3, ranges::kLength);
    } else if (type == "cylinder" || type == "sphere") {
      required_numbers(*solid, solid_path, "radius", 1, ranges::kLength);
      if (type == "cylinder") required_numbers(*solid, solid_path, "length", 1, ranges::kLength);
    } else if (type == "mesh") {
      text(*solid, solid_path, "filename");
      numbers(*solid, solid_path, "scale", 3, ranges::kScale);
    } else {
      add(solid->Row(), path, fmt::format("unknown geometry '{}'", type), {},
          "box, cylinder, sphere, mesh");
    }
    const TiXmlElement* material = e.FirstChildElement("material");
    const TiXmlElement* color =
        material != nullptr ? material->FirstChildElement("color") : nullptr;
    if (color != nullptr) required_numbers(*color, path + ".color", "rgba", 4, ranges::kColor);
  }

  void joint(const TiXmlElement& e) {
    const std::string joint_name = name(e, "joint");
    const std::string path = fmt::format("joint '{}'", joint_name);
    if (!index.joint_lines.emplace(joint_name, e.Row()).second) {
      add(e.Row(), path, "the name is used twice");
    }
    const std::string type = text(e, path, "type").value_or("fixed");
    if (std::ranges::find(kUrdfJointTypes, type) == kUrdfJointTypes.end()) {
      add_unknown_word({file_, e.Row(), path}, type, "unknown type", kUrdfJointTypes, issues_);
    }
    children(e, path, kJointChildren,
             {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
    origin(e, path);
    const auto parent = end_link(e, path, "parent");
    const auto child = end_link(e, path, "child");
    if (child && parent == child) add(e.Row(), path, "joins a link to itself", *child);
    if (child && !parent_joint_.emplace(*child, joint_name).second) {
      add(e.Row(), path,
          fmt::format("the link '{}' already has a parent, by joint '{}'", *child,
                      parent_joint_[*child]));
    }
    if (child && parent && *parent != *child) parent_link_.emplace(*child, *parent);
    axis(e, path);
    limits(e, path, type);
    if (const TiXmlElement* dynamics = e.FirstChildElement("dynamics")) {
      numbers(*dynamics, path + ".dynamics", "damping", 1, ranges::kJointDamping);
      numbers(*dynamics, path + ".dynamics", "friction", 1, ranges::kFriction);
    }
    if (const TiXmlElement* mimic = e.FirstChildElement("mimic")) {
      text(*mimic, path + ".mimic", "joint");
      numbers(*mimic, path + ".mimic", "multiplier", 1, ranges::kFactor);
      numbers(*mimic, path + ".mimic", "offset", 1, ranges::kJointPosition);
    }
  }

  /// The link at the parent's or child's end of a joint.
  std::optional<std::string> end_link(const TiXmlElement& e, const std::string& path,
                                      const char* tag) {
    const TiXmlElement* end = e.FirstChildElement(tag);
    if (end == nullptr) {
      add(e.Row(), path, fmt::format("the element '{}' is missing", tag));
      return std::nullopt;
    }
    auto link_name = text(*end, path + "." + tag, "link");
    if (link_name && !index.link_lines.contains(*link_name)) {
      const std::vector<std::string_view> links(index.links.begin(), index.links.end());
      add_unknown_word({file_, end->Row(), path + "." + tag}, *link_name, "unknown link", links,
                       issues_);
      return std::nullopt;
    }
    return link_name;
  }

  void axis(const TiXmlElement& e, const std::string& path) {
    const TiXmlElement* axis = e.FirstChildElement("axis");
    if (axis == nullptr) return;
    if (!text(*axis, path + ".axis", "xyz")) return;
    const auto xyz = numbers(*axis, path + ".axis", "xyz", 3, ranges::kComponent);
    if (xyz && Vec3((*xyz)[0], (*xyz)[1], (*xyz)[2]).norm() < 1e-9) {
      add(axis->Row(), path + ".axis", "must not be the zero vector");
    }
  }

  void limits(const TiXmlElement& e, const std::string& path, const std::string& type) {
    const TiXmlElement* limit = e.FirstChildElement("limit");
    const bool needs_limit = type == "revolute" || type == "prismatic";
    if (limit == nullptr) {
      if (needs_limit) {
        add(e.Row(), path, fmt::format("a {} joint needs the element 'limit'", type));
      }
      return;
    }
    const std::string limit_path = path + ".limit";
    const auto lower = numbers(*limit, limit_path, "lower", 1, ranges::kJointPosition);
    const auto upper = numbers(*limit, limit_path, "upper", 1, ranges::kJointPosition);
    constexpr Range kEffortLimit{0, 1e9, false, "N m or N"};
    constexpr Range kVelocityLimit{0, 1e9, false, "rad/s or m/s"};
    required_numbers(*limit, limit_path, "effort", 1, kEffortLimit);
    required_numbers(*limit, limit_path, "velocity", 1, kVelocityLimit);
    if (needs_limit && (lower ? (*lower)[0] : 0) >= (upper ? (*upper)[0] : 0)) {
      add(limit->Row(), limit_path, "lower must be below upper");
    }
  }

  void roots() {
    std::vector<std::string> found;
    for (const std::string& link_name : index.links) {
      if (!parent_joint_.contains(link_name)) found.push_back(link_name);
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
      add(index.link_lines[found[i]], fmt::format("link '{}'", found[i]),
          fmt::format("has no parent, and neither has '{}': there must be one root", found[0]));
    }
  }

  /// Reports each cycle of links at its member that is first in the file. urdfdom takes cycles beside
  /// the tree without a word.
  void cycles() {
    std::map<std::string, std::size_t> walk;  // which walk came through
    for (std::size_t start = 0; start < index.links.size(); ++start) {
      std::string at = index.links[start];
      bool at_root = false;
      while (!at_root && walk.emplace(at, start).second) {
        const auto parent = parent_link_.find(at);
        at_root = parent == parent_link_.end();
        if (!at_root) at = parent->second;
      }
      if (at_root || walk[at] != start) continue;
      std::set<std::string> members;
      while (members.insert(at).second) at = parent_link_[at];
      const auto first = std::ranges::find_if(
          index.links, [&](const std::string& link_name) { return members.contains(link_name); });
      add(index.link_lines[*first], fmt::format("link '{}'", *first),
          "the links hang on each other in a cycle");
    }
  }

  std::string file_;
  IssueList& issues_;
  std::map<std::string, std::string> parent_joint_;  ///< by child link
  std::map<std::string, std::string> parent_link_;   ///< by child link
};

}  // namespace

UrdfIndex check_urdf(const std::string& text, const std::string& file, IssueList& issues) {
  if (!check_text(text, file, issues) || !guard_xml(text, file, issues)) return {};
  TiXmlDocument document;
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error()) {
    issues.add(issue_at({file, document.ErrorRow(), {}},
                        fmt::format("not valid XML: {}", document.ErrorDesc())));
    return {};
  }
  const TiXmlElement* root = document.RootElement();
  if (root == nullptr) {
    issues.add(issue_at({file, 1, {}}, "holds no XML element"));
    return {};
  }
  UrdfChecker checker(file, issues);
  checker.robot(*root);
  return std::move(checker.index);
}

}  // namespace grouser::internal
