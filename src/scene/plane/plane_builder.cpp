#include <numbers>

#include "scene/entry_builder.h"
#include "scene/plane/plane_scene.h"

namespace grouser::internal {
namespace {

class PlaneBuilder : EntryBuilder {
 public:
  using EntryBuilder::EntryBuilder;

  std::shared_ptr<const PlaneSystem> run(const std::vector<PlaneEntry>& entries) {
    for (const PlaneEntry& entry : entries) {
      plane_ = static_cast<int>(planes_.size());
      planes_.push_back(entry.plane);
      if (entry.subject == ContactEntry::Subject::wheels) {
        add_wheels(entry);
      } else {
        add_bodies(entry);
      }
    }
    std::shared_ptr<const PlaneSystem> system;
    attempt(entries.front().place, [&] {
      system = std::make_shared<const PlaneSystem>(std::move(points_), std::move(planes_));
    });
    return system;
  }

 private:
  void add_bodies(const PlaneEntry& entry) {
    if (entry.points.empty()) report(entry.place, "must give at least one of the bodies' 'points'");
    for (const PlacedName& name : entry.names) {
      const auto body = body_of(name, "the world does not move: name bodies");
      if (!body) continue;
      for (const Vec3& p_B : entry.points) points_.push_back({*body, p_B, plane_});
    }
  }

  void add_wheels(const PlaneEntry& entry) {
    for (const Wheel* wheel : wheels_of(entry)) {
      const Pose X_BS = wheel_frame(assembly_, *wheel);
      for (int k = 0; k < entry.rim_points; ++k) {
        const double angle = 2 * std::numbers::pi * k / entry.rim_points;
        const Vec3 p = wheel->radius * Vec3(std::sin(angle), 0, -std::cos(angle));
        points_.push_back({wheel->body, X_BS * p, plane_});
      }
    }
  }

  std::vector<PlanePoint> points_;
  std::vector<SpringyPlane> planes_;
  int plane_ = 0;  // of the entry
};

}  // namespace

std::shared_ptr<const ContactSystem> PlaneSceneContacts::build(const ContactSite& site) const {
  return PlaneBuilder(site).run(entries);
}

}  // namespace grouser::internal
