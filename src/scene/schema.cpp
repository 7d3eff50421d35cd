#include "scene/schema.h"

#include <fmt/format.h>

#include "assets/rock_field.h"
#include "assets/surface.h"
#include "assets/wheel.h"
#include "core/error.h"
#include "scene/builtin.h"
#include "scene/contact_schema.h"
#include "scene/mission_fields.h"
#include "scene/scene_contacts.h"
#include "scene/watch_fields.h"

namespace grouser::internal {
namespace {

using Json = ContactSchema::Json;

Json& properties_of_section(Json& schema, std::string_view section) {
  Json& top = schema["properties"];
  return section.empty() ? top : top[section]["properties"];
}

void add_contacts(Json& schema) {
  Json& choices = schema["properties"]["contacts"]["items"]["oneOf"];
  for (const auto& model : make_contact_models()) {
    const ContactSchema contact = model->schema();
    for (const ContactSchema::Entry& entry : contact.entries) {
      const std::string name = entry.word + "_entry";
      schema["$defs"][name] = entry.schema();
      choices.push_back(schema_reference(name));
    }
    if (contact.options.is_null()) continue;
    const OptionsKey key = model->options_key();
    const std::string name = contact.entries.front().word + "_options";
    Json options = contact.options;
    options["description"] = contact.options_help;
    schema["$defs"][name] = options;
    properties_of_section(schema, key.section)[std::string(key.key)] = schema_reference(name);
  }
}

/// Day, mission and electrical power.
void add_missions(Json& schema) {
  Json& definitions = schema["$defs"];
  const auto define = [&](const char* key, Json definition, const char* help) {
    definition["description"] = help;
    definitions[key] = std::move(definition);
  };
  define("day", FieldSchema::of<Day>(), "Clock, sun and air of the place.");
  define("mission", FieldSchema::of<MissionData>(), "What a rover does, one after another.");
  define("power", FieldSchema::of<PowerData>(), "Electrical power of the first rover.");
  for (const char* key : {"day", "mission"}) schema["properties"][key] = schema_reference(key);
  Json control = FieldSchema::of<OnboardData>();
  control["required"] = {"control"};
  definitions["controller"] = std::move(control);
  schema["properties"]["controllers"] = {
      {"type", "array"},
      {"description", "On-board controllers of rovers, between commands and servos."},
      {"items", schema_reference("controller")}};
  definitions["model"]["properties"]["power"] = schema_reference("power");
}

Json make_schema() {
  Json schema = Json::parse(*find_builtin("scene", "schema_skeleton"));
  Json& definitions = schema["$defs"];
  definitions["surface"] = FieldSchema::of<SurfaceSpec>();
  definitions["rocks"] = FieldSchema::of<RockFieldSpec>();
  definitions["wheel_shape"] = FieldSchema::of<WheelSpec>();
  definitions["watch"] = FieldSchema::of<WatchOptions>();
  add_contacts(schema);
  add_missions(schema);
  return schema;
}

std::string shown(const Json& value) {
  if (value.is_string()) return fmt::format("`{}`", value.get<std::string>());
  if (value.is_boolean()) return value.get<bool>() ? "`true`" : "`false`";
  return value.is_number() ? fmt::format("{:g}", value.get<double>()) : value.dump();
}

std::string legal_values(const Json& field) {
  if (field.contains("enum")) {
    std::string words;
    for (const Json& word : field["enum"]) words += (words.empty() ? "" : ", ") + shown(word);
    return words;
  }
  if (field.value("type", "") == "array") return legal_values(field["items"]);
  const bool is_open = field.contains("exclusiveMinimum");
  if (!is_open && !field.contains("minimum")) return "";
  const Json& low = field[is_open ? "exclusiveMinimum" : "minimum"];
  const std::string high = field.contains("maximum") ? shown(field["maximum"]) + "]" : "∞)";
  return fmt::format("{}{}, {}", is_open ? "(" : "[", shown(low), high);
}

/// A row per field that has a description of its own, also within fields.
std::string rows_of(const Json& properties, const std::string& path) {
  std::string text;
  for (const auto& [key, field] : properties.items()) {
    if (field.value("type", "") == "object") {
      text += rows_of(field["properties"], path + key + ".");
    } else if (field.contains("description")) {
      text += fmt::format("| `{}{}` | {} | {} | {} |\n", path, key,
                          field["description"].get<std::string>(), legal_values(field),
                          field.contains("default") ? shown(field["default"]) : "");
    }
  }
  return text;
}

std::string table_of(const Json& properties) {
  return "| key | meaning | legal | default |\n|---|---|---|---|\n" + rows_of(properties, "");
}

}  // namespace

std::string scene_schema() { return make_schema().dump(2) + "\n"; }

std::string with_field_tables(const std::string& markdown) {
  static const std::string kBegin = "<!-- fields: ", kClose = " -->\n", kEnd = "<!-- end -->";
  const Json schema = make_schema();
  std::string text;
  std::size_t at = 0;
  for (std::size_t mark; (mark = markdown.find(kBegin, at)) != std::string::npos;) {
    const std::size_t close = markdown.find(kClose, mark), end = markdown.find(kEnd, mark);
    const std::string path =
        markdown.substr(mark + kBegin.size(), close - mark - kBegin.size()) + "/properties";
    const Json::json_pointer pointer(path);
    if (end == std::string::npos || close > end || !schema.contains(pointer)) {
      throw Error(ErrorKind::input,
                  Issue{.message = "no such fields, or no end of their table", .value = path});
    }
    text += markdown.substr(at, close + kClose.size() - at) + table_of(schema[pointer]);
    at = end;
  }
  return text + markdown.substr(at);
}

}  // namespace grouser::internal
