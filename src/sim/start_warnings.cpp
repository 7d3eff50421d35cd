#include "sim/start_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/index.h"
#include "sim/contact_sensors.h"

namespace grouser {
namespace {

int root_of(const World& world, int body) {
  while (world.model.joints()[at(body)].parent != kWorld) {
    body = world.model.joints()[at(body)].parent;
  }
  return body;
}

/// Roots of the trees that have a body which may touch the ground.
std::set<int> trees_on_ground(const World& world) {
  std::set<int> roots;
  const auto add = [&](int body) {
    if (body >= 0) roots.insert(root_of(world, body));
  };
  for (const SoilContact& contact : world.soil_contacts) add(contact.body);
  for (const WheelContact& contact : world.wheel_contacts) add(contact.body);
  if (world.body_contacts && !world.body_contacts->terrains().empty()) {
    for (const ContactElement& element : world.body_contacts->elements()) add(element.body);
  }
  if (world.mesh_contacts && !world.mesh_contacts->terrains().empty()) {
    for (const PcmSurface& surface : world.mesh_contacts->surfaces()) add(surface.body);
  }
  return roots;
}

bool is_free(const World& world, int root) {
  const Joint& joint = world.model.joints()[at(root)];
  return joint.parent == kWorld && joint.type == JointType::free;
}

bool has_contacts(const World& world) {
  return !world.soil_contacts.empty() || !world.wheel_contacts.empty() || world.body_contacts ||
         world.mesh_contacts;
}

void warn_of_falls(const World& world, std::vector<std::string>& warnings) {
  const std::set<int> held = trees_on_ground(world);
  const std::size_t before = warnings.size();
  for (const Rover& rover : world.rovers) {
    const int root = root_of(world, rover.chassis);
    if (!is_free(world, root) || held.contains(root)) continue;
    warnings.push_back(
        fmt::format("{}: no entry of 'contacts' lets it touch the terrain, so it falls through the "
                    "ground; add one, e.g. {{model: scm, wheels: all}}",
                    rover.name));
  }
  if (has_contacts(world) || warnings.size() > before) return;
  for (std::size_t b = 0; b < world.model.bodies().size(); ++b) {
    if (!is_free(world, static_cast<int>(b))) continue;
    warnings.push_back(
        "the scene has a terrain but no 'contacts': nothing touches it, free bodies fall through");
    return;
  }
}

const Wheel* wheel_of(const World& world, int body) {
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      if (wheel.body == body) return &wheel;
    }
  }
  return nullptr;
}

/// Footprints of less than three cells across have no middle: pressure and width of contact come out wrong.
void warn_of_grid(const World& world, std::vector<std::string>& warnings) {
  constexpr double kCells = 3;
  const double spacing = world.ground->map.grid().spacing;
  std::set<double> widths;
  for (const SoilContact& contact : world.soil_contacts) {
    if (const Wheel* wheel = wheel_of(world, contact.body)) widths.insert(wheel->width);
  }
  for (const double width : widths) {
    if (kCells * spacing <= width * (1 + 1e-9)) continue;
    warnings.push_back(
        fmt::format("the soil's grid of {:g} m is too coarse for a wheel {:g} m wide: forces and "
                    "sinkage are not to be trusted; set the terrain's spacing to {:.2g} m or less",
                    spacing, width, width / kCells));
  }
}

/// Of a rover over the number of its wheels [N].
double wheel_load(const World& world, const Rover& rover) {
  const int root = root_of(world, rover.chassis);
  double mass = 0;
  for (std::size_t b = 0; b < world.model.bodies().size(); ++b) {
    if (root_of(world, static_cast<int>(b)) == root) mass += world.model.bodies()[b].inertia.mass;
  }
  return mass * world.model.gravity().norm() / static_cast<double>(rover.wheels.size());
}

/// What TerRA's defaults were set and compared by: docs/theory/wheel.md.
struct TerraRange {
  double least_radius = 0.09, greatest_radius = 0.25;  // [m]
  double least_load = 20, greatest_load = 180;         // [N]
  double least_gravity = 1.6, greatest_gravity = 9.9;  // [m/s²]
};

std::string terra_reasons(const WheelForm& form, double load, double gravity) {
  constexpr TerraRange kRange;
  constexpr double kSlack = 1.05;
  std::string reasons;
  const auto check = [&](const char* what, double value, double low, double high,
                         const char* unit) {
    if (value >= low / kSlack && value <= high * kSlack) return;
    reasons += fmt::format("{}{} {:.3g} {} (known for {:g} to {:g})", reasons.empty() ? "" : ", ",
                           what, value, unit, low, high);
  };
  check("wheel radius", form.radius, kRange.least_radius, kRange.greatest_radius, "m");
  check("load per wheel", load, kRange.least_load, kRange.greatest_load, "N");
  check("gravity", gravity, kRange.least_gravity, kRange.greatest_gravity, "m/s2");
  return reasons;
}

/// Whether nobody has fitted the digging or the resistances of a model.
bool has_defaults(const TerraModel& model) {
  constexpr TerraModel kDefault;
  return model.dig == kDefault.dig && model.dig_limit == kDefault.dig_limit &&
         model.compaction == kDefault.compaction && model.bulldozing == kDefault.bulldozing;
}

void warn_of_terra(const World& world, std::vector<std::string>& warnings) {
  std::set<std::string> said;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) {
      const auto contact = std::ranges::find(world.wheel_contacts, wheel.body, &WheelContact::body);
      if (contact == world.wheel_contacts.end()) continue;
      const auto* terra = std::get_if<TerraModel>(&contact->model);
      if (terra == nullptr || !has_defaults(*terra)) continue;
      const std::string reasons =
          terra_reasons(contact->form, wheel_load(world, rover), world.model.gravity().norm());
      if (reasons.empty()) continue;
      const std::string text = fmt::format(
          "{}: TerRA's default parameters are used outside what they were tried for: {}; slip and "
          "sinkage may be far off; fit them with 'grouser identify terra', or compare with 'scm'",
          rover.name, reasons);
      if (said.insert(text).second) warnings.push_back(text);
    }
  }
}

void warn_of_events(const World& world, std::vector<std::string>& warnings) {
  for (const EventSpec& event : world.events) {
    if (event.quantity != EventQuantity::contact_force) continue;
    const auto is_it = [&](const ContactSensor& sensor) { return sensor.body == event.index; };
    if (std::ranges::any_of(contact_sensors(world), is_it)) continue;
    warnings.push_back(fmt::format(
        "event '{}' waits for a contact of '{}', which no entry of 'contacts' lets touch",
        event.name, world.model.bodies()[at(event.index)].name));
  }
}

}  // namespace

std::vector<std::string> start_warnings(const World& world) {
  std::vector<std::string> warnings;
  warn_of_events(world, warnings);
  if (!world.ground) return warnings;
  warn_of_falls(world, warnings);
  warn_of_grid(world, warnings);
  warn_of_terra(world, warnings);
  return warnings;
}

}  // namespace grouser
