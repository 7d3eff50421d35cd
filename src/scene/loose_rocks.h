#pragma once

#include <vector>

#include "scene/scene_data.h"

namespace grouser::internal {

/// The loose rocks of a scene's ground as a model, "rocks", of one free body each, "rock0", "rock1" ...
ModelData loose_rocks_model(const RockField& loose, const Place& place);

/// The bodies of that model, as an entry of `contacts` names them; none if no rock is loose.
std::vector<PlacedName> loose_rock_names(const SceneData& scene, const Place& place);

/// Reports loose rocks that nothing would hold up.
void check_loose_rocks(const SceneData& scene, IssueList& issues);

/// Warns of fixed rocks that nothing can touch, and of rocks that are too large for the terrain or lie beside it.
void warn_of_rocks(const Place& place, SceneData& scene);

/// Adds an entry that names the rocks: one for the fixed ones, and one for the loose ones.
template <class Contact>
void add_rocks(const Contact& rocks, const SceneData& scene, std::vector<Contact>& contacts) {
  Contact loose = rocks;
  loose.subject = ContactEntry::Subject::bodies;
  loose.names = loose_rock_names(scene, rocks.place);
  if (loose.names.empty() || !scene.ground->rocks.rocks.empty()) contacts.push_back(rocks);
  if (!loose.names.empty()) contacts.push_back(std::move(loose));
}

}  // namespace grouser::internal
