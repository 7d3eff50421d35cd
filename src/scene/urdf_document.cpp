#include "scene/urdf_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>

#include "core/text.h"
#include "math/spatial.h"
#include "scene/range.h"
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
  explicit UrdfChecker(IssueList& issues) : issues_(issues) {}

  UrdfIndex index;

  void robot(const XmlElement& root) {
    if (root.name != "robot") {
      add(root, "", fmt::format("the root element must be 'robot', not '{}'", root.name));
      return;
    }
    name(root, "robot");
    children(root, "robot", kRobotChildren, {});
    for (const XmlElement& e : root.children) {
      if (e.name == "link") link(e);
    }
    for (const XmlElement& e : root.children) {
      if (e.name == "joint") joint(e);
    }
    if (index.links.empty()) add(root, "robot", "has no links");
    if (index.links.size() > kMaxLinks) {
      add(root, "robot", "has too many links", fmt::format("{}", index.links.size()),
          fmt::format("<= {}", kMaxLinks));
    }
    roots();
    cycles();
  }

 private:
  void add(const XmlElement& e, const std::string& path, std::string message,
           std::string value = {}, std::string legal = {}) {
    issues_.add(issue_at(e.place(path), std::move(message), std::move(value), std::move(legal)));
  }

  std::optional<std::string> text(const XmlElement& e, const std::string& path, const char* key) {
    const XmlAttribute* found = e.attribute(key);
    if (found == nullptr) {
      add(e, path, fmt::format("the attribute '{}' is missing", key));
      return std::nullopt;
    }
    return found->value;
  }

  std::string name(const XmlElement& e, const std::string& path) {
    const std::string name = text(e, path, "name").value_or("?");
    if (name.empty() || name.size() > kMaxUrdfName) {
      add(e, path, "is not a legal name", "'" + name.substr(0, kMaxUrdfName) + "'",
          fmt::format("1 to {} characters", kMaxUrdfName));
    }
    return name;
  }

  /// Reads `count` numbers of an optional attribute and checks them.
  std::optional<std::vector<double>> numbers(const XmlElement& e, const std::string& path,
                                             const char* key, std::size_t count,
                                             const Range& range) {
    const XmlAttribute* found = e.attribute(key);
    if (found == nullptr) return std::nullopt;
    const std::string field = path + "." + key;
    std::istringstream words(found->value);
    std::vector<double> values;
    bool good = true;
    for (std::string word; words >> word && good;) {
      const ParsedNumber number = parse_number(word);
      const std::string defect =
          number.defect != nullptr ? number.defect : range_defect(range, number.value);
      if (!defect.empty()) {
        issues_.add(
            issue_at(e.place_of(*found, field), defect, word.substr(0, 60), legal_text(range)));
      }
      good = good && defect.empty();
      values.push_back(number.value);
    }
    if (good && values.size() != count) {
      issues_.add(issue_at(e.place_of(*found, field),
                           fmt::format("must be {} number{}", count, count == 1 ? "" : "s"),
                           "'" + found->value + "'", fmt::format("[{}]", range.unit)));
      good = false;
    }
    return good ? std::optional(values) : std::nullopt;
  }

  void required_numbers(const XmlElement& e, const std::string& path, const char* key,
                        std::size_t count, const Range& range) {
    if (text(e, path, key)) numbers(e, path, key, count, range);
  }

  /// Reports children that look misspelt, and those of `once` that come twice.
  void children(const XmlElement& e, const std::string& path,
                const std::vector<std::string_view>& known,
                const std::set<std::string_view>& once) {
    std::set<std::string> seen;
    for (const XmlElement& c : e.children) {
      const std::string& tag = c.name;
      const bool is_known = std::ranges::find(known, tag) != known.end();
      if (once.contains(tag) && !seen.insert(tag).second) {
        add(c, path, fmt::format("the element '{}' is given twice", tag));
      }
      const auto meant = is_known ? std::nullopt : closest_match(tag, known);
      if (meant) {
        add(c, path, fmt::format("unknown element '{}', did you mean '{}'?", tag, *meant));
      }
    }
  }

  void origin(const XmlElement& parent, const std::string& path) {
    const XmlElement* e = parent.child("origin");
    if (e == nullptr) return;
    numbers(*e, path + ".origin", "xyz", 3, ranges::kOffset);
    numbers(*e, path + ".origin", "rpy", 3, kRpy);
  }

  void link(const XmlElement& e) {
    const std::string link_name = name(e, "link");
    const std::string path = fmt::format("link '{}'", link_name);
    if (!index.link_places.emplace(link_name, e.place(path)).second) {
      add(e, path, "the name is used twice");
    } else {
      index.links.push_back(link_name);
    }
    children(e, path, kLinkChildren, {"inertial"});
    if (const XmlElement* inertial_element = e.child("inertial")) {
      index.inertial_places.emplace(link_name, inertial_element->place(path + ".inertial"));
      inertial(*inertial_element, path + ".inertial");
    }
    for (const char* tag : {"visual", "collision"}) {
      for (const XmlElement& v : e.children) {
        if (v.name == tag) shape(v, path + "." + tag);
      }
    }
  }

  void inertial(const XmlElement& e, const std::string& path) {
    children(e, path, {"origin", "mass", "inertia"}, {"origin", "mass", "inertia"});
    origin(e, path);
    if (const XmlElement* mass = e.child("mass")) {
      Range range = ranges::kMass;
      range.above_low = false;  // whether a link may do without mass depends on its place
      required_numbers(*mass, path + ".mass", "value", 1, range);
    } else {
      add(e, path, "the element 'mass' is missing");
    }
    const XmlElement* inertia = e.child("inertia");
    if (inertia == nullptr) {
      add(e, path, "the element 'inertia' is missing");
      return;
    }
    for (const char* key : {"ixx", "iyy", "izz"}) {
      required_numbers(*inertia, path + ".inertia", key, 1, ranges::kMoment);
    }
    for (const char* key : {"ixy", "ixz", "iyz"}) {
      required_numbers(*inertia, path + ".inertia", key, 1, ranges::kProduct);
    }
  }

  void shape(const XmlElement& e, const std::string& path) {
    children(e, path, {"origin", "geometry", "material"}, {"origin", "geometry", "material"});
    origin(e, path);
    const XmlElement* geometry = e.child("geometry");
    const XmlElement* solid =
        geometry != nullptr && !geometry->children.empty() ? &geometry->children.front() : nullptr;
    if (solid == nullptr) {
      add(e, path, "has no geometry");
      return;
    }
    const std::string& type = solid->name;
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
      add(*solid, path, fmt::format("unknown geometry '{}'", type), {},
          "box, cylinder, sphere, mesh");
    }
    const XmlElement* material = e.child("material");
    const XmlElement* color = material != nullptr ? material->child("color") : nullptr;
    if (color != nullptr) required_numbers(*color, path + ".color", "rgba", 4, ranges::kColor);
  }

  void joint(const XmlElement& e) {
    const std::string joint_name = name(e, "joint");
    const std::string path = fmt::format("joint '{}'", joint_name);
    if (!index.joint_places.emplace(joint_name, e.place(path)).second) {
      add(e, path, "the name is used twice");
    }
    const std::string type = text(e, path, "type").value_or("fixed");
    if (std::ranges::find(kUrdfJointTypes, type) == kUrdfJointTypes.end()) {
      add_unknown_word(e.place(path), type, "unknown type", kUrdfJointTypes, issues_);
    }
    children(e, path, kJointChildren,
             {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"});
    origin(e, path);
    const auto parent = end_link(e, path, "parent");
    const auto child = end_link(e, path, "child");
    if (child && parent == child) add(e, path, "joins a link to itself", *child);
    if (child && !parent_joint_.emplace(*child, joint_name).second) {
      add(e, path,
          fmt::format("the link '{}' already has a parent, by joint '{}'", *child,
                      parent_joint_[*child]));
    }
    if (child && parent && *parent != *child) parent_link_.emplace(*child, *parent);
    axis(e, path);
    limits(e, path, type);
    if (const XmlElement* dynamics = e.child("dynamics")) {
      numbers(*dynamics, path + ".dynamics", "damping", 1, ranges::kJointDamping);
      numbers(*dynamics, path + ".dynamics", "friction", 1, ranges::kFriction);
    }
    if (const XmlElement* mimic = e.child("mimic")) {
      text(*mimic, path + ".mimic", "joint");
      numbers(*mimic, path + ".mimic", "multiplier", 1, ranges::kFactor);
      numbers(*mimic, path + ".mimic", "offset", 1, ranges::kJointPosition);
    }
  }

  /// The link at the parent's or child's end of a joint.
  std::optional<std::string> end_link(const XmlElement& e, const std::string& path,
                                      const char* tag) {
    const XmlElement* end = e.child(tag);
    if (end == nullptr) {
      add(e, path, fmt::format("the element '{}' is missing", tag));
      return std::nullopt;
    }
    auto link_name = text(*end, path + "." + tag, "link");
    if (link_name && !index.link_places.contains(*link_name)) {
      const std::vector<std::string_view> links(index.links.begin(), index.links.end());
      add_unknown_word(end->place(path + "." + tag), *link_name, "unknown link", links, issues_);
      return std::nullopt;
    }
    return link_name;
  }

  void axis(const XmlElement& e, const std::string& path) {
    const XmlElement* axis = e.child("axis");
    if (axis == nullptr) return;
    if (!text(*axis, path + ".axis", "xyz")) return;
    const auto xyz = numbers(*axis, path + ".axis", "xyz", 3, ranges::kComponent);
    if (xyz && Vec3((*xyz)[0], (*xyz)[1], (*xyz)[2]).norm() < 1e-9) {
      add(*axis, path + ".axis", "must not be the zero vector");
    }
  }

  void limits(const XmlElement& e, const std::string& path, const std::string& type) {
    const XmlElement* limit = e.child("limit");
    const bool needs_limit = type == "revolute" || type == "prismatic";
    if (limit == nullptr) {
      if (needs_limit) {
        add(e, path, fmt::format("a {} joint needs the element 'limit'", type));
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
      add(*limit, limit_path, "lower must be below upper");
    }
  }

  void roots() {
    std::vector<std::string> found;
    for (const std::string& link_name : index.links) {
      if (!parent_joint_.contains(link_name)) found.push_back(link_name);
    }
    for (std::size_t i = 1; i < found.size(); ++i) {
      issues_.add(issue_at(
          index.link_places[found[i]],
          fmt::format("has no parent, and neither has '{}': there must be one root", found[0])));
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
      issues_.add(issue_at(index.link_places[*first], "the links hang on each other in a cycle"));
    }
  }

  IssueList& issues_;
  std::map<std::string, std::string> parent_joint_;  ///< by child link
  std::map<std::string, std::string> parent_link_;   ///< by child link
};

}  // namespace

UrdfIndex check_urdf(const XmlElement& root, IssueList& issues) {
  UrdfChecker checker(issues);
  checker.robot(root);
  return std::move(checker.index);
}

}  // namespace grouser::internal
