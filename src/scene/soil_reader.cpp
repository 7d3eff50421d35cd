#include "scene/soil_reader.h"

#include <algorithm>
#include <numbers>

#include "scene/text_file.h"

namespace grouser::internal {
namespace {

constexpr Range kExponent{0, 5, true, "-"};
constexpr Range kCohesiveModulus{-1e12, 1e12, false, "N/m^(n+1)"};
constexpr Range kFrictionalModulus{0, 1e12, true, "N/m^(n+2)"};
constexpr Range kCohesion{0, 1e7, false, "Pa", "pressures are in pascals"};
constexpr Range kAngle{0, 1.57, true, "rad"};
constexpr Range kShearModulus{0, 1, true, "m", ranges::kMetresHint};
constexpr Range kDensity{0, 2e4, true, "kg/m³"};

std::optional<Soil> find_preset(const PlacedName& name, IssueList& issues) {
  std::vector<std::string_view> names;
  for (const Soil& soil : soil_presets()) {
    if (soil.name == name.text) return soil;
    names.push_back(soil.name);
  }
  add_unknown_word(name.place, name.text, "unknown soil", names, issues);
  return std::nullopt;
}

/// Takes a parameter over if it is given, which is then no longer an estimate.
void take(Soil& soil, const char* name, double& parameter, std::optional<double> given) {
  if (!given) return;
  parameter = *given;
  std::erase(soil.estimated, name);
}

bool is_soil_file(const std::string& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

/// A file holds one soil, in place: it does not name another file.
std::optional<Soil> read_soil_file(const std::filesystem::path& file, const Place& referrer,
                                   IssueList& issues) {
  const auto text = read_text_file(file, referrer, issues);
  if (!text) return std::nullopt;
  const std::size_t before = issues.issues().size();
  const YamlValue root = parse_yaml(*text, file.string(), issues);
  if (root.kind == YamlValue::Kind::null && issues.issues().size() > before) return std::nullopt;
  MapReader map(root, issues);
  const YamlValue* value = map.require("soil");
  map.find("grouser");
  map.finish();
  if (value == nullptr) return std::nullopt;
  if (value->kind == YamlValue::Kind::scalar && is_soil_file(value->text)) {
    issues.add(issue_at(value->place, "a soil's file must hold a soil, not name another file",
                        value->shown()));
    return std::nullopt;
  }
  return read_soil(*value, issues);
}

}  // namespace

std::optional<Soil> read_soil(const YamlValue& value, IssueList& issues,
                              const std::filesystem::path& folder) {
  if (value.kind == YamlValue::Kind::scalar) {
    const auto name = read_reference(value, issues);
    if (!name) return std::nullopt;
    return is_soil_file(name->text) ? read_soil_file(folder / name->text, name->place, issues)
                                    : find_preset(*name, issues);
  }
  MapReader map(value, issues);
  const auto preset = map.required_reference("preset");
  std::optional<Soil> found = preset ? find_preset(*preset, issues) : std::nullopt;
  Soil soil = found.value_or(Soil{});
  soil.name = map.name("name").value_or(soil.name);
  take(soil, "sinkage_exponent", soil.sinkage_exponent, map.number("sinkage_exponent", kExponent));
  take(soil, "cohesive_modulus", soil.cohesive_modulus,
       map.number("cohesive_modulus", kCohesiveModulus));
  take(soil, "frictional_modulus", soil.frictional_modulus,
       map.number("frictional_modulus", kFrictionalModulus));
  take(soil, "cohesion", soil.cohesion, map.number("cohesion", kCohesion));
  take(soil, "friction_angle", soil.friction_angle, map.angle("friction_angle", kAngle));
  take(soil, "shear_modulus", soil.shear_modulus, map.number("shear_modulus", kShearModulus));
  take(soil, "density", soil.density, map.number("density", kDensity));
  take(soil, "repose_angle", soil.repose_angle, map.angle("repose_angle", kAngle));
  map.finish();
  if (!found) return std::nullopt;
  try {
    validate(soil, value.place.field);
  } catch (const Error& error) {
    for (Issue issue : error.issues()) {
      issue.file = value.place.file;
      issue.line = value.place.line;
      issues.add(std::move(issue));
    }
    return std::nullopt;
  }
  return soil;
}

Soil load_soil(const std::string& name_or_file) {
  if (!is_soil_file(name_or_file)) return find_soil(name_or_file);
  IssueList issues;
  const auto soil = read_soil_file(name_or_file, {}, issues);
  issues.throw_if_any();
  return *soil;
}

}  // namespace grouser::internal
