#include <map>

#include "contact/scm/scm_system.h"
#include "contact/scm/trapped_soil.h"
#include "geometry/mesh_file.h"
#include "geometry/primitives.h"
#include "scene/entry_builder.h"
#include "scene/scm/scm_scene.h"

namespace grouser::internal {
namespace {

class ScmBuilder : EntryBuilder {
 public:
  ScmBuilder(const ContactSite& site, const ScmOptions& options)
      : EntryBuilder(site), options_(options), spacing_(scene_.ground->map.grid().spacing) {}

  std::shared_ptr<const ScmSystem> run(const std::vector<ScmEntry>& entries) {
    for (const ScmEntry& entry : entries) {
      if (entry.subject == ContactEntry::Subject::wheels) {
        add_wheels(entry);
      } else {
        add_bodies(entry);
      }
    }
    if (contacts_.empty()) return nullptr;
    return std::make_shared<const ScmSystem>(std::move(contacts_), options_, map_of(scene_.ground),
                                             soils_of(scene_.ground));
  }

 private:
  using Shape = std::shared_ptr<const ScmBody>;

  void add_wheels(const ScmEntry& entry) {
    const std::vector<const Wheel*> wheels = wheels_of(entry);
    if (wheels.empty()) return;
    std::map<std::pair<double, double>, Shape> cylinders;
    const Shape given = wheel_shape_of(entry);
    if ((entry.wheel || entry.mesh) && !given) return;
    for (const Wheel* wheel : wheels) {
      Shape shape = given;
      if (!shape) {
        Shape& cylinder = cylinders[{wheel->radius, wheel->width}];
        if (!cylinder) cylinder = shape_of(entry.place, [&] { return cylinder_of(*wheel); });
        shape = cylinder;
      }
      if (site_.claims.claim(wheel->body, entry.place)) {
        add(wheel->body, wheel_frame(assembly_, *wheel), shape);
      }
    }
  }

  /// The shape that an entry gives its wheels, if it does.
  Shape wheel_shape_of(const ScmEntry& entry) {
    if (entry.mesh) {
      return shape_of(entry.mesh->place,
                      [&] { return wheel_in_soil(read_mesh(entry.mesh->text).mesh, options_); });
    }
    if (!entry.wheel) return nullptr;
    return shape_of(entry.place, [&] { return wheel_in_soil(make_wheel(*entry.wheel), options_); });
  }

  /// A smooth wheel, its axle along y.
  TriMesh cylinder_of(const Wheel& wheel) const {
    TriMesh mesh = mesh_of(CylinderShape{.radius = wheel.radius, .length = wheel.width}, spacing_);
    for (Vec3& p : mesh.vertices) p = Vec3(p.x(), p.z(), -p.y());
    return mesh;
  }

  void add_bodies(const ScmEntry& entry) {
    for (const PlacedName& name : entry.names) {
      const auto body = body_of(name, "the world does not press into the soil");
      if (!body || !site_.claims.claim(*body, name.place)) continue;
      if (entry.mesh) {
        add(*body, {},
            shape_of(entry.mesh->place, [&] { return read_mesh(entry.mesh->text).mesh; }));
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

  void add(int body, const Pose& X_BS, Shape shape) {
    if (!shape) return;  // reported
    contacts_.push_back({.body = body, .X_BS = X_BS, .shape = std::move(shape)});
  }

  template <class Make>
  Shape shape_of(const Place& place, Make&& make) {
    try {
      // The edge of a footprint is as exact as that; finer meshes cost more.
      return std::make_shared<const ScmBody>(make(), longest_edge(options_, spacing_));
    } catch (const Error& error) {
      for (const Issue& issue : error.issues()) {
        report(place, issue.file.empty() ? issue.message : issue.file + ": " + issue.message,
               issue.value);
      }
      return nullptr;
    }
  }

  const ScmOptions& options_;
  double spacing_;  // of the map [m]
  std::vector<ScmContact> contacts_;
};

}  // namespace

std::shared_ptr<const ContactSystem> ScmSceneContacts::build(const ContactSite& site) const {
  if (site.scene.ground == nullptr) return nullptr;
  return ScmBuilder(site, options).run(entries);
}

}  // namespace grouser::internal
