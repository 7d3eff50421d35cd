#pragma once

#include "assets/wheel.h"
#include "contact/scm/options.h"
#include "scene/scene_contacts.h"

namespace grouser::internal {

/// Wheels or bodies that press into soft soil.
struct ScmEntry : ContactEntry {
  std::optional<WheelSpec> wheel;  ///< shape of wheels: generated
  std::optional<PlacedName> mesh;  ///< or a file; resolved path
};

/// scm in a scene: `{model: scm}` and `terrain: {scm: ...}`.
class ScmSceneContacts final : public SceneContactsOf<ScmSceneContacts, ScmEntry> {
 public:
  ScmOptions options;

  std::span<const char* const> words() const override;
  OptionsKey options_key() const override { return {"terrain", "scm"}; }
  bool needs_terrain() const override { return true; }
  ContactSchema schema() const override;
  void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) override;
  void read_options(const YamlValue& value, const ContactSource& source,
                    IssueList& issues) override;
  /// Reports names that are unknown, bodies without a shape, meshes that cannot be read.
  std::shared_ptr<const ContactSystem> build(const ContactSite& site) const override;
};

}  // namespace grouser::internal
