#pragma once

#include <string>

#include "contact/bbcc/bbcc_scene.h"
#include "scene/scene_contacts.h"
#include "scene/tree_data.h"

namespace grouser::internal {

/// Straight bars across the tread of a wheel.
struct BbccGrousers {
  int count = 12;
  double height = 0.008, thickness = 0.003;  ///< [m]
};

/// Bodies, wheels, rocks or hard ground that touch others and do not yield.
struct BbccEntry : ContactEntry {
  std::optional<VisualData> shape;  ///< of bodies, instead of their visuals
  std::optional<BbccGrousers> grousers;
  std::string group;  ///< empty: none
  Material material;
};

/// bbcc in a scene: `{model: bbcc}` and `body_contact`.
class BbccSceneContacts final : public SceneContactsOf<BbccSceneContacts, BbccEntry> {
 public:
  BbccOptions options;

  std::span<const char* const> words() const override;
  OptionsKey options_key() const override { return {"", "body_contact"}; }
  ContactSchema schema() const override;
  void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) override;
  void read_options(const YamlValue& value, const ContactSource& source,
                    IssueList& issues) override;
  /// Reports names that are unknown, bodies without a shape, meshes that have no hull.
  std::shared_ptr<const ContactSystem> build(const ContactSite& site) const override;
  /// Lets the bodies of rovers that are no wheels touch the ground.
  void complete(World& world) const override;
};

/// A shape of a body as a solid; meshes become their hulls. Throws Error if one has none.
ContactPart contact_part(const Shape& shape, const Pose& X_BS);

}  // namespace grouser::internal
