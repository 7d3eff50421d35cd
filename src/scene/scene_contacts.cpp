#include "scene/scene_contacts.h"

namespace grouser::internal {

SceneContactList& SceneContactList::operator=(const SceneContactList& other) {
  std::vector<std::unique_ptr<SceneContacts>> copies;
  for (const auto& model : other.models_) copies.push_back(model->clone());
  models_ = std::move(copies);
  return *this;
}

}  // namespace grouser::internal
