#include "scene/wheel_contact_builder.h"

#include <fmt/format.h>

#include <map>

#include "scene/wheel_finder.h"

namespace grouser::internal {
namespace {

class WheelContactBuilder {
 public:
  WheelContactBuilder(const SceneData& scene, const std::vector<Rover>& rovers,
                      const std::vector<ScmContact>& soil_contacts, Assembly& assembly)
      : scene_(scene), rovers_(rovers), assembly_(assembly) {
    for (const ScmContact& contact : soil_contacts) lines_[contact.body] = 0;
  }

  std::vector<WheelContact> run() {
    for (const WheelContactData& data : scene_.wheel_contacts) add(data);
    return std::move(contacts_);
  }

 private:
  void add(const WheelContactData& data) {
    const auto rover = find_rover(rovers_, data.rover, data.place, assembly_.issues);
    if (!rover) return;
    WheelModel model = data.model;
    if (auto* rheological = std::get_if<RheologicalModel>(&model)) {
      if (rheological->mass == 0) rheological->mass = share_of(rovers_[*rover]);
    }
    for (const Wheel* wheel :
         find_wheels(rovers_[*rover], data.names, false, data.place, assembly_.issues)) {
      if (!claim(wheel->body, data.place)) continue;
      const WheelForm form{
          .radius = wheel->radius, .width = wheel->width, .grouser_height = data.grouser_height};
      try {
        contacts_.push_back(make_wheel_contact(wheel->body,
                                               {wheel_axes(assembly_, *wheel), Vec3::Zero()}, form,
                                               model, scene_.ground->soils, scene_.gravity));
      } catch (const Error& error) {
        for (Issue issue : error.issues()) {
          issue.file = data.place.file;
          issue.line = data.place.line;
          assembly_.issues.add(std::move(issue));
        }
        return;
      }
    }
  }

  bool claim(int body, const Place& place) {
    const auto [line, is_new] = lines_.try_emplace(body, place.line);
    if (is_new) return true;
    const std::string by =
        line->second > 0 ? fmt::format("by line {}", line->second) : std::string("by 'scm'");
    assembly_.issues.add(issue_at(
        place, fmt::format("the body '{}' touches the soil already, {}",
                           assembly_.spec.bodies[static_cast<std::size_t>(body)].name, by)));
    return false;
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

  const SceneData& scene_;
  const std::vector<Rover>& rovers_;
  Assembly& assembly_;
  std::vector<WheelContact> contacts_;
  std::map<int, int> lines_;  // of a body: the line that made it touch; 0: that of soft soil
};

}  // namespace

std::vector<WheelContact> make_wheel_contacts(const SceneData& scene,
                                              const std::vector<Rover>& rovers,
                                              const std::vector<ScmContact>& soil_contacts,
                                              Assembly& assembly) {
  if (scene.ground == nullptr || scene.wheel_contacts.empty()) return {};
  return WheelContactBuilder(scene, rovers, soil_contacts, assembly).run();
}

}  // namespace grouser::internal
