#include "scene/contact_builder.h"

#include <fmt/format.h>

#include <map>

#include "contact/scm/scm_system.h"
#include "contact/scm/trapped_soil.h"
#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "scene/wheel_finder.h"

namespace grouser::internal {
namespace {

class ContactBuilder {
 public:
  ContactBuilder(const SceneData& scene, const std::vector<Rover>& rovers, Assembly& assembly)
      : scene_(scene),
        rovers_(rovers),
        assembly_(assembly),
        spacing_(scene.ground->map.grid().spacing) {}

  std::vector<ScmContact> run() {
    for (const SoilContactData& data : scene_.soil_contacts) {
      if (data.of_wheels) {
        add_wheels(data);
      } else {
        add_bodies(data);
      }
    }
    return std::move(contacts_);
  }

 private:
  void add_wheels(const SoilContactData& data) {
    const auto rover = find_rover(rovers_, data.rover, data.place, assembly_.issues);
    if (!rover) return;
    std::map<std::pair<double, double>, std::shared_ptr<const ScmBody>> cylinders;
    std::shared_ptr<const ScmBody> given;
    if (data.wheel) {
      given =
          shape_of(data.place, [&] { return wheel_in_soil(make_wheel(*data.wheel), scene_.scm); });
    }
    if (data.mesh) {
      given = shape_of(data.mesh->place,
                       [&] { return wheel_in_soil(read_mesh(data.mesh->text).mesh, scene_.scm); });
    }
    if ((data.wheel || data.mesh) && !given) return;
    for (const Wheel* wheel :
         find_wheels(rovers_[*rover], data.names, false, data.place, assembly_.issues)) {
      std::shared_ptr<const ScmBody> shape = given;
      if (!shape) {
        std::shared_ptr<const ScmBody>& cylinder = cylinders[{wheel->radius, wheel->width}];
        if (!cylinder) cylinder = shape_of(data.place, [&] { return cylinder_of(*wheel); });
        shape = cylinder;
      }
      if (claim(wheel->body, data.place))
        add(wheel->body, {wheel_axes(assembly_, *wheel), Vec3::Zero()}, shape);
    }
  }

  /// A smooth wheel, its axle along y.
  TriMesh cylinder_of(const Wheel& wheel) const {
    TriMesh mesh = mesh_of(CylinderShape{.radius = wheel.radius, .length = wheel.width}, spacing_);
    for (Vec3& p : mesh.vertices) p = Vec3(p.x(), p.z(), -p.y());
    return mesh;
  }

  void add_bodies(const SoilContactData& data) {
    for (const PlacedName& name : data.names) {
      const auto body = assembly_.resolve_body(name, {});
      if (!body) continue;
      if (*body == kWorld) {
        report(name.place, "the world does not press into the soil");
      } else if (!claim(*body, name.place)) {
        continue;
      } else if (data.mesh) {
        add(*body, {}, shape_of(data.mesh->place, [&] { return read_mesh(data.mesh->text).mesh; }));
      } else {
        add_visuals(*body, name);
      }
    }
  }

  void add_visuals(int body, const PlacedName& name) {
    bool any = false;
    for (const Visual& visual : assembly_.visuals) {
      if (visual.body != body) continue;
      any = true;
      add(body, visual.X_BS, shape_of(name.place, [&] { return mesh_of(visual.shape, spacing_); }));
    }
    if (!any) report(name.place, "the body has no shape: give a 'mesh'", name.text);
  }

  /// Whether a body is named for the first time; reports it otherwise.
  bool claim(int body, const Place& place) {
    const auto [line, is_new] = lines_.try_emplace(body, place.line);
    if (!is_new) {
      report(place,
             fmt::format("the body '{}' touches the soil already, by line {}",
                         assembly_.spec.bodies[static_cast<std::size_t>(body)].name, line->second));
    }
    return is_new;
  }

  void add(int body, const Pose& X_BS, std::shared_ptr<const ScmBody> shape) {
    if (!shape) return;  // reported
    contacts_.push_back({.body = body, .X_BS = X_BS, .shape = std::move(shape)});
  }

  template <class Make>
  std::shared_ptr<const ScmBody> shape_of(const Place& place, Make&& make) {
    try {
      // The edge of a footprint is as exact as that; finer meshes cost more.
      return std::make_shared<const ScmBody>(make(), longest_edge(scene_.scm, spacing_));
    } catch (const Error& error) {
      for (const Issue& issue : error.issues()) {
        report(place, issue.file.empty() ? issue.message : issue.file + ": " + issue.message,
               issue.value);
      }
      return nullptr;
    }
  }

  void report(const Place& place, std::string message, std::string value = {}) {
    assembly_.issues.add(issue_at(place, std::move(message), std::move(value)));
  }

  const SceneData& scene_;
  const std::vector<Rover>& rovers_;
  Assembly& assembly_;
  double spacing_;
  std::vector<ScmContact> contacts_;
  std::map<int, int> lines_;  // of a body: the line that made it touch
};

}  // namespace

std::vector<ScmContact> make_soil_contacts(const SceneData& scene, const std::vector<Rover>& rovers,
                                           Assembly& assembly) {
  if (scene.ground == nullptr || scene.soil_contacts.empty()) return {};
  return ContactBuilder(scene, rovers, assembly).run();
}

}  // namespace grouser::internal
