#include "scene/touch_reader.h"

namespace grouser::internal {
namespace {

using Subject = TouchData::Subject;

constexpr std::string_view kSubjects[] = {"bodies", "wheels", "rocks", "terrain"};

}  // namespace

std::optional<Subject> read_touch(MapReader& map, TouchData& touch) {
  touch.place = map.place();
  touch.group = map.name("group").value_or("");
  const auto subject = map.exactly_one_of(kSubjects);
  if (!subject) return std::nullopt;
  if (subject == "wheels") {
    touch.subject = Subject::wheels;
    touch.names = read_wheel_names(*map.find("wheels"), map.issues());
    touch.rover = map.reference("rover");
  } else if (subject == "bodies") {
    touch.subject = Subject::bodies;
    for (const YamlValue& name : map.list("bodies")) {
      if (auto body = read_reference(name, map.issues())) touch.names.push_back(*std::move(body));
    }
    if (touch.names.empty()) map.error("must name at least one body");
  } else {
    touch.subject = subject == "rocks" ? Subject::rocks : Subject::terrain;
    if (!map.flag(*subject, true)) map.refuse(*subject, "is either 'true' or not there");
  }
  return touch.subject;
}

}  // namespace grouser::internal
