// docs/scene.schema.json accepts the built-in scenes and rovers and knows no more keys than the
// readers do.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "scene/builtin_files.h"
#include "scene/schema.h"
#include "scene/yaml_reader.h"
#include "support.h"

namespace grouser::internal {
namespace {

using Json = nlohmann::json;

Json to_json(const YamlValue& value) {
  if (value.kind == YamlValue::Kind::list) {
    Json list = Json::array();
    for (const YamlValue& item : value.items) list.push_back(to_json(item));
    return list;
  }
  if (value.kind == YamlValue::Kind::map) {
    Json map = Json::object();
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      map[value.keys[i]] = to_json(value.items[i]);
    }
    return map;
  }
  const ParsedNumber number = parse_number(value.text);
  if (!value.quoted && number.defect == nullptr) return number.value;
  if (!value.quoted && (value.text == "true" || value.text == "false")) return value.text == "true";
  return value.text;
}

/// As much of JSON Schema as the file uses. Returns the first complaint, or nothing.
class Validator {
 public:
  explicit Validator(Json schema) : root_(std::move(schema)) {}
  const Json& root() const { return root_; }

  std::string complaint(const Json& schema, const Json& value, const std::string& at) const {
    if (schema.contains("$ref")) {
      const std::string path = schema["$ref"].get<std::string>().substr(1);
      std::string defect = complaint(root_.at(Json::json_pointer(path)), value, at);
      if (!defect.empty()) return defect;
    }
    if (schema.contains("const") && value != schema["const"]) return at + ": not the constant";
    if (schema.contains("enum") && !contains(schema["enum"], value)) return at + ": not a choice";
    if (schema.contains("type") && !has_type(value, schema["type"])) return at + ": wrong type";
    for (const char* key : {"anyOf", "oneOf"}) {
      if (!schema.contains(key)) continue;
      std::size_t matches = 0;
      for (const Json& option : schema[key]) matches += complaint(option, value, at).empty();
      if (matches == 0 || (key[0] == 'o' && matches > 1)) return at + ": fits no alternative";
    }
    if (value.is_number()) return of_number(schema, value.get<double>(), at);
    if (value.is_string()) return of_text(schema, value.get<std::string>(), at);
    if (value.is_array()) return of_list(schema, value, at);
    if (value.is_object()) return of_map(schema, value, at);
    return {};
  }

 private:
  static bool contains(const Json& list, const Json& value) {
    return std::find(list.begin(), list.end(), value) != list.end();
  }
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "number") return value.is_number();
    if (type == "integer") return value.is_number() && value == std::floor(value.get<double>());
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    return type == "array" ? value.is_array() : value.is_object();
  }
  static std::string of_number(const Json& schema, double value, const std::string& at) {
    const bool low = value < schema.value("minimum", value) ||
                     (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"]);
    return low || value > schema.value("maximum", value) ? at + ": out of range" : "";
  }
  static std::string of_text(const Json& schema, const std::string& value, const std::string& at) {
    const bool fits = !schema.contains("pattern") ||
                      std::regex_match(value, std::regex(schema["pattern"].get<std::string>()));
    return fits ? "" : at + ": breaks the pattern";
  }
  std::string of_list(const Json& schema, const Json& value, const std::string& at) const {
    if (value.size() < schema.value("minItems", 0U) ||
        value.size() > schema.value("maxItems", value.size())) {
      return at + ": wrong length";
    }
    std::string defect;
    for (std::size_t i = 0; schema.contains("items") && i < value.size() && defect.empty(); ++i) {
      defect = complaint(schema["items"], value[i], at + "[" + std::to_string(i) + "]");
    }
    return defect;
  }
  std::string of_map(const Json& schema, const Json& value, const std::string& at) const {
    for (const Json& key : schema.value("required", Json::array())) {
      if (!value.contains(key.get<std::string>())) return at + ": misses " + key.get<std::string>();
    }
    const Json properties = schema.value("properties", Json::object());
    const Json rest = schema.value("additionalProperties", Json(true));
    for (const auto& [key, item] : value.items()) {
      const std::string below = at + "." + key;
      std::string defect;
      if (properties.contains(key)) {
        defect = complaint(properties[key], item, below);
      } else if (rest.is_object()) {
        defect = complaint(rest, item, below);
      } else if (rest == false) {
        defect = below + ": unknown key";
      }
      if (!defect.empty()) return defect;
    }
    return {};
  }

  Json root_;
};

const Validator& validator() {
  static const Validator instance(
      Json::parse(std::ifstream(std::string(GROUSER_SOURCE_DIR) + "/docs/scene.schema.json")));
  return instance;
}

std::string scene_complaint(const std::string& text) {
  IssueList issues;
  const Json scene = to_json(parse_yaml(text, "f", issues));
  return validator().complaint(validator().root(), scene, "scene");
}

TEST(Schema, AcceptsTheBuiltInFiles) {
  for (const BuiltinFile& file : builtin_files()) {
    if (file.kind == "scene") continue;  // the skeleton of the schema
    IssueList issues;
    const Json json = to_json(parse_yaml(std::string(file.text), "f", issues));
    const Json& schema =
        file.kind == "rovers" ? validator().root()["$defs"]["tree"] : validator().root();
    EXPECT_EQ(validator().complaint(schema, json, std::string(file.name)), "");
  }
}

TEST(Schema, RefusesWhatTheReaderRefuses) {
  const std::string models = "models: [{name: m, rover: mmx}]\n";
  EXPECT_EQ(scene_complaint("grouser: 1\n" + models), "");
  EXPECT_EQ(scene_complaint(models), "scene: misses grouser");
  EXPECT_EQ(scene_complaint("grouser: 1\nduratoin: 1\n" + models), "scene.duratoin: unknown key");
  EXPECT_EQ(scene_complaint("grouser: 1\nduration: 0\n" + models), "scene.duration: out of range");
  EXPECT_EQ(scene_complaint("grouser: 1\nduration: x\n" + models), "scene.duration: wrong type");
  EXPECT_NE(scene_complaint("grouser: 1\ngravity: marz\n" + models), "");
  EXPECT_NE(scene_complaint("grouser: 1\nmodels: [{name: m, rover: mmx, urdf: x}]\n"), "");
}

// Every key of the schema at the top level, in models and in bodies is one that the reader knows.
TEST(Schema, KnowsNoOtherKeys) {
  const auto is_known = [](const std::string& text) {
    for (const Issue& issue : issues_of(text)) {
      if (issue.message.find("unknown key") != std::string::npos) return false;
    }
    return true;
  };
  const Json& defs = validator().root()["$defs"];
  for (const auto& [key, _] : validator().root()["properties"].items()) {
    EXPECT_TRUE(is_known("grouser: 1\n" + key + ": 1\n")) << key;
  }
  for (const auto& [key, _] : defs["model"]["properties"].items()) {
    EXPECT_TRUE(is_known("grouser: 1\nmodels: [{" + key + ": 1}]\n")) << key;
  }
  for (const auto& [key, _] : defs["body"]["properties"].items()) {
    EXPECT_TRUE(is_known(scene_with_tree("      bodies: [{" + key + ": 1}]\n"))) << key;
  }
  for (const auto& [key, _] : defs["joint"]["properties"].items()) {
    EXPECT_TRUE(is_known(scene_with_tree("      bodies: [{name: a, joint: {" + key + ": 1}}]\n")))
        << key;
  }
  for (const char* list : {"actuator", "spring", "tether"}) {
    for (const auto& [key, _] : defs[list]["properties"].items()) {
      EXPECT_TRUE(is_known("grouser: 1\n" + std::string(list) + "s: [{" + key + ": 1}]\n")) << key;
    }
  }
}

std::string text_of(const std::string& file) {
  std::ifstream stream(std::string(GROUSER_SOURCE_DIR) + "/" + file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(Schema, FileIsWhatTheListsOfFieldsSay) {
  EXPECT_TRUE(text_of("docs/scene.schema.json") == scene_schema())
      << "run: build/grouser schema > docs/scene.schema.json";
}

TEST(Schema, TablesInTheDocumentsAreWhatTheListsOfFieldsSay) {
  const std::string page = text_of("docs/scene-format.md");
  EXPECT_NE(page.find("<!-- fields: "), std::string::npos);
  EXPECT_TRUE(page == with_field_tables(page))
      << "run: build/grouser schema --tables docs/scene-format.md > new.md; mv new.md "
         "docs/scene-format.md";
}

TEST(Schema, TablesTellMeaningLegalValuesAndDefault) {
  const std::string begin = "a\n<!-- fields: /$defs/pcm_options -->\n", end = "<!-- end -->\nb\n";
  const std::string filled = with_field_tables(begin + "old\n" + end);
  EXPECT_NE(filled.find("| `frame` | in whose frame contact is computed | `automatic`, `base`, "
                        "`target` | `automatic` |\n"),
            std::string::npos)
      << filled;
  EXPECT_NE(filled.find("[m] | [0, 1000] | 0 |\n"), std::string::npos) << filled;
  EXPECT_TRUE(filled.starts_with(begin + "| key |") && filled.ends_with(end)) << filled;
  EXPECT_THROW(with_field_tables("<!-- fields: /nowhere -->\n" + end), Error);
  EXPECT_THROW(with_field_tables(begin), Error);
}

// What the schema says about models agrees with what their readers take.
TEST(Schema, EntriesOfContactsAreAsTheReadersKnowThem) {
  const std::string scene = "grouser: 1\nmodels: [{name: m, rover: mmx}]\n";
  for (const Json& choice : validator().root()["properties"]["contacts"]["items"]["oneOf"]) {
    const std::string name = choice["$ref"].get<std::string>().substr(8);
    const Json& entry = validator().root()["$defs"][name];
    const std::string word = entry["properties"]["model"]["const"];
    const std::string subject = entry["oneOf"][0]["required"][0];
    const std::string begin = "contacts: [{model: " + word + ", " + subject +
                              (subject == "wheels" ? ": all" : ": [m/body]");
    for (const auto& [key, _] : entry["properties"].items()) {
      if (key == "model" || key == subject) continue;
      const std::string needed =
          entry.value("dependentRequired", Json::object()).value(key, Json::array({""}))[0];
      const bool of_wheels = needed == "wheels" && subject != "wheels";
      const std::string text =
          scene + (of_wheels ? "contacts: [{model: " + word + ", wheels: all" : begin) + ", " +
          key + ": 1}]\n";
      for (const Issue& issue : issues_of(text)) {
        EXPECT_EQ(issue.message.find("unknown key"), std::string::npos) << word << " " << key;
      }
    }
  }
}

TEST(Schema, RefusesEntriesOfContactsThatTheReadersRefuse) {
  const std::string scene = "grouser: 1\nmodels: [{name: m, rover: mmx}]\ncontacts: [{model: ";
  EXPECT_EQ(scene_complaint(scene + "bbcc, wheels: all, material: {young: 2e6}}]\n"), "");
  EXPECT_EQ(scene_complaint(scene + "plane, bodies: [m/a], points: [[0, 0, 1]]}]\n"), "");
  for (const char* wrong :
       {"bbcc, wheels: all, material: {young: 0}}]\n", "bbcc, wheels: all, bodies: [m/a]}]\n",
        "scm}]\n", "terra, wheels: all, dig: -1}]\n", "clay, wheels: all}]\n",
        "plane, bodies: [m/a], points: [[0, 1]]}]\n"}) {
    EXPECT_NE(scene_complaint(scene + wrong), "") << wrong;
  }
}

TEST(Schema, TerrainIsAsTheReaderKnowsIt) {
  const std::string scene =
      "grouser: 1\nmodels: [{name: m, rover: mmx}]\nterrain:\n"
      "  surface: {size: [5, 5], noise: {hurst: 0.5}}\n  soil: dlr_a\n";
  EXPECT_EQ(scene_complaint(scene), "");
  EXPECT_EQ(scene_complaint(scene + "  zones: [{polygon: [[0, 0], [1, 0], [0, 1]], "
                                    "soil: {preset: dlr_d, cohesion: 5}}]\n"),
            "");
  EXPECT_NE(scene_complaint(scene + "  spacing: -1\n"), "");
  const Json& terrain = validator().root()["properties"]["terrain"];
  for (const auto& [key, _] : terrain["properties"].items()) {
    for (const Issue& issue :
         issues_of("grouser: 1\nmodels: [{name: m, rover: mmx}]\nterrain: {" + key + ": 1}\n")) {
      EXPECT_EQ(issue.message.find("unknown key"), std::string::npos) << key;
    }
  }
}

}  // namespace
}  // namespace grouser::internal
