#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scene/field_schema.h"

namespace grouser::internal {

/// What the schema of scenes says about a contact model.
struct ContactSchema {
  using Json = FieldSchema::Json;

  /// An entry of `contacts:` with a certain word after `model:`.
  struct Entry {
    std::string word;
    std::string help;
    /// "bodies", "wheels", "rocks", "terrain": one of them is given; with what is meant, or "".
    std::vector<std::pair<std::string, std::string>> subjects;
    Json properties = Json::object();  ///< all others
    Json needs = Json::object();       ///< {"grousers": ["wheels"]}: keys that need others

    Json schema() const;
  };

  std::vector<Entry> entries;
  std::string options_help;
  Json options;  ///< null: the model has none
};

/// References to what several models use.
ContactSchema::Json schema_reference(const std::string& definition);
/// Parameters of a wheel, written out or in an asset file.
ContactSchema::Json wheel_shape_schema();
/// Materials with the keys of visit_friction().
template <class Material>
ContactSchema::Json material_schema(const FieldInfo& field) {
  auto schema = FieldSchema::of<Material>();
  schema["description"] = field.help;
  schema["dependentRequired"] = {{"decay", {"static_friction"}}};
  return schema;
}

}  // namespace grouser::internal
