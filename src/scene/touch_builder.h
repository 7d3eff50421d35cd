#pragma once

#include <map>
#include <string>
#include <vector>

#include "scene/assembly.h"

namespace grouser::internal {

/// What the builders of contact of bodies and of meshes share: which bodies and which ground an entry means,
/// groups by name, and reports at the entry's place.
class TouchBuilder {
 public:
  TouchBuilder(const SceneData& scene, const std::vector<Rover>& rovers, Assembly& assembly)
      : scene_(scene), rovers_(rovers), assembly_(assembly) {}

 protected:
  /// The body of a name; nothing (reported) if there is none or it is the world.
  std::optional<int> body_of(const PlacedName& name);

  /// The wheels that an entry means; reports names that are unknown.
  std::vector<const Wheel*> wheels_of(const TouchData& data) const;

  /// Nothing (reported) if the scene has no rocks.
  const RockField* rocks_of(const TouchData& data);

  /// Makes the scene's ground the only terrain; reports if there is none, or a second entry.
  template <class Data, class Terrain>
  void add_ground(const Data& data, std::vector<Terrain>& terrains) {
    if (!is_first_ground(data, terrains.empty())) return;
    terrains.push_back({.name = "terrain",
                        .map = {scene_.ground, &scene_.ground->map},
                        .material = data.material,
                        .group = group_of(data)});
  }

  /// The line of the entry that named the body before this one; 0 if this is the first.
  int earlier_line(int body, const Place& place);

  /// Number of a group's name; -1 of an entry without one, which belongs to none.
  int group_of(const TouchData& data);

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

  const SceneData& scene_;
  const std::vector<Rover>& rovers_;
  Assembly& assembly_;

 private:
  bool is_first_ground(const TouchData& data, bool first);
  /// Whether there is no ground because of what was reported before.
  bool ground_failed() const {
    return scene_.ground == nullptr && !assembly_.issues.issues().empty();
  }

  std::map<std::string, int> groups_;
  std::map<int, int> lines_;  // of a body: the line that made it touch
};

/// Hands each entry to what adds its subject.
template <class Builder, class Data>
void add_each(Builder& builder, const std::vector<Data>& entries) {
  for (const Data& data : entries) {
    switch (data.subject) {
      case TouchData::Subject::bodies:
        builder.add_bodies(data);
        break;
      case TouchData::Subject::wheels:
        builder.add_wheels(data);
        break;
      case TouchData::Subject::rocks:
        builder.add_rocks(data);
        break;
      case TouchData::Subject::terrain:
        builder.add_terrain(data);
        break;
    }
  }
}

}  // namespace grouser::internal
