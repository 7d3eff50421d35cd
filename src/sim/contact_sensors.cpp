#include "sim/contact_sensors.h"

#include "core/index.h"

namespace grouser::internal {
namespace {

std::string name_of_body(const World& world, int body) {
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      if (wheel.body == body) return wheel.name;
    }
  }
  return world.model.bodies()[at(body)].name;
}

}  // namespace

std::vector<ContactSensor> contact_sensors(const World& world) {
  std::vector<ContactSensor> sensors;
  for (const auto& system : world.contacts) {
    for (ContactElementInfo& element : system->elements()) {
      if (element.name.empty()) element.name = name_of_body(world, element.body);
      sensors.push_back({std::move(element.name), std::move(element.model), element.body});
    }
  }
  return sensors;
}

void read_contact_sensors(const World& world, const ContactInput& input, const State& committed,
                          const WorldScratch& scratch, std::vector<ContactReading>& out) {
  out.clear();
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    world.contacts[s]->sample(input, committed.contacts[s], *scratch.contacts[s], out);
  }
}

Vec3 contact_force(const World& world, int body, const State& committed,
                   const WorldScratch& scratch) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    sum += world.contacts[s]->force_on(body, committed.contacts[s], *scratch.contacts[s]);
  }
  return sum;
}

double contact_sinkage(const World& world, int body, const WorldScratch& scratch) {
  double sinkage = 0;
  for (std::size_t s = 0; s < world.contacts.size(); ++s) {
    sinkage = std::max(sinkage, world.contacts[s]->sinkage_of(body, *scratch.contacts[s]));
  }
  return sinkage;
}

}  // namespace grouser::internal
