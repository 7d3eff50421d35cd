// All contact models that scenes know: one line each, in the order in which forces are summed.
#include "scene/bbcc/bbcc_scene.h"
#include "scene/pcm/pcm_scene.h"
#include "scene/plane/plane_scene.h"
#include "scene/scene_contacts.h"
#include "scene/scm/scm_scene.h"
#include "scene/wheel/wheel_scene.h"

namespace grouser::internal {

std::vector<std::unique_ptr<SceneContacts>> make_contact_models() {
  std::vector<std::unique_ptr<SceneContacts>> models;
  models.push_back(std::make_unique<WheelSceneContacts>());
  models.push_back(std::make_unique<ScmSceneContacts>());
  models.push_back(std::make_unique<PcmSceneContacts>());
  models.push_back(std::make_unique<BbccSceneContacts>());
  models.push_back(std::make_unique<PlaneSceneContacts>());
  return models;
}

}  // namespace grouser::internal
