#pragma once

#include "contact/wheel/wheel_model.h"
#include "scene/scene_contacts.h"

namespace grouser::internal {

/// Wheels in soft soil by one of the fast models.
struct WheelEntry : ContactEntry {
  WheelModel model;
  double grouser_height = 0;  ///< shear acts at the grousers' tips [m]
};

/// The fast wheel models in a scene: `{model: terra}`, ...
class WheelSceneContacts final : public SceneContactsOf<WheelSceneContacts, WheelEntry> {
 public:
  std::span<const char* const> words() const override { return kWheelModelNames; }
  bool needs_terrain() const override { return true; }
  ContactSchema schema() const override;
  void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) override;
  /// Reports names that are unknown and soils that a model cannot take.
  std::shared_ptr<const ContactSystem> build(const ContactSite& site) const override;
};

}  // namespace grouser::internal
