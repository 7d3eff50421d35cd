#include "scene/law_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "core/text.h"

namespace grouser::internal {
namespace {

struct LawKey {
  const char* key;
  double DofLaw::*number;
  const Range* range;
  bool may_be_degrees;
};

constexpr LawKey kLawKeys[] = {
    {"armature", &DofLaw::armature, &ranges::kArmature, false},
    {"stiffness", &DofLaw::stiffness, &ranges::kJointStiffness, false},
    {"rest", &DofLaw::rest, &ranges::kJointPosition, true},
    {"damping", &DofLaw::damping, &ranges::kJointDamping, false},
    {"friction", &DofLaw::friction, &ranges::kFriction, false},
    {"friction_speed", &DofLaw::friction_speed, &ranges::kFrictionSpeed, false},
    {"lower", &DofLaw::lower, &ranges::kJointPosition, true},
    {"upper", &DofLaw::upper, &ranges::kJointPosition, true},
    {"stop_stiffness", &DofLaw::stop_stiffness, &ranges::kStopStiffness, false},
    {"stop_damping", &DofLaw::stop_damping, &ranges::kJointDamping, false},
};

bool needs_plain_coordinate(double DofLaw::*number) {
  return number == &DofLaw::rest || number == &DofLaw::lower || number == &DofLaw::upper;
}

/// What speaks against the change on a joint of this type; empty if nothing does.
std::string defect(const LawChange& change, JointType type) {
  const std::size_t nv = static_cast<std::size_t>(velocity_count(type));
  if (nv == 0) return "a fixed joint has no passive law";
  if (type == JointType::free &&
      (change.number == &DofLaw::armature || change.number == &DofLaw::stiffness)) {
    return "a free joint has neither armature nor stiffness";
  }
  if (!has_plain_coordinates(type) && needs_plain_coordinate(change.number)) {
    return fmt::format("a {} joint has no stops and rests at zero", to_string(type));
  }
  if (change.values.size() > 1 && change.values.size() != nv) {
    return fmt::format("must be one number or {}, one per degree of freedom", nv);
  }
  if (change.in_degrees) {
    for (std::size_t k = 0; k < nv; ++k) {
      if (!is_angle(type, static_cast<int>(k))) return "slides: give metres, not degrees";
    }
  }
  return {};
}

}  // namespace

bool is_angle(JointType type, int k) {
  if (type == JointType::planar) return k == 2;
  if (type == JointType::free) return k < 3;
  return type != JointType::prismatic;
}

std::vector<double> read_per_dof(const YamlValue& value, const Range& range, IssueList& issues) {
  if (value.kind == YamlValue::Kind::list) {
    return read_numbers(value, range, 1, kMaxJointVelocities, issues)
        .value_or(std::vector<double>{});
  }
  const auto number = read_number(value, range, issues);
  return number ? std::vector{*number} : std::vector<double>{};
}

std::vector<LawChange> read_law_changes(MapReader& map) {
  std::vector<LawChange> changes;
  for (const LawKey& law : kLawKeys) {
    if (const YamlValue* value = map.find(law.key)) {
      changes.push_back(
          {law.number, read_per_dof(*value, *law.range, map.issues()), false, value->place});
    }
    if (!law.may_be_degrees) continue;
    if (const YamlValue* value = map.find(std::string(law.key) + "_deg")) {
      LawChange change{law.number, read_per_dof(*value, ranges::kJointDegrees, map.issues()), true,
                       value->place};
      for (double& number : change.values) number *= std::numbers::pi / 180;
      changes.push_back(std::move(change));
    }
  }
  return changes;
}

void apply_law_changes(const std::vector<LawChange>& changes, JointType type, const Place& joint,
                       std::vector<DofLaw>& laws, IssueList& issues) {
  laws.resize(static_cast<std::size_t>(velocity_count(type)));
  for (const LawChange& change : changes) {
    if (std::string why = defect(change, type); !why.empty()) {
      issues.add(issue_at(change.place, std::move(why)));
      continue;
    }
    if (change.values.empty()) continue;  // was reported when it was read
    for (std::size_t k = 0; k < laws.size(); ++k) {
      laws[k].*change.number = change.values[change.values.size() == 1 ? 0 : k];
    }
  }
  const auto crossed = [](const DofLaw& law) { return !(law.lower < law.upper); };
  const auto bad = std::ranges::find_if(laws, crossed);
  if (bad != laws.end()) {
    issues.add(
        issue_at(joint, "the lower stop must be below the upper one",
                 fmt::format("{} .. {}", format_number(bad->lower), format_number(bad->upper))));
  }
}

}  // namespace grouser::internal
