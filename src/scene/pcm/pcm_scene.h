#pragma once

#include <string>

#include "assets/wheel.h"
#include "contact/pcm/pcm_scene.h"
#include "scene/scene_contacts.h"
#include "scene/tree_data.h"

namespace grouser::internal {

/// Meshes in elastic layers that touch others; ground is a target.
struct PcmEntry : ContactEntry {
  std::optional<VisualData> shape;    ///< instead of visuals
  std::optional<WheelSpec> wheel;     ///< shape of wheels
  std::optional<double> edge_length;  ///< of the triangles, at most [m]
  ContactRole role = ContactRole::any;
  double max_penetration = 0.01;  ///< [m]
  std::string group;              ///< empty: none
  LayerMaterial material;
};

/// pcm in a scene: `{model: pcm}` and `mesh_contact`.
class PcmSceneContacts final : public SceneContactsOf<PcmSceneContacts, PcmEntry> {
 public:
  PcmOptions options;

  std::span<const char* const> words() const override;
  OptionsKey options_key() const override { return {"", "mesh_contact"}; }
  ContactSchema schema() const override;
  void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) override;
  void read_options(const YamlValue& value, const ContactSource& source,
                    IssueList& issues) override;
  /// Reports names that are unknown, bodies without a shape, meshes that cannot be read or do not suit the detection.
  std::shared_ptr<const ContactSystem> build(const ContactSite& site) const override;
};

}  // namespace grouser::internal
