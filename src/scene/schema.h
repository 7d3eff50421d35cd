#pragma once

#include <string>

namespace grouser::internal {

/// The JSON Schema of scenes, docs/scene.schema.json: what the lists of fields say, put into a skeleton
/// (schema_skeleton.json) of what is not in such lists.
std::string scene_schema();

/// A Markdown text with its tables of fields as the schema has them. A table stands between the lines
///     <!-- fields: /$defs/NAME -->
///     <!-- end -->
/// after a pointer into the schema. Throws Error(input) for a pointer that leads nowhere.
std::string with_field_tables(const std::string& markdown);

}  // namespace grouser::internal
