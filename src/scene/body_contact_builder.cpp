#include "scene/body_contact_builder.h"

#include <fmt/format.h>

#include "core/long_task.h"
#include "geometry/convex_hull.h"
#include "geometry/primitives.h"
#include "scene/touch_builder.h"

namespace grouser::internal {
namespace {

class BodyContactBuilder : TouchBuilder {
 public:
  using TouchBuilder::TouchBuilder;

  std::shared_ptr<const BbccSystem> run() {
    add_each(*this, scene_.body_contacts);
    if (!assembly_.issues.issues().empty()) return nullptr;
    auto contacts = std::make_shared<const BbccScene>(std::move(elements_), std::move(terrains_),
                                                      scene_.body_contact_options);
    const bool is_rigid = scene_.settings.integrator.method == IntegrationMethod::moreau_jean;
    return std::make_shared<const BbccSystem>(std::move(contacts), is_rigid);
  }

  void add_bodies(const BodyContactData& data) {
    for (const PlacedName& name : data.names) {
      const auto body = body_of(name);
      if (!body) continue;
      std::vector<ContactPart> parts;
      if (data.shape) {
        add_part(name.place, data.shape->shape, data.shape->X_BS, parts);
      } else {
        for (const Visual& visual : assembly_.visuals) {
          if (visual.body == *body) add_part(name.place, visual.shape, visual.X_BS, parts);
        }
        if (parts.empty()) report(name.place, "the body has no shape: give a 'shape'", name.text);
      }
      if (!parts.empty()) add(data, *body, {}, std::move(parts), name.text, name.place);
    }
  }

  void add_wheels(const BodyContactData& data) {
    for (const Wheel* wheel : wheels_of(data)) {
      WheelContactSpec spec{.radius = wheel->radius, .width = wheel->width};
      if (data.grousers) {
        spec.grousers = data.grousers->count;
        spec.grouser_height = data.grousers->height;
        spec.grouser_thickness = data.grousers->thickness;
      }
      attempt(data.place, [&] {
        add(data, wheel->body, {wheel_axes(assembly_, *wheel), Vec3::Zero()}, wheel_parts(spec),
            wheel->name, data.place);
      });
    }
  }

  /// Each shape of the field has one hull, which the rocks take at their sizes.
  void add_rocks(const BodyContactData& data) {
    const RockField* field = rocks_of(data);
    if (field == nullptr) return;
    std::vector<std::shared_ptr<const HullSolid>> hulls(field->shapes.size());
    LongTask task("making rocks solid", field->rocks.size());
    for (std::size_t r = 0; r < field->rocks.size(); ++r) {
      task.advance();
      const PlacedRock& rock = field->rocks[r];
      const auto shape = static_cast<std::size_t>(rock.shape);
      attempt(data.place, [&] {
        auto& hull = hulls[shape];
        if (!hull) {
          hull = std::make_shared<const HullSolid>(convex_hull(field->shapes[shape].mesh.vertices));
        }
        elements_.push_back(
            {.name = fmt::format("rock{}", r),
             .body = ContactElement::kFixed,
             .X_BE = rock.pose,
             .parts = {{.shape = std::make_shared<const HullSolid>(*hull, rock.scale)}},
             .material = data.material,
             .group = group_of(data)});
      });
    }
  }

  void add_terrain(const BodyContactData& data) { add_ground(data, terrains_); }

 private:
  void add_part(const Place& place, const Shape& shape, const Pose& X_BS,
                std::vector<ContactPart>& parts) {
    attempt(place, [&] {
      std::visit(
          [&](const auto& solid) {
            using Solid = std::decay_t<decltype(solid)>;
            if constexpr (std::is_same_v<Solid, MeshShape> || std::is_same_v<Solid, MadeShape>) {
              parts.push_back(hull_part(mesh_of(shape, 1).vertices, X_BS));
            } else {
              parts.push_back({.shape = solid, .X_EC = X_BS});
            }
          },
          shape);
    });
  }

  void add(const BodyContactData& data, int body, const Pose& X_BE, std::vector<ContactPart> parts,
           const std::string& name, const Place& place) {
    if (const int line = earlier_line(body, place)) {
      report(place, fmt::format("the body touches others already, by line {}", line), name);
      return;
    }
    ContactElement element{.name = name,
                           .body = body,
                           .X_BE = X_BE,
                           .parts = std::move(parts),
                           .material = data.material,
                           .group = group_of(data)};
    weld_to_world(element);
    elements_.push_back(std::move(element));
  }

  /// Elements on bodies that cannot move count as fixed, which spares looking where they are.
  void weld_to_world(ContactElement& element) const {
    const auto X_WB = fixed_pose(assembly_, element.body);
    if (!X_WB) return;
    element.body = ContactElement::kFixed;
    element.X_BE = *X_WB * element.X_BE;
  }

  std::vector<ContactElement> elements_;
  std::vector<TerrainElement> terrains_;
};

}  // namespace

std::shared_ptr<const BbccSystem> make_body_contacts(const SceneData& scene,
                                                     const std::vector<Rover>& rovers,
                                                     Assembly& assembly) {
  if (scene.body_contacts.empty()) return nullptr;
  return BodyContactBuilder(scene, rovers, assembly).run();
}

}  // namespace grouser::internal
