#include "scene/contact_schema.h"

namespace grouser::internal {
namespace {

using Json = ContactSchema::Json;

Json subject_schema(const std::string& subject, const std::string& help) {
  if (subject == "wheels") return schema_reference("wheel_names");
  Json schema = {{"const", true}};
  if (subject == "bodies") {
    schema = {{"type", "array"}, {"items", schema_reference("reference")}, {"minItems", 1}};
  }
  if (!help.empty()) schema["description"] = help;
  return schema;
}

}  // namespace

Json ContactSchema::Entry::schema() const {
  Json all = {{"model", {{"const", word}}}};
  Json needed = needs, choice = Json::array();
  for (const auto& [subject, meaning] : subjects) {
    all[subject] = subject_schema(subject, meaning);
    choice.push_back({{"required", {subject}}});
    if (subject != "wheels") continue;
    all["rover"] = schema_reference("reference");
    needed["rover"] = {"wheels"};
  }
  all.update(properties);
  Json result = {{"type", "object"},
                 {"description", help},
                 {"properties", all},
                 {"additionalProperties", false},
                 {"required", {"model"}}};
  result["oneOf"] = choice;
  if (!needed.empty()) result["dependentRequired"] = needed;
  return result;
}

Json schema_reference(const std::string& definition) { return {{"$ref", "#/$defs/" + definition}}; }

Json wheel_shape_schema() {
  return {{"description",
           "with `wheels`: their shape, the parameters of `grouser asset wheel` or the name of an "
           "asset file"},
          {"oneOf", {schema_reference("wheel_shape"), {{"type", "string"}}}}};
}

}  // namespace grouser::internal
