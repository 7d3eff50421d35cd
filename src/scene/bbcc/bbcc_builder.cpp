#include <fmt/format.h>

#include "contact/bbcc/bbcc_system.h"
#include "core/long_task.h"
#include "geometry/convex_hull.h"
#include "geometry/primitives.h"
#include "scene/bbcc/bbcc_scene.h"
#include "scene/entry_builder.h"

namespace grouser::internal {

ContactPart contact_part(const Shape& shape, const Pose& X_BS) {
  return std::visit(
      [&](const auto& solid) -> ContactPart {
        using Solid = std::decay_t<decltype(solid)>;
        if constexpr (std::is_same_v<Solid, MeshShape> || std::is_same_v<Solid, MadeShape>) {
          return hull_part(mesh_of(shape, 1).vertices, X_BS);
        } else {
          return {.shape = solid, .X_EC = X_BS};
        }
      },
      shape);
}

namespace {

class BbccBuilder : EntryBuilder {
 public:
  using EntryBuilder::EntryBuilder;

  std::shared_ptr<const BbccSystem> run(const BbccSceneContacts& data) {
    add_each(*this, data.entries);
    if (has_issues()) return nullptr;
    auto contacts =
        std::make_shared<const BbccScene>(std::move(elements_), std::move(terrains_), data.options);
    return std::make_shared<const BbccSystem>(std::move(contacts), site_.is_rigid);
  }

  void add_bodies(const BbccEntry& entry) {
    for (const PlacedName& name : entry.names) {
      const auto body = body_of(name);
      if (!body) continue;
      std::vector<ContactPart> parts;
      if (entry.shape) {
        add_part(name.place, entry.shape->shape, entry.shape->X_BS, parts);
      } else {
        for (const Visual& visual : assembly_.visuals) {
          if (visual.body == *body) add_part(name.place, visual.shape, visual.X_BS, parts);
        }
        if (parts.empty()) report(name.place, "the body has no shape: give a 'shape'", name.text);
      }
      if (!parts.empty()) add(entry, *body, {}, std::move(parts), name.text, name.place);
    }
  }

  void add_wheels(const BbccEntry& entry) {
    for (const Wheel* wheel : wheels_of(entry)) {
      WheelContactSpec spec{.radius = wheel->radius, .width = wheel->width};
      if (entry.grousers) {
        spec.grousers = entry.grousers->count;
        spec.grouser_height = entry.grousers->height;
        spec.grouser_thickness = entry.grousers->thickness;
      }
      attempt(entry.place, [&] {
        add(entry, wheel->body, wheel_frame(assembly_, *wheel), wheel_parts(spec), wheel->name,
            entry.place);
      });
    }
  }

  /// Each shape of the field has one hull, which the rocks take at their sizes.
  void add_rocks(const BbccEntry& entry) {
    const RockField* field = rocks_of(entry);
    if (field == nullptr) return;
    std::vector<std::shared_ptr<const HullSolid>> hulls(field->shapes.size());
    LongTask task("making rocks solid", field->rocks.size());
    for (std::size_t r = 0; r < field->rocks.size(); ++r) {
      task.advance();
      const PlacedRock& rock = field->rocks[r];
      const auto shape = static_cast<std::size_t>(rock.shape);
      attempt(entry.place, [&] {
        auto& hull = hulls[shape];
        if (!hull) {
          hull = std::make_shared<const HullSolid>(convex_hull(field->shapes[shape].mesh.vertices));
        }
        elements_.push_back(
            {.name = fmt::format("rock{}", r),
             .body = ContactElement::kFixed,
             .X_BE = rock.pose,
             .parts = {{.shape = std::make_shared<const HullSolid>(*hull, rock.scale)}},
             .material = entry.material,
             .group = group_of(entry.group)});
      });
    }
  }

  void add_terrain(const BbccEntry& entry) { add_ground(entry, terrains_); }

 private:
  void add_part(const Place& place, const Shape& shape, const Pose& X_BS,
                std::vector<ContactPart>& parts) {
    attempt(place, [&] { parts.push_back(contact_part(shape, X_BS)); });
  }

  void add(const BbccEntry& entry, int body, const Pose& X_BE, std::vector<ContactPart> parts,
           const std::string& name, const Place& place) {
    if (const auto earlier = earlier_entry(body, place)) {
      report(place, fmt::format("the body touches others already, by {}", *earlier), name);
      return;
    }
    ContactElement element{.name = name,
                           .body = body,
                           .X_BE = X_BE,
                           .parts = std::move(parts),
                           .material = entry.material,
                           .group = group_of(entry.group)};
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

std::shared_ptr<const ContactSystem> BbccSceneContacts::build(const ContactSite& site) const {
  return BbccBuilder(site).run(*this);
}

}  // namespace grouser::internal
