#include "record/run_layout.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string_view>
#include <utility>

#include "math/rotation.h"
#include "sim/contact_sensors.h"

namespace grouser::internal {
namespace {

struct DofLabel {
  const char* suffix;
  const char* unit;
};

std::vector<DofLabel> position_labels(JointType type) {
  switch (type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {{"q", "rad"}};
    case JointType::prismatic:
      return {{"q", "m"}};
    case JointType::universal:
      return {{"q1", "rad"}, {"q2", "rad"}};
    case JointType::spherical:
      return {{"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"}};
    case JointType::planar:
      return {{"x", "m"}, {"y", "m"}, {"yaw", "rad"}};
    case JointType::free:
      return {{"qw", "1"}, {"qx", "1"}, {"qy", "1"}, {"qz", "1"},
              {"x", "m"},  {"y", "m"},  {"z", "m"}};
  }
  return {};
}

std::vector<DofLabel> velocity_labels(JointType type) {
  switch (type) {
    case JointType::fixed:
      return {};
    case JointType::revolute:
      return {{"v", "rad/s"}};
    case JointType::prismatic:
      return {{"v", "m/s"}};
    case JointType::universal:
      return {{"v1", "rad/s"}, {"v2", "rad/s"}};
    case JointType::spherical:
      return {{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}};
    case JointType::planar:
      return {{"vx", "m/s"}, {"vy", "m/s"}, {"wz", "rad/s"}};
    case JointType::free:
      return {{"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"},
              {"vx", "m/s"},   {"vy", "m/s"},   {"vz", "m/s"}};
  }
  return {};
}

std::vector<DofLabel> loop_labels(const Model& model, const Loop& loop) {
  if (std::holds_alternative<BallLoop>(loop.law)) return {{"x", "N"}, {"y", "N"}, {"z", "N"}};
  if (std::holds_alternative<HingeLoop>(loop.law)) {
    return {{"x", "N"}, {"y", "N"}, {"z", "N"}, {"tilt1", "N m"}, {"tilt2", "N m"}};
  }
  if (const auto* coupling = std::get_if<CouplingLoop>(&loop.law)) {
    const bool turns = !coupling->terms.empty() && is_rotation(model, coupling->terms[0].dof);
    return {{"force", turns ? "N m" : "N"}};
  }
  return {{"force", "N"}};
}

template <class Elements>
std::vector<std::string> names_of(const Elements& elements) {
  std::vector<std::string> names;
  for (const auto& element : elements) names.push_back(element.name);
  return names;
}

void copy(const VecX& values, double* out) { std::copy(values.begin(), values.end(), out); }

class LayoutBuilder {
 public:
  explicit LayoutBuilder(const World& world) : world_(world), model_(world.model) {}

  RunLayout build() {
    scalar("/time", "s", [](const Sample& s) { return s.time; });
    add_bodies();
    add_joints();
    add_actuators();
    add_forces();
    add_rovers();
    add_wheels();
    add_contacts();
    add_mission();
    add_power();
    scalar("/energy/kinetic", "J", [](const Sample& s) { return s.kinetic_energy; });
    scalar("/energy/potential", "J", [](const Sample& s) { return s.potential_energy; });
    scalar("/loop_residual", "m or rad", [](const Sample& s) { return s.loop_residual; });
    return std::move(layout_);
  }

 private:
  using Extract = std::function<void(const Sample&, double*)>;

  template <class Get>
  void scalar(const std::string& path, const std::string& unit, Get get) {
    layout_.series.push_back(
        {.path = path, .unit = unit, .extract = [get](const Sample& sample, double* out) {
           *out = get(sample);
         }});
  }

  void list(std::string path, std::vector<std::string> texts) {
    if (!texts.empty()) layout_.lists.push_back({std::move(path), std::move(texts)});
  }

  void add(RecordedSeries series) {
    if (series.width() > 0) layout_.series.push_back(std::move(series));
  }

  void body_series(std::string path, std::vector<std::string> components, std::string unit,
                   Extract extract) {
    const auto count = static_cast<std::size_t>(model_.body_count());
    const std::size_t width = components.size();
    add({.path = std::move(path),
         .names_path = "/bodies/names",
         .components = std::move(components),
         .unit = std::move(unit),
         .shape = {count, width},
         .extract = std::move(extract)});
  }

  void add_bodies() {
    list("/bodies/names", names_of(model_.bodies()));
    body_series("/bodies/position", {"x", "y", "z"}, "m", [](const Sample& sample, double* out) {
      for (const Pose& X : sample.X_WB) out = std::copy_n(X.p.data(), 3, out);
    });
    body_series("/bodies/quaternion", {"qw", "qx", "qy", "qz"}, "1",
                [](const Sample& sample, double* out) {
                  for (const Pose& X : sample.X_WB) {
                    wxyz_from_rotation(X.R, out);
                    out += 4;
                  }
                });
    body_series("/bodies/velocity", {"vx", "vy", "vz"}, "m/s",
                [](const Sample& sample, double* out) {
                  for (const Twist& V : sample.V_WB) out = std::copy_n(V.linear.data(), 3, out);
                });
    body_series("/bodies/angular_velocity", {"wx", "wy", "wz"}, "rad/s",
                [](const Sample& sample, double* out) {
                  for (const Twist& V : sample.V_WB) out = std::copy_n(V.angular.data(), 3, out);
                });
  }

  // A vector whose numbers have a label and a unit each.
  void labelled(const std::string& path, const std::string& labels_path,
                const std::vector<std::pair<std::string, std::string>>& labels, Extract extract) {
    std::vector<std::string> names, units;
    for (const auto& [name, unit] : labels) {
      names.push_back(name);
      units.push_back(unit);
    }
    list(labels_path + "_labels", std::move(names));
    list(labels_path + "_units", std::move(units));
    add({.path = path,
         .names_path = labels_path + "_labels",
         .units_path = labels_path + "_units",
         .shape = {labels.size()},
         .extract = std::move(extract)});
  }

  void add_joints() {
    std::vector<std::string> names, types;
    std::vector<std::pair<std::string, std::string>> positions, velocities;
    for (std::size_t i = 0; i < model_.joints().size(); ++i) {
      const std::string& name = model_.bodies()[i].joint_name;
      const JointType type = model_.joints()[i].type;
      names.push_back(name);
      types.emplace_back(to_string(type));
      for (const auto& [suffix, unit] : position_labels(type)) {
        positions.emplace_back(name + "." + suffix, unit);
      }
      for (const auto& [suffix, unit] : velocity_labels(type)) {
        velocities.emplace_back(name + "." + suffix, unit);
      }
    }
    assert(static_cast<int>(positions.size()) == model_.position_size());
    assert(static_cast<int>(velocities.size()) == model_.velocity_size());
    list("/joints/names", std::move(names));
    list("/joints/types", std::move(types));
    labelled("/joints/position", "/joints/position", positions,
             [](const Sample& s, double* out) { copy(s.q, out); });
    labelled("/joints/velocity", "/joints/velocity", velocities,
             [](const Sample& s, double* out) { copy(s.v, out); });
  }

  void add_actuators() {
    std::vector<std::string> units;
    for (const Actuator& actuator : model_.actuators()) {
      units.emplace_back(is_rotation(model_, actuator.dof) ? "N m" : "N");
    }
    list("/actuators/names", names_of(model_.actuators()));
    list("/actuators/units", std::move(units));
    add({.path = "/actuators/effort",
         .names_path = "/actuators/names",
         .components = {"effort"},
         .units_path = "/actuators/units",
         .shape = {model_.actuators().size()},
         .extract = [](const Sample& s, double* out) { copy(s.actuator_effort, out); }});
    add({.path = "/actuators/power",
         .names_path = "/actuators/names",
         .components = {"power"},
         .unit = "W",
         .shape = {model_.actuators().size()},
         .extract = [](const Sample& s, double* out) { copy(s.actuator_power, out); }});
  }

  void add_forces() {
    list("/forces/spring_names", names_of(model_.springs()));
    add({.path = "/forces/spring",
         .names_path = "/forces/spring_names",
         .components = {"force"},
         .unit = "N",
         .shape = {model_.springs().size()},
         .extract = [](const Sample& s, double* out) { copy(s.spring_force, out); }});
    list("/forces/tether_names", names_of(model_.tethers()));
    add({.path = "/forces/tether",
         .names_path = "/forces/tether_names",
         .components = {"tension"},
         .unit = "N",
         .shape = {model_.tethers().size()},
         .extract = [](const Sample& s, double* out) { copy(s.tether_tension, out); }});
    std::vector<std::pair<std::string, std::string>> labels;
    for (const Loop& loop : model_.loops()) {
      for (const auto& [suffix, unit] : loop_labels(model_, loop)) {
        labels.emplace_back(loop.name + "." + suffix, unit);
      }
    }
    labelled("/forces/loop", "/forces/loop", labels,
             [](const Sample& s, double* out) { copy(s.loop_force, out); });
  }

  void wheel_series(const char* quantity, std::string unit, double WheelSample::*field) {
    add({.path = std::string("/wheels/") + quantity,
         .names_path = "/wheels/names",
         .components = {quantity},
         .unit = std::move(unit),
         .shape = {wheel_names(world_).size()},
         .extract = [field](const Sample& sample, double* out) {
           for (const WheelSample& wheel : sample.wheels) *out++ = wheel.*field;
         }});
  }

  void add_wheels() {
    list("/wheels/names", wheel_names(world_));
    wheel_series("rate", "rad/s", &WheelSample::rate);
    wheel_series("steer", "rad", &WheelSample::steer);
    wheel_series("torque", "N m", &WheelSample::torque);
    wheel_series("slip", "1", &WheelSample::slip);
    wheel_series("sinkage", "m", &WheelSample::sinkage);
    wheel_series("normal", "N", &WheelSample::normal);
    wheel_series("pull", "N", &WheelSample::pull);
    wheel_series("lateral", "N", &WheelSample::lateral);
    wheel_series("slip_angle", "rad", &WheelSample::slip_angle);
    wheel_series("power", "W", &WheelSample::power);
  }

  void add_mission() {
    if (world_.mission.activities.empty()) return;
    list("/mission/names", names_of(world_.mission.activities));
    scalar("/mission/activity", "1", [](const Sample& s) { return s.activity; });
    scalar("/mission/parked", "1", [](const Sample& s) { return s.parked; });
  }

  void add_power() {
    if (!world_.power) return;
    scalar("/power/charge", "1", [](const Sample& s) { return s.charge; });
    scalar("/power/solar", "W", [](const Sample& s) { return s.power.solar_power; });
    scalar("/power/motors", "W", [](const Sample& s) { return s.power.motor_power; });
    scalar("/power/heaters", "W", [](const Sample& s) { return s.power.heater_power; });
    scalar("/power/loads", "W", [](const Sample& s) { return s.power.load_power; });
    scalar("/power/payload", "W", [](const Sample& s) { return s.power.payload_power; });
  }

  void add_rovers() {
    const std::size_t count = world_.rovers.size();
    list("/rovers/names", names_of(world_.rovers));
    add({.path = "/rovers/attitude",
         .names_path = "/rovers/names",
         .components = {"roll", "pitch", "yaw"},
         .unit = "rad",
         .shape = {count, 3},
         .extract = [](const Sample& sample, double* out) {
           for (const RoverSample& rover : sample.rovers) {
             out = std::copy_n(rover.attitude.data(), 3, out);
           }
         }});
    if (world_.path_commands.empty()) return;
    add({.path = "/rovers/path_deviation",
         .names_path = "/rovers/names",
         .components = {"path_deviation"},
         .unit = "m",
         .shape = {count},
         .extract = [](const Sample& sample, double* out) {
           for (const RoverSample& rover : sample.rovers) *out++ = rover.path_deviation;
         }});
  }

  /// Positions among contact_sensors() of those that are recorded.
  std::vector<std::size_t> recorded_contacts(const std::vector<ContactSensor>& sensors) const {
    std::vector<std::size_t> chosen;
    const auto is_wheel = [&](int body) {
      return std::ranges::any_of(world_.rovers, [&](const Rover& rover) {
        return std::ranges::any_of(rover.wheels,
                                   [&](const Wheel& wheel) { return wheel.body == body; });
      });
    };
    for (std::size_t s = 0; s < sensors.size(); ++s) {
      const RecordedContacts which = world_.settings.record_contacts;
      if (which == RecordedContacts::none) break;
      if (which == RecordedContacts::all || is_wheel(sensors[s].body)) chosen.push_back(s);
    }
    return chosen;
  }

  template <class Get>
  void contact_series(const char* quantity, const std::vector<std::string>& components,
                      const std::string& unit, const std::vector<std::size_t>& chosen,
                      const Get& get) {
    std::vector<std::size_t> shape = {chosen.size()};
    if (components.size() > 1) shape.push_back(components.size());
    add({.path = std::string("/contacts/") + quantity,
         .names_path = "/contacts/names",
         .components = components,
         .unit = unit,
         .shape = std::move(shape),
         .extract = [chosen, get](const Sample& sample, double* out) {
           for (const std::size_t s : chosen) out = get(sample.contacts[s], out);
         }});
  }

  void add_contacts() {
    const std::vector<ContactSensor> sensors = contact_sensors(world_);
    const std::vector<std::size_t> chosen = recorded_contacts(sensors);
    std::vector<std::string> names, models;
    for (const std::size_t s : chosen) {
      // A wheel may touch soil by one model and rocks by another.
      names.push_back(sensors[s].name + ":" + sensors[s].model);
      models.push_back(sensors[s].model);
    }
    list("/contacts/names", std::move(names));
    list("/contacts/models", std::move(models));
    const auto number = [](double ContactReading::*field) {
      return [field](const ContactReading& reading, double* out) {
        *out = reading.*field;
        return out + 1;
      };
    };
    const auto vector = [](Vec3 ContactReading::*field) {
      return [field](const ContactReading& reading, double* out) {
        return std::copy_n((reading.*field).data(), 3, out);
      };
    };
    contact_series("in_contact", {"in_contact"}, "1", chosen,
                   [](const ContactReading& reading, double* out) {
                     *out = reading.in_contact ? 1 : 0;
                     return out + 1;
                   });
    contact_series("force", {"fx", "fy", "fz"}, "N", chosen, vector(&ContactReading::force));
    contact_series("torque", {"tx", "ty", "tz"}, "N m", chosen, vector(&ContactReading::torque));
    contact_series("power", {"contact_power"}, "W", chosen, number(&ContactReading::power));
    contact_series("depth", {"depth"}, "m", chosen, number(&ContactReading::depth));
    contact_series("point", {"px", "py", "pz"}, "m", chosen, vector(&ContactReading::point));
  }

  const World& world_;
  const Model& model_;
  RunLayout layout_;
};

}  // namespace

std::size_t RecordedSeries::width() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

RunLayout run_layout(const World& world) { return LayoutBuilder(world).build(); }

std::vector<std::string> wheel_names(const World& world) {
  std::vector<std::string> names;
  for (const Rover& rover : world.rovers) {
    for (const Wheel& wheel : rover.wheels) names.push_back(wheel.name);
  }
  return names;
}

bool is_rotation(const Model& model, int dof) {
  const Joint& joint = model.joints()[static_cast<std::size_t>(model.joint_of_dof(dof))];
  const int offset = dof - joint.v;
  switch (joint.type) {
    case JointType::prismatic:
      return false;
    case JointType::planar:
      return offset == 2;
    case JointType::free:
      return offset < 3;
    default:
      return true;
  }
}

}  // namespace grouser::internal
