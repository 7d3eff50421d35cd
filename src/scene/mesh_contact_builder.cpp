#include "scene/mesh_contact_builder.h"

#include <fmt/format.h>

#include <map>

#include "core/long_task.h"
#include "geometry/mesh_refine.h"
#include "geometry/primitives.h"
#include "scene/touch_builder.h"

namespace grouser::internal {
namespace {

using MeshPointer = std::shared_ptr<const TriMesh>;

/// Triangles of a shape without a length of its own, of its largest extent.
constexpr double kEdgeShare = 1.0 / 16;

double extent_of(const Shape& shape) {
  struct Extent {
    double operator()(const BoxShape& box) const { return box.size.maxCoeff(); }
    double operator()(const SphereShape& ball) const { return 2 * ball.radius; }
    double operator()(const CylinderShape& c) const { return std::max(2 * c.radius, c.length); }
    double operator()(const CapsuleShape& c) const { return 2 * c.radius + c.length; }
    double operator()(const MeshShape&) const { return 1; }  // comes with its own triangles
    double operator()(const MadeShape&) const { return 1; }
  };
  return std::visit(Extent{}, shape);
}

class MeshContactBuilder : TouchBuilder {
 public:
  using TouchBuilder::TouchBuilder;

  std::shared_ptr<const PcmSystem> run() {
    add_each(*this, scene_.mesh_contacts);
    if (!assembly_.issues.issues().empty()) return nullptr;
    std::shared_ptr<const PcmSystem> contacts;
    attempt(scene_.mesh_contacts.front().place, [&] {
      contacts = std::make_shared<const PcmSystem>(
          PcmScene(std::move(surfaces_), std::move(terrains_), scene_.mesh_contact_options));
    });
    if (contacts && contacts->scene().pairs().empty()) {
      report(scene_.mesh_contacts.front().place,
             "no two meshes may touch: there must be a base and a target on different bodies");
    }
    return contacts;
  }

  void add_bodies(const MeshContactData& data) {
    const MeshPointer given = data.shape ? mesh_of_shape(data, data.shape->shape) : nullptr;
    for (const PlacedName& name : data.names) {
      const auto body = body_of(name);
      if (!body) continue;
      if (data.shape) {
        if (given) add(data, *body, data.shape->X_BS, given, name.text);
      } else if (claim(*body, name.place)) {
        add_visuals(data, *body, name);
      }
    }
  }

  void add_wheels(const MeshContactData& data) {
    const std::vector<const Wheel*> wheels = wheels_of(data);
    if (wheels.empty()) return;
    MeshPointer given;
    Pose X_wheel;
    if (data.wheel) {
      attempt(data.place, [&] { given = refine(data, make_wheel(*data.wheel)); });
    } else if (data.shape) {
      given = mesh_of_shape(data, data.shape->shape);
      X_wheel = data.shape->X_BS;
    }
    if ((data.wheel || data.shape) && !given) return;
    for (const Wheel* wheel : wheels) {
      MeshPointer mesh = given;
      if (!mesh) {
        if (!claim(wheel->body, data.place)) continue;
        mesh = cylinder_of(data, *wheel);
      }
      if (!mesh) continue;
      add(data, wheel->body, Pose{wheel_axes(assembly_, *wheel), Vec3::Zero()} * X_wheel, mesh,
          wheel->name);
    }
  }

  void add_rocks(const MeshContactData& data) {
    const RockField* field = rocks_of(data);
    if (field == nullptr) return;
    LongTask task("meshing rocks", field->rocks.size());
    for (std::size_t r = 0; r < field->rocks.size(); ++r) {
      task.advance();
      surfaces_.push_back(
          {.name = fmt::format("rock{}", r),
           .X_BS = field->rocks[r].pose,
           .mesh = std::make_shared<const TriMesh>(rock_mesh(*field, field->rocks[r])),
           .material = data.material,
           .role = ContactRole::target,
           .group = group_of(data)});
    }
  }

  void add_terrain(const MeshContactData& data) { add_ground(data, terrains_); }

 private:
  void add_visuals(const MeshContactData& data, int body, const PlacedName& name) {
    bool any = false;
    for (const Visual& visual : assembly_.visuals) {
      if (visual.body != body) continue;
      any = true;
      if (const MeshPointer mesh = mesh_of_shape(data, visual.shape)) {
        add(data, body, visual.X_BS, mesh, name.text);
      }
    }
    if (!any) report(name.place, "the body has no shape: give a 'shape'", name.text);
  }

  /// A smooth wheel, its axle along y.
  MeshPointer cylinder_of(const MeshContactData& data, const Wheel& wheel) {
    MeshPointer& known = cylinders_[{wheel.radius, wheel.width, data.place.line}];
    if (known) return known;
    const MeshPointer along_z =
        mesh_of_shape(data, CylinderShape{.radius = wheel.radius, .length = wheel.width});
    if (!along_z) return nullptr;
    TriMesh mesh = *along_z;
    for (Vec3& p : mesh.vertices) p = Vec3(p.x(), p.z(), -p.y());
    return known = std::make_shared<const TriMesh>(std::move(mesh));
  }

  MeshPointer mesh_of_shape(const MeshContactData& data, const Shape& shape) {
    MeshPointer mesh;
    attempt(data.place, [&] {
      const double edge = data.edge_length.value_or(kEdgeShare * extent_of(shape));
      TriMesh made = mesh_of(shape, edge);
      const bool is_file =
          std::holds_alternative<MeshShape>(shape) || std::holds_alternative<MadeShape>(shape);
      mesh = std::make_shared<const TriMesh>(
          is_file && !data.edge_length ? std::move(made) : refined(std::move(made), edge));
    });
    return mesh;
  }

  MeshPointer refine(const MeshContactData& data, TriMesh mesh) const {
    if (data.edge_length) mesh = refined(std::move(mesh), *data.edge_length);
    return std::make_shared<const TriMesh>(std::move(mesh));
  }

  void add(const MeshContactData& data, int body, const Pose& X_BS, MeshPointer mesh,
           const std::string& name) {
    PcmSurface surface{.name = name,
                       .body = body,
                       .X_BS = X_BS,
                       .mesh = std::move(mesh),
                       .material = data.material,
                       .role = data.role,
                       .max_penetration = data.max_penetration,
                       .group = group_of(data)};
    if (const auto X_WB = fixed_pose(assembly_, body)) {
      surface.body = PcmSurface::kFixed;
      surface.X_BS = *X_WB * X_BS;
    }
    surfaces_.push_back(std::move(surface));
  }

  /// Whether a body that brings its own shape is named for the first time; reports it otherwise.
  bool claim(int body, const Place& place) {
    const int line = earlier_line(body, place);
    if (line == 0) return true;
    report(place,
           fmt::format("the body '{}' touches others already, by line {}: give a 'shape' to add "
                       "another surface",
                       assembly_.spec.bodies[static_cast<std::size_t>(body)].name, line));
    return false;
  }

  std::vector<PcmSurface> surfaces_;
  std::vector<PcmTerrain> terrains_;
  std::map<std::tuple<double, double, int>, MeshPointer> cylinders_;
};

}  // namespace

std::shared_ptr<const PcmSystem> make_mesh_contacts(const SceneData& scene,
                                                    const std::vector<Rover>& rovers,
                                                    Assembly& assembly) {
  if (scene.mesh_contacts.empty()) return nullptr;
  return MeshContactBuilder(scene, rovers, assembly).run();
}

}  // namespace grouser::internal
