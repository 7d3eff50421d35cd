#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "contact/contact_system.h"
#include "scene/contact_entry.h"
#include "scene/yaml_reader.h"
#include "sim/world.h"

namespace grouser::internal {

class GroundClaims;
struct Assembly;
struct ContactSchema;
struct SceneData;

/// What a model may look at while it reads.
struct ContactSource {
  const SceneData& scene;               ///< without its contacts
  const std::filesystem::path& folder;  ///< where files are looked for
  bool is_rigid = false;                ///< whether bodies that have a choice do not give way
};

/// What a model builds its system from.
struct ContactSite {
  const SceneData& scene;
  const std::vector<Rover>& rovers;
  Assembly& assembly;
  GroundClaims& claims;   ///< which bodies stand on soft soil already
  bool is_rigid = false;  ///< whether bodies that have a choice do not give way
};

/// Where a model's options stand in a scene file.
struct OptionsKey {
  std::string_view section;  ///< "terrain"; empty: at the top
  std::string_view key;      ///< empty: the model has none
};

/// A contact model's part of a scene: what touches by it, and how. Plain data, filled from YAML or from C++, that
/// builds the model's contact system.
class SceneContacts {
 public:
  virtual ~SceneContacts() = default;
  virtual std::unique_ptr<SceneContacts> clone() const = 0;

  /// What `model:` of its entries may say.
  virtual std::span<const char* const> words() const = 0;
  virtual OptionsKey options_key() const { return {}; }
  /// Whether nothing can touch by it without `terrain`.
  virtual bool needs_terrain() const { return false; }

  /// Adds what an entry says, and reports what is wrong with it. `word` is that of its `model:`.
  virtual void read_entry(std::string_view word, MapReader& entry, const ContactSource& source) = 0;
  /// Comes after all entries.
  virtual void read_options(const YamlValue& /*options*/, const ContactSource&, IssueList&) {}

  /// What a scene file may say about it.
  virtual ContactSchema schema() const = 0;

  virtual bool empty() const = 0;
  /// Whether an entry names a body by this name.
  virtual bool names_body(std::string_view name) const = 0;
  /// Whether an entry names the fixed rocks.
  virtual bool names_rocks() const { return false; }
  /// All that touches by the model; nothing if that cannot be built, which is reported.
  virtual std::shared_ptr<const ContactSystem> build(const ContactSite& site) const = 0;
  /// Once the world is built: adds what touches by the model without an entry, and warnings.
  virtual void complete(World&) const {}
};

/// The same for a model with one list of entries.
template <class Derived, class Entry>
class SceneContactsOf : public SceneContacts {
 public:
  std::vector<Entry> entries;

  std::unique_ptr<SceneContacts> clone() const override {
    return std::make_unique<Derived>(static_cast<const Derived&>(*this));
  }
  bool empty() const override { return entries.empty(); }
  bool names_body(std::string_view name) const override {
    return std::ranges::any_of(entries, [name](const Entry& entry) {
      return entry.subject == ContactEntry::Subject::bodies &&
             std::ranges::find(entry.names, name, &PlacedName::text) != entry.names.end();
    });
  }
  bool names_rocks() const override {
    return std::ranges::find(entries, ContactEntry::Subject::rocks, &Entry::subject) !=
           entries.end();
  }
};

/// All contact models that scenes know, in the order in which their forces are summed. Nothing touches yet.
std::vector<std::unique_ptr<SceneContacts>> make_contact_models();

/// What touches in a scene, by model. Begins with all models that scenes know; copies are deep.
class SceneContactList {
 public:
  SceneContactList() : models_(make_contact_models()) {}
  SceneContactList(const SceneContactList& other) { *this = other; }
  SceneContactList(SceneContactList&&) = default;
  SceneContactList& operator=(const SceneContactList& other);
  SceneContactList& operator=(SceneContactList&&) = default;
  ~SceneContactList() = default;

  std::span<const std::unique_ptr<SceneContacts>> models() const { return models_; }

  /// The part of a model, by its class. A model that scenes do not know is added.
  template <class Model>
  Model& of() {
    for (const auto& model : models_) {
      if (auto* found = dynamic_cast<Model*>(model.get())) return *found;
    }
    auto added = std::make_unique<Model>();
    Model& model = *added;
    models_.push_back(std::move(added));
    return model;
  }

 private:
  std::vector<std::unique_ptr<SceneContacts>> models_;
};

}  // namespace grouser::internal
