#include <fmt/format.h>

#include <map>

#include "contact/pcm/pcm_system.h"
#include "core/long_task.h"
#include "geometry/mesh_refine.h"
#include "geometry/primitives.h"
#include "scene/entry_builder.h"
#include "scene/pcm/pcm_scene.h"

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

class PcmBuilder : EntryBuilder {
 public:
  using EntryBuilder::EntryBuilder;

  std::shared_ptr<const PcmSystem> run(const PcmSceneContacts& data) {
    add_each(*this, data.entries);
    if (has_issues()) return nullptr;
    const Place& place = data.entries.front().place;
    std::shared_ptr<const PcmSystem> contacts;
    attempt(place, [&] {
      contacts = std::make_shared<const PcmSystem>(
          PcmScene(std::move(surfaces_), std::move(terrains_), data.options));
    });
    if (contacts && contacts->scene().pairs().empty()) {
      report(place,
             "no two meshes may touch: there must be a base and a target on different bodies");
    }
    return contacts;
  }

  void add_bodies(const PcmEntry& entry) {
    const MeshPointer given = entry.shape ? mesh_of_shape(entry, entry.shape->shape) : nullptr;
    for (const PlacedName& name : entry.names) {
      const auto body = body_of(name);
      if (!body) continue;
      if (entry.shape) {
        if (given) add(entry, *body, entry.shape->X_BS, given, name.text);
      } else if (claim(*body, name.place)) {
        add_visuals(entry, *body, name);
      }
    }
  }

  void add_wheels(const PcmEntry& entry) {
    const std::vector<const Wheel*> wheels = wheels_of(entry);
    if (wheels.empty()) return;
    MeshPointer given;
    Pose X_wheel;
    if (entry.wheel) {
      attempt(entry.place, [&] { given = refine(entry, make_wheel(*entry.wheel)); });
    } else if (entry.shape) {
      given = mesh_of_shape(entry, entry.shape->shape);
      X_wheel = entry.shape->X_BS;
    }
    if ((entry.wheel || entry.shape) && !given) return;
    for (const Wheel* wheel : wheels) {
      MeshPointer mesh = given;
      if (!mesh) {
        if (!claim(wheel->body, entry.place)) continue;
        mesh = cylinder_of(entry, *wheel);
      }
      if (!mesh) continue;
      add(entry, wheel->body, wheel_frame(assembly_, *wheel) * X_wheel, mesh, wheel->name);
    }
  }

  void add_rocks(const PcmEntry& entry) {
    const RockField* field = rocks_of(entry);
    if (field == nullptr) return;
    LongTask task("meshing rocks", field->rocks.size());
    for (std::size_t r = 0; r < field->rocks.size(); ++r) {
      task.advance();
      surfaces_.push_back(
          {.name = fmt::format("rock{}", r),
           .X_BS = field->rocks[r].pose,
           .mesh = std::make_shared<const TriMesh>(rock_mesh(*field, field->rocks[r])),
           .material = entry.material,
           .role = ContactRole::target,
           .group = group_of(entry.group)});
    }
  }

  void add_terrain(const PcmEntry& entry) { add_ground(entry, terrains_); }

 private:
  void add_visuals(const PcmEntry& entry, int body, const PlacedName& name) {
    bool any = false;
    for (const Visual& visual : assembly_.visuals) {
      if (visual.body != body) continue;
      any = true;
      if (const MeshPointer mesh = mesh_of_shape(entry, visual.shape)) {
        add(entry, body, visual.X_BS, mesh, name.text);
      }
    }
    if (!any) report(name.place, "the body has no shape: give a 'shape'", name.text);
  }

  /// A smooth wheel, its axle along y.
  MeshPointer cylinder_of(const PcmEntry& entry, const Wheel& wheel) {
    MeshPointer& known = cylinders_[{wheel.radius, wheel.width, entry.place.line}];
    if (known) return known;
    const MeshPointer along_z =
        mesh_of_shape(entry, CylinderShape{.radius = wheel.radius, .length = wheel.width});
    if (!along_z) return nullptr;
    TriMesh mesh = *along_z;
    for (Vec3& p : mesh.vertices) p = Vec3(p.x(), p.z(), -p.y());
    return known = std::make_shared<const TriMesh>(std::move(mesh));
  }

  MeshPointer mesh_of_shape(const PcmEntry& entry, const Shape& shape) {
    MeshPointer mesh;
    attempt(entry.place, [&] {
      const double edge = entry.edge_length.value_or(kEdgeShare * extent_of(shape));
      TriMesh made = mesh_of(shape, edge);
      const bool is_file =
          std::holds_alternative<MeshShape>(shape) || std::holds_alternative<MadeShape>(shape);
      mesh = std::make_shared<const TriMesh>(
          is_file && !entry.edge_length ? std::move(made) : refined(std::move(made), edge));
    });
    return mesh;
  }

  MeshPointer refine(const PcmEntry& entry, TriMesh mesh) const {
    if (entry.edge_length) mesh = refined(std::move(mesh), *entry.edge_length);
    return std::make_shared<const TriMesh>(std::move(mesh));
  }

  void add(const PcmEntry& entry, int body, const Pose& X_BS, MeshPointer mesh,
           const std::string& name) {
    PcmSurface surface{.name = name,
                       .body = body,
                       .X_BS = X_BS,
                       .mesh = std::move(mesh),
                       .material = entry.material,
                       .role = entry.role,
                       .max_penetration = entry.max_penetration,
                       .group = group_of(entry.group)};
    if (const auto X_WB = fixed_pose(assembly_, body)) {
      surface.body = PcmSurface::kFixed;
      surface.X_BS = *X_WB * X_BS;
    }
    surfaces_.push_back(std::move(surface));
  }

  /// Whether a body that brings its own shape is named for the first time; reports it otherwise.
  bool claim(int body, const Place& place) {
    const auto earlier = earlier_entry(body, place);
    if (!earlier) return true;
    report(place,
           fmt::format("the body '{}' touches others already, by {}: give a 'shape' to add another "
                       "surface",
                       name_of(body), *earlier));
    return false;
  }

  std::vector<PcmSurface> surfaces_;
  std::vector<PcmTerrain> terrains_;
  std::map<std::tuple<double, double, int>, MeshPointer> cylinders_;
};

}  // namespace

std::shared_ptr<const ContactSystem> PcmSceneContacts::build(const ContactSite& site) const {
  return PcmBuilder(site).run(*this);
}

}  // namespace grouser::internal
