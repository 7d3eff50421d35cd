#include "scene/touch_builder.h"

#include "scene/wheel_finder.h"

namespace grouser::internal {

std::optional<int> TouchBuilder::body_of(const PlacedName& name) {
  const auto body = assembly_.resolve_body(name, {});
  if (!body || *body != kWorld) return body;
  report(name.place, "the world itself has no shape: name bodies, 'rocks' or 'terrain'");
  return std::nullopt;
}

std::vector<const Wheel*> TouchBuilder::wheels_of(const TouchData& data) const {
  const auto rover = find_rover(rovers_, data.rover, data.place, assembly_.issues);
  if (!rover) return {};
  return find_wheels(rovers_[*rover], data.names, false, data.place, assembly_.issues);
}

const RockField* TouchBuilder::rocks_of(const TouchData& data) {
  if (scene_.ground != nullptr && !scene_.ground->rocks.rocks.empty()) {
    return &scene_.ground->rocks;
  }
  if (!ground_failed()) report(data.place, "there are no rocks on the terrain");
  return nullptr;
}

bool TouchBuilder::is_first_ground(const TouchData& data, bool first) {
  if (scene_.ground == nullptr) {
    if (!ground_failed()) report(data.place, "the scene has no 'terrain'");
  } else if (!first) {
    report(data.place, "the terrain was named before");
  }
  return scene_.ground != nullptr && first;
}

int TouchBuilder::earlier_line(int body, const Place& place) {
  const auto [line, is_new] = lines_.try_emplace(body, place.line);
  return is_new ? 0 : line->second;
}

int TouchBuilder::group_of(const TouchData& data) {
  static_assert(ContactElement::kNoGroup == -1 && PcmSurface::kNoGroup == -1);
  if (data.group.empty()) return -1;
  return groups_.try_emplace(data.group, static_cast<int>(groups_.size())).first->second;
}

void TouchBuilder::report(const Place& place, std::string message, std::string value) {
  assembly_.issues.add(issue_at(place, std::move(message), std::move(value)));
}

void TouchBuilder::report(const Place& place, const Error& error) {
  for (const Issue& issue : error.issues()) {
    const std::string& where = issue.file.empty() ? issue.field : issue.file;
    report(place, where.empty() ? issue.message : where + ": " + issue.message, issue.value);
  }
}

}  // namespace grouser::internal
