#include "scene/entry_builder.h"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "scene/wheel_finder.h"

namespace grouser::internal {
namespace {

std::string entry_at(const Place& place) {
  return place.line > 0 ? fmt::format("line {}", place.line) : "another entry";
}

}  // namespace

bool GroundClaims::claim(int body, const Place& place) {
  const auto [known, is_new] = places_.try_emplace(body, place);
  if (is_new) return true;
  Place first = known->second, later = place;
  if (std::tie(later.file, later.line) < std::tie(first.file, first.line)) std::swap(first, later);
  known->second = first;
  assembly_.issues.add(issue_at(
      later,
      fmt::format("the body '{}' touches the soil already, by {}",
                  assembly_.spec.bodies[static_cast<std::size_t>(body)].name, entry_at(first))));
  return false;
}

std::optional<int> EntryBuilder::body_of(const PlacedName& name, const char* why_not_world) {
  const auto body = assembly_.resolve_body(name, {});
  if (!body || *body != kWorld) return body;
  report(name.place, why_not_world);
  return std::nullopt;
}

const Rover* EntryBuilder::rover_of(const ContactEntry& entry) const {
  const auto rover = find_rover(site_.rovers, entry.rover, entry.place, assembly_.issues);
  return rover ? &site_.rovers[*rover] : nullptr;
}

std::vector<const Wheel*> EntryBuilder::wheels_of(const ContactEntry& entry) const {
  const Rover* rover = rover_of(entry);
  if (rover == nullptr) return {};
  return find_wheels(*rover, entry.names, false, entry.place, assembly_.issues);
}

const RockField* EntryBuilder::rocks_of(const ContactEntry& entry) {
  if (scene_.ground != nullptr && !scene_.ground->rocks.rocks.empty()) {
    return &scene_.ground->rocks;
  }
  if (!ground_failed()) report(entry.place, "there are no rocks on the terrain");
  return nullptr;
}

bool EntryBuilder::is_first_ground(const ContactEntry& entry, bool first) {
  if (scene_.ground == nullptr) {
    if (!ground_failed()) report(entry.place, "the scene has no 'terrain'");
  } else if (!first) {
    report(entry.place, "the terrain was named before");
  }
  return scene_.ground != nullptr && first;
}

std::optional<std::string> EntryBuilder::earlier_entry(int body, const Place& place) {
  const auto [known, is_new] = places_.try_emplace(body, place);
  if (is_new) return std::nullopt;
  return entry_at(known->second);
}

int EntryBuilder::group_of(const std::string& name) {
  if (name.empty()) return kNoGroup;
  return groups_.try_emplace(name, static_cast<int>(groups_.size())).first->second;
}

void EntryBuilder::report(const Place& place, std::string message, std::string value) {
  assembly_.issues.add(issue_at(place, std::move(message), std::move(value)));
}

void EntryBuilder::report(const Place& place, const Error& error) {
  for (const Issue& issue : error.issues()) {
    const std::string& where = issue.file.empty() ? issue.field : issue.file;
    report(place, where.empty() ? issue.message : where + ": " + issue.message, issue.value);
  }
}

}  // namespace grouser::internal
