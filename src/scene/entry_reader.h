#pragma once

#include <filesystem>

#include "assets/wheel.h"
#include "scene/contact_entry.h"
#include "scene/yaml_reader.h"

/// What the readers of entries of `contacts:` share.
namespace grouser::internal {

/// Reads which bodies, wheels or ground the entry is about: the one key of `legal` ("bodies", "wheels", "rocks",
/// "terrain") that it has. Nothing (reported) if that is not clear.
std::optional<ContactEntry::Subject> read_subject(MapReader& map,
                                                  std::span<const std::string_view> legal,
                                                  ContactEntry& entry);
/// All four.
std::optional<ContactEntry::Subject> read_subject(MapReader& map, ContactEntry& entry);

/// Parameters of a wheel, written out or in an asset file.
std::optional<WheelSpec> read_wheel_shape(const YamlValue& value,
                                          const std::filesystem::path& folder, IssueList& issues);

}  // namespace grouser::internal
