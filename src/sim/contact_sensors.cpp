#include "sim/contact_sensors.h"

#include <algorithm>

#include "core/index.h"
#include "sim/rigid_contact.h"

namespace grouser {
namespace {

/// The middle of places, by weights.
class Centre {
 public:
  void add(double weight, const Vec3& place) {
    sum_ += weight * place;
    weight_ += weight;
  }
  Vec3 or_else(const Vec3& other) const { return weight_ > 0 ? Vec3(sum_ / weight_) : other; }

 private:
  Vec3 sum_ = Vec3::Zero();
  double weight_ = 0;
};

class Reader {
 public:
  Reader(const World& world, const State& committed, const WorldScratch& scratch,
         std::vector<ContactReading>& out)
      : world_(world), committed_(committed), scratch_(scratch), out_(out) {}

  void read() {
    read_scm();
    read_wheels();
    if (world_.body_contacts) read_bbcc();
    if (world_.mesh_contacts) read_pcm();
  }

 private:
  /// `wrench` at p, axes of W.
  void add(int body, const Vec3& p, const Wrench& wrench, bool in_contact, double depth,
           const Vec3& point) {
    const Twist motion = twist_at(world_.model, scratch_.dynamics.kinematics, body, p);
    out_.push_back({.in_contact = in_contact,
                    .force = wrench.force,
                    .torque = wrench.torque,
                    .power = -power(wrench, motion),
                    .depth = depth,
                    .point = point});
  }

  void read_scm() {
    const SoilScratch& soil = scratch_.soil;
    for (std::size_t c = 0; c < world_.soil_contacts.size(); ++c) {
      const Footprint& footprint = soil.bodies[c].footprint;
      Centre centre;
      for (std::size_t k = 0; k < footprint.cells.size(); ++k) {
        const ContactCell& cell = footprint.cells[k];
        centre.add(soil.bodies[c].force.loads[k].force.norm(),
                   Vec3(cell.centre.x(), cell.centre.y(), cell.body));
      }
      const ScmReaction& reaction = soil.reactions[c];
      add(world_.soil_contacts[c].body, soil.X_WS[c].p, reaction.wrench, reaction.area > 0,
          reaction.sinkage, centre.or_else(soil.X_WS[c].p));
    }
  }

  void read_wheels() {
    const std::vector<Pose>& X_WB = scratch_.dynamics.kinematics.X_WB;
    for (std::size_t c = 0; c < world_.wheel_contacts.size(); ++c) {
      const int body = world_.wheel_contacts[c].body;
      const WheelPlace& place = scratch_.wheels.places[c];
      const WheelReaction& reaction = scratch_.wheels.reactions[c];
      const bool touches = reaction.normal > 0;
      const Vec3 point = place.middle - place.frame.radius * place.frame.normal;
      add(body, place.middle, scratch_.wheels.wrenches[c].shifted(place.middle - X_WB[at(body)].p),
          touches, reaction.sinkage, touches ? point : place.middle);
    }
  }

  void read_bbcc() {
    const BbccScene& scene = *world_.body_contacts;
    for (const int e : scene.moving()) {
      const ContactElement& element = scene.elements()[at(e)];
      const Vec3 origin = scratch_.dynamics.kinematics.X_WB[at(element.body)] * element.X_BE.p;
      world_.has_rigid_contact() ? read_rigid(e, element.body, origin)
                                 : read_compliant(e, element.body, origin);
    }
  }

  void read_compliant(int e, int body, const Vec3& origin) {
    const BbccForce& force = scratch_.contacts.bbcc->force;
    double depth = 0;
    Centre centre;
    for (const BbccContact& contact : force.contacts) {
      if (contact.pair.a != e && contact.pair.b != e) continue;
      depth = std::max(depth, contact.depth);
      for (const ContactPoint& point : contact.points) centre.add(point.depth, point.p);
    }
    add(body, origin, force.wrenches[at(e)], depth > 0, depth, centre.or_else(origin));
  }

  /// The load of the last step.
  void read_rigid(int e, int body, const Vec3& origin) {
    Wrench sum;
    Centre centre;
    for (const PressedPoint& point : committed_.contacts.points) {
      if (point.pair.a != e && point.pair.b != e) continue;
      const double sign = point.pair.a == e ? 1 : -1;
      const Wrench at_point{sign * point.torque, sign * point.force};
      sum += at_point.shifted(origin - point.p_W);
      centre.add(point.force.norm(), point.p_W);
    }
    add(body, origin, sum, sum.force != Vec3::Zero(), 0, centre.or_else(origin));
  }

  void read_pcm() {
    const PcmScene& scene = *world_.mesh_contacts;
    const PcmForce& force = scratch_.meshes.pcm->force;
    for (std::size_t s = 0; s < scene.surfaces().size(); ++s) {
      const PcmSurface& surface = scene.surfaces()[s];
      if (surface.body == PcmSurface::kFixed) continue;
      double depth = 0;
      Centre centre;
      for (const PcmContact& contact : force.contacts) {
        const PcmPair& pair = scene.pairs()[at(contact.pair)];
        if (pair.base != static_cast<int>(s) && pair.target != static_cast<int>(s)) continue;
        depth = std::max(depth, contact.depth);
        const PcmSurface& base = scene.surfaces()[at(pair.base)];
        const Pose X_WS =
            base.body == PcmSurface::kFixed ? base.X_BS : scratch_.meshes.X_WS[at(pair.base)];
        for (const PatchElement& element : contact.patch) {
          centre.add(element.pressure * element.area, X_WS * element.p);
        }
      }
      const Vec3& origin = scratch_.meshes.X_WS[s].p;
      add(surface.body, origin, force.wrenches[s], depth > 0, depth, centre.or_else(origin));
    }
  }

  const World& world_;
  const State& committed_;
  const WorldScratch& scratch_;
  std::vector<ContactReading>& out_;
};

}  // namespace

std::vector<ContactSensor> contact_sensors(const World& world) {
  std::vector<ContactSensor> sensors;
  const auto body_name = [&](int body) {
    for (const Rover& rover : world.rovers) {
      for (const Wheel& wheel : rover.wheels) {
        if (wheel.body == body) return wheel.name;
      }
    }
    return world.model.bodies()[at(body)].name;
  };
  for (const SoilContact& contact : world.soil_contacts) {
    sensors.push_back({body_name(contact.body), "scm", contact.body});
  }
  for (const WheelContact& contact : world.wheel_contacts) {
    sensors.push_back({body_name(contact.body), name_of(contact.model), contact.body});
  }
  if (world.body_contacts) {
    for (const int e : world.body_contacts->moving()) {
      const ContactElement& element = world.body_contacts->elements()[at(e)];
      sensors.push_back({element.name, "bbcc", element.body});
    }
  }
  if (world.mesh_contacts) {
    for (const PcmSurface& surface : world.mesh_contacts->surfaces()) {
      if (surface.body == PcmSurface::kFixed) continue;
      sensors.push_back({surface.name, "pcm", surface.body});
    }
  }
  return sensors;
}

void read_contact_sensors(const World& world, const State& committed, const WorldScratch& scratch,
                          std::vector<ContactReading>& out) {
  out.clear();
  Reader(world, committed, scratch, out).read();
}

Vec3 contact_force(const World& world, int body, const State& committed,
                   const WorldScratch& scratch) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    if (world.soil_contacts[c].body == body) sum += scratch.soil.reactions[c].wrench.force;
  }
  for (std::size_t c = 0; c < world.wheel_contacts.size(); ++c) {
    if (world.wheel_contacts[c].body == body) sum += scratch.wheels.wrenches[c].force;
  }
  if (world.body_contacts && world.has_rigid_contact()) {
    sum += pressed_force(world, body, committed.contacts.points);
  } else if (world.body_contacts) {
    for (const int e : world.body_contacts->moving()) {
      if (world.body_contacts->elements()[static_cast<std::size_t>(e)].body != body) continue;
      sum += scratch.contacts.bbcc->force.wrenches[static_cast<std::size_t>(e)].force;
    }
  }
  if (world.mesh_contacts) {
    for (std::size_t s = 0; s < world.mesh_contacts->surfaces().size(); ++s) {
      if (world.mesh_contacts->surfaces()[s].body != body) continue;
      sum += scratch.meshes.pcm->force.wrenches[s].force;
    }
  }
  return sum;
}

}  // namespace grouser
