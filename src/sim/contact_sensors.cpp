#include "sim/contact_sensors.h"

#include <algorithm>

#include "core/index.h"
#include "sim/rigid_contact.h"

namespace grouser {
namespace {

/// A reading in the making.
struct Gathered {
  int body = -1;               // -1: fixed, nobody reads it
  Vec3 origin = Vec3::Zero();  // of the shape, in W [m]
  Wrench wrench;               // there
  double depth = 0;            // [m]
  Vec3 places = Vec3::Zero();  // of contact, times their weights
  double weight = 0;

  void add_place(double w, const Vec3& p) {
    weight += w;
    places += w * p;
  }
};

ContactReading reading_of(const World& world, const Kinematics& kinematics,
                          const Gathered& gathered, bool in_contact) {
  const Twist motion = twist_at(world.model, kinematics, gathered.body, gathered.origin);
  return {.in_contact = in_contact,
          .force = gathered.wrench.force,
          .torque = gathered.wrench.torque,
          .power = -power(gathered.wrench, motion),
          .depth = gathered.depth,
          .point = gathered.weight > 0 ? Vec3(gathered.places / gathered.weight) : gathered.origin};
}

void read_scm(const World& world, const WorldScratch& scratch, std::vector<ContactReading>& out) {
  const SoilScratch& soil = scratch.soil;
  for (std::size_t c = 0; c < world.soil_contacts.size(); ++c) {
    const ScmReaction& reaction = soil.reactions[c];
    Gathered gathered{.body = world.soil_contacts[c].body,
                      .origin = soil.X_WS[c].p,
                      .wrench = reaction.wrench,
                      .depth = reaction.sinkage};
    const Footprint& footprint = soil.bodies[c].footprint;
    for (std::size_t k = 0; k < footprint.cells.size(); ++k) {
      const ContactCell& cell = footprint.cells[k];
      gathered.add_place(soil.bodies[c].force.loads[k].force.norm(),
                         Vec3(cell.centre.x(), cell.centre.y(), cell.body));
    }
    out.push_back(reading_of(world, scratch.dynamics.kinematics, gathered, reaction.area > 0));
  }
}

void read_wheels(const World& world, const WorldScratch& scratch,
                 std::vector<ContactReading>& out) {
  const Kinematics& kinematics = scratch.dynamics.kinematics;
  for (std::size_t c = 0; c < world.wheel_contacts.size(); ++c) {
    const int body = world.wheel_contacts[c].body;
    const WheelPlace& place = scratch.wheels.places[c];
    const WheelReaction& reaction = scratch.wheels.reactions[c];
    const Vec3 to_middle = place.middle - kinematics.X_WB[at(body)].p;
    Gathered gathered{.body = body,
                      .origin = place.middle,
                      .wrench = scratch.wheels.wrenches[c].shifted(to_middle),
                      .depth = reaction.sinkage};
    const bool touches = reaction.normal > 0;
    if (touches) gathered.add_place(1, place.middle - place.frame.radius * place.frame.normal);
    out.push_back(reading_of(world, kinematics, gathered, touches));
  }
}

/// Forces of the last step.
void gather_rigid(const State& committed, std::span<Gathered> elements) {
  const auto add = [&](int e, double sign, const PressedPoint& point) {
    if (at(e) >= elements.size() || elements[at(e)].body < 0) return;
    Gathered& gathered = elements[at(e)];
    const Wrench at_point{sign * point.torque, sign * point.force};
    gathered.wrench += at_point.shifted(gathered.origin - point.p_W);
    gathered.add_place(point.force.norm(), point.p_W);
  };
  for (const PressedPoint& point : committed.contacts.points) {
    add(point.pair.a, 1, point);
    add(point.pair.b, -1, point);
  }
}

void gather_compliant(const BbccForce& force, std::span<Gathered> elements) {
  for (const BbccContact& contact : force.contacts) {
    for (const int e : {contact.pair.a, contact.pair.b}) {
      if (at(e) >= elements.size() || elements[at(e)].body < 0) continue;
      Gathered& gathered = elements[at(e)];
      gathered.depth = std::max(gathered.depth, contact.depth);
      for (const ContactPoint& point : contact.points) gathered.add_place(point.depth, point.p);
    }
  }
  for (std::size_t e = 0; e < elements.size(); ++e) elements[e].wrench = force.wrenches[e];
}

void read_bbcc(const World& world, const State& committed, const WorldScratch& scratch,
               std::vector<ContactReading>& out) {
  const BbccScene& scene = *world.body_contacts;
  const Kinematics& kinematics = scratch.dynamics.kinematics;
  std::vector<Gathered> elements(scene.elements().size());
  for (const int e : scene.moving()) {
    const ContactElement& element = scene.elements()[at(e)];
    elements[at(e)].body = element.body;
    elements[at(e)].origin = kinematics.X_WB[at(element.body)] * element.X_BE.p;
  }
  if (world.has_rigid_contact()) {
    gather_rigid(committed, elements);
  } else {
    gather_compliant(scratch.contacts.bbcc->force, elements);
  }
  for (const int e : scene.moving()) {
    out.push_back(reading_of(world, kinematics, elements[at(e)], elements[at(e)].weight > 0));
  }
}

void read_pcm(const World& world, const WorldScratch& scratch, std::vector<ContactReading>& out) {
  const PcmScene& scene = *world.mesh_contacts;
  const PcmForce& force = scratch.meshes.pcm->force;
  std::vector<Gathered> surfaces(scene.surfaces().size());
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    if (scene.surfaces()[s].body == PcmSurface::kFixed) continue;
    surfaces[s] = {.body = scene.surfaces()[s].body,
                   .origin = scratch.meshes.X_WS[s].p,
                   .wrench = force.wrenches[s]};
  }
  for (const PcmContact& contact : force.contacts) {
    const PcmPair& pair = scene.pairs()[at(contact.pair)];
    const PcmSurface& base = scene.surfaces()[at(pair.base)];
    const Pose X_WS =
        base.body == PcmSurface::kFixed ? base.X_BS : scratch.meshes.X_WS[at(pair.base)];
    for (const int s : {pair.base, pair.target}) {
      if (at(s) >= surfaces.size() || surfaces[at(s)].body < 0) continue;
      Gathered& gathered = surfaces[at(s)];
      gathered.depth = std::max(gathered.depth, contact.depth);
      for (const PatchElement& element : contact.patch) {
        gathered.add_place(element.pressure * element.area, X_WS * element.p);
      }
    }
  }
  for (const Gathered& gathered : surfaces) {
    if (gathered.body < 0) continue;
    out.push_back(reading_of(world, scratch.dynamics.kinematics, gathered, gathered.depth > 0));
  }
}

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
  read_scm(world, scratch, out);
  read_wheels(world, scratch, out);
  if (world.body_contacts) read_bbcc(world, committed, scratch, out);
  if (world.mesh_contacts) read_pcm(world, scratch, out);
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
