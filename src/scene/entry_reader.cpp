#include "scene/entry_reader.h"

#include <array>

#include "scene/field_reader.h"
#include "scene/load_asset.h"

namespace grouser::internal {

std::optional<ContactEntry::Subject> read_subject(MapReader& map,
                                                  std::span<const std::string_view> legal,
                                                  ContactEntry& entry) {
  using Subject = ContactEntry::Subject;
  entry.place = map.place();
  const auto subject = map.exactly_one_of(legal);
  if (!subject) return std::nullopt;
  if (subject == "wheels") {
    entry.subject = Subject::wheels;
    entry.names = read_wheel_names(*map.find("wheels"), map.issues());
    entry.rover = map.reference("rover");
  } else if (subject == "bodies") {
    entry.subject = Subject::bodies;
    for (const YamlValue& name : map.list("bodies")) {
      if (auto body = read_reference(name, map.issues())) entry.names.push_back(*std::move(body));
    }
    if (entry.names.empty()) map.error("must name at least one body");
  } else {
    entry.subject = subject == "rocks" ? Subject::rocks : Subject::terrain;
    if (!map.flag(*subject, true)) map.refuse(*subject, "is either 'true' or not there");
  }
  return entry.subject;
}

std::optional<ContactEntry::Subject> read_subject(MapReader& map, ContactEntry& entry) {
  static constexpr std::array<std::string_view, 4> kAll = {"bodies", "wheels", "rocks", "terrain"};
  return read_subject(map, kAll, entry);
}

std::optional<WheelSpec> read_wheel_shape(const YamlValue& value,
                                          const std::filesystem::path& folder, IssueList& issues) {
  WheelSpec spec;
  const std::size_t before = issues.issues().size();
  if (value.kind != YamlValue::Kind::scalar) {
    read_spec(value, folder, spec, issues);
  } else {
    try {
      const std::filesystem::path file = folder / value.text;
      read_spec(load_asset_file(file, "wheel"), file.parent_path(), spec, issues);
    } catch (const Error& error) {
      for (const Issue& issue : error.issues()) {
        issues.add(issue_at(value.place, issue.file + ": " + issue.message, value.text));
      }
    }
  }
  if (issues.issues().size() > before) return std::nullopt;
  return spec;
}

}  // namespace grouser::internal
