#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/assembly.h"

namespace grouser::internal {

/// Which bodies stand on soft soil, by which line: a body may do so by one entry of one model only.
class GroundClaims {
 public:
  explicit GroundClaims(const Assembly& assembly) : assembly_(assembly) {}

  /// Whether the body is named for the first time; reported otherwise, at the later of the two lines.
  bool claim(int body, const Place& place);

 private:
  const Assembly& assembly_;
  std::map<int, Place> places_;  // by body
};

/// What the builders of contact systems share: which bodies and which ground an entry means, groups by name, and
/// reports at the entry's place.
class EntryBuilder {
 public:
  explicit EntryBuilder(const ContactSite& site)
      : site_(site), scene_(site.scene), assembly_(site.assembly) {}

 protected:
  static constexpr int kNoGroup = -1;

  /// The body of a name; nothing (reported) if there is none or it is the world.
  std::optional<int> body_of(const PlacedName& name, const char* why_not_world =
                                                         "the world itself has no shape: name "
                                                         "bodies, 'rocks' or 'terrain'");

  const Rover* rover_of(const ContactEntry& entry) const;
  /// The wheels that an entry means; reports names that are unknown.
  std::vector<const Wheel*> wheels_of(const ContactEntry& entry) const;

  /// Nothing (reported) if the scene has no rocks.
  const RockField* rocks_of(const ContactEntry& entry);

  /// Makes the scene's ground the only terrain; reports if there is none, or a second entry.
  template <class Entry, class Terrain>
  void add_ground(const Entry& entry, std::vector<Terrain>& terrains) {
    if (!is_first_ground(entry, terrains.empty())) return;
    terrains.push_back({.name = "terrain",
                        .map = {scene_.ground, &scene_.ground->map},
                        .material = entry.material,
                        .group = group_of(entry.group)});
  }

  /// By which entry of this model the body touches already, "line 4"; nothing if this is the first.
  std::optional<std::string> earlier_entry(int body, const Place& place);

  /// Number of a group's name; kNoGroup without one.
  int group_of(const std::string& name);

  /// Findings of `work` are reported at a place of the scene.
  template <class Work>
  void attempt(const Place& place, Work&& work) {
    try {
      work();
    } catch (const Error& error) {
      report(place, error);
    }
  }

  void report(const Place& place, std::string message, std::string value = {});
  void report(const Place& place, const Error& error);
  bool has_issues() const { return !assembly_.issues.issues().empty(); }
  const std::string& name_of(int body) const {
    return assembly_.spec.bodies[static_cast<std::size_t>(body)].name;
  }

  const ContactSite& site_;
  const SceneData& scene_;
  Assembly& assembly_;

 private:
  bool is_first_ground(const ContactEntry& entry, bool first);
  /// Whether there is no ground because of what was reported before.
  bool ground_failed() const { return scene_.ground == nullptr && has_issues(); }

  std::map<std::string, int> groups_;
  std::map<int, Place> places_;  // of a body: of the entry that made it touch
};

/// Hands each entry to what adds its subject.
template <class Builder, class Entry>
void add_each(Builder& builder, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    switch (entry.subject) {
      case ContactEntry::Subject::bodies:
        builder.add_bodies(entry);
        break;
      case ContactEntry::Subject::wheels:
        builder.add_wheels(entry);
        break;
      case ContactEntry::Subject::rocks:
        builder.add_rocks(entry);
        break;
      case ContactEntry::Subject::terrain:
        builder.add_terrain(entry);
        break;
    }
  }
}

}  // namespace grouser::internal
