#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <grouser/error.h>
#include <grouser/scene.h>

namespace grouser {

namespace internal {
struct Face;  // lets the library itself look inside
struct World;
}  // namespace internal

/// The ground at a point, seen from above.
struct GroundPoint {
  double height = 0;        ///< [m]
  Vec3 normal = {0, 0, 1};  ///< unit, upward
};

/// Nodes of a regular grid, seen from above.
struct GroundWindow {
  double x = 0, y = 0;    ///< of the first node [m]
  double spacing = 0.01;  ///< between nodes [m], > 0
  int columns = 0;        ///< nodes along x, >= 1
  int rows = 0;           ///< nodes along y, >= 1
};

/// What the ground covers, seen from above. Beyond it goes on as it is at its edge.
struct GroundBounds {
  double x_min = 0, y_min = 0, x_max = 0, y_max = 0;  ///< [m]
};

/// Everything about a simulation but its state: bodies, joints, motors, ground, contacts, commands. It never changes;
/// copies share it, also between threads. Where a list of things is given, here and in a Sample, their order is that
/// of their names.
class GROUSER_API World {
 public:
  /// From a YAML file (docs/scene-format.md). All throw Error(input) with every mistake of the scene, each with file, line,
  /// field, value and what would be legal.
  static World load(const std::filesystem::path& file);
  /// From YAML text. Files that it names are looked for in `folder`, here and below.
  static World parse(const std::string& yaml, const std::filesystem::path& folder = ".");
  /// From a built-in scene: "default", "terra", ...; builtin_scenes() lists them.
  static World builtin(std::string_view name);
  /// From values: the map of a scene. `{"grouser", 1}` may be left out.
  static World build(const Value& scene, const std::filesystem::path& folder = ".");

  /// The same, with a place for contacts that a host finds itself (Simulation::set_contacts()), beside those of the
  /// scene or with none. Needs the integrator moreau_jean.
  World with_host_contacts() const;

  const std::string& name() const;
  /// That the scene asks for [s].
  double duration() const;
  /// Of the integrator [s].
  double step() const;
  /// Of all bodies [kg].
  double total_mass() const;

  std::vector<std::string> bodies() const;
  std::vector<std::string> actuators() const;
  std::vector<std::string> rovers() const;
  /// Of all rovers.
  std::vector<std::string> wheels() const;
  /// Contact sensors: all shapes of bodies that touch others or the ground, as "NAME (MODEL)".
  std::vector<std::string> contacts() const;
  std::vector<std::string> springs() const;
  std::vector<std::string> tethers() const;
  std::vector<std::string> events() const;

  bool has_ground() const;
  /// The untouched ground. Throws Error(usage) where there is none.
  GroundPoint ground_at(double x, double y) const;
  /// Heights of the untouched ground [m] at the nodes of a window, row by row, x running fastest. Throws Error(usage) if
  /// the window is not legal or has more than 10⁸ nodes.
  std::vector<double> ground_heights(const GroundWindow& window) const;
  GroundBounds ground_bounds() const;

 private:
  friend struct internal::Face;
  explicit World(std::shared_ptr<const internal::World> held) : held_(std::move(held)) {}

  std::shared_ptr<const internal::World> held_;
};

GROUSER_API std::vector<std::string> builtin_scenes();
GROUSER_API std::vector<std::string> builtin_rovers();
/// Names of the built-in soils.
GROUSER_API std::vector<std::string> builtin_soils();

}  // namespace grouser
