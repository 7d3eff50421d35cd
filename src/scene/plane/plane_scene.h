#pragma once

#include "contact/plane/plane_system.h"
#include "scene/scene_contacts.h"

namespace grouser::internal {

/// Points of bodies or wheels that a springy plane stops.
struct PlaneEntry : ContactEntry {
  std::vector<Vec3> points;  ///< in the body's frame [m]; of bodies at least one, of wheels none:
  int rim_points = 36;       ///< as many around the rim, in the middle of its width
  SpringyPlane plane;
};

/// Springy planes in a scene: `{model: plane}`.
class PlaneSceneContacts final : public SceneContactsOf<PlaneSceneContacts, PlaneEntry> {
 public:
  std::span<const char* const> words() const override;
  ContactSchema schema() const override;
  void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) override;
  /// Reports names that are unknown.
  std::shared_ptr<const ContactSystem> build(const ContactSite& site) const override;
};

}  // namespace grouser::internal
