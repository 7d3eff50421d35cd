#include "contact/wheel/wheel_system.h"
#include "scene/entry_builder.h"
#include "scene/wheel/wheel_scene.h"

namespace grouser::internal {
namespace {

class WheelBuilder : EntryBuilder {
 public:
  using EntryBuilder::EntryBuilder;

  std::shared_ptr<const WheelSystem> run(const std::vector<WheelEntry>& entries) {
    for (const WheelEntry& entry : entries) add(entry);
    if (contacts_.empty()) return nullptr;
    return std::make_shared<const WheelSystem>(std::move(contacts_), soils_of(scene_.ground),
                                               scene_.gravity);
  }

 private:
  void add(const WheelEntry& entry) {
    WheelModel model = entry.model;
    for (const Wheel* wheel : wheels_of(entry)) {
      if (!site_.claims.claim(wheel->body, entry.place)) continue;
      if (auto* rheological = std::get_if<RheologicalModel>(&model)) {
        if (rheological->mass == 0) rheological->mass = share_of(*rover_of(entry));
      }
      const WheelForm form{
          .radius = wheel->radius, .width = wheel->width, .grouser_height = entry.grouser_height};
      try {
        contacts_.push_back(make_wheel_contact(wheel->body, wheel_frame(assembly_, *wheel), form,
                                               model, scene_.ground->soils, scene_.gravity));
      } catch (const Error& error) {
        for (Issue issue : error.issues()) {
          issue.file = entry.place.file;
          issue.line = entry.place.line;
          assembly_.issues.add(std::move(issue));
        }
        return;
      }
    }
  }

  int root_of(int body) const {
    while (assembly_.spec.bodies[static_cast<std::size_t>(body)].parent != kWorld) {
      body = assembly_.spec.bodies[static_cast<std::size_t>(body)].parent;
    }
    return body;
  }

  /// Mass of a rover over the number of its wheels [kg].
  double share_of(const Rover& rover) const {
    const int root = root_of(rover.chassis);
    double mass = 0;
    for (std::size_t b = 0; b < assembly_.spec.bodies.size(); ++b) {
      if (root_of(static_cast<int>(b)) == root) mass += assembly_.spec.bodies[b].inertia.mass;
    }
    return mass / static_cast<double>(rover.wheels.size());
  }

  std::vector<WheelContact> contacts_;
};

}  // namespace

std::shared_ptr<const ContactSystem> WheelSceneContacts::build(const ContactSite& site) const {
  if (site.scene.ground == nullptr) return nullptr;
  return WheelBuilder(site).run(entries);
}

}  // namespace grouser::internal
