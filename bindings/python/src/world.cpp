#include "binding.h"

namespace grouser::python {
namespace {

using Release = py::call_guard<py::gil_scoped_release>;

}  // namespace

GroundWindow window_of(double x, double y, double spacing, int columns, int rows) {
  return {.x = x, .y = y, .spacing = spacing, .columns = columns, .rows = rows};
}

void bind_world(py::module_& module) {
  py::class_<GroundPoint>(module, "GroundPoint", "The ground at a point, seen from above.")
      .def_readonly("height", &GroundPoint::height, "[m]")
      .def_property_readonly(
          "normal",
          [](const GroundPoint& point) {
            return py::make_tuple(point.normal.x, point.normal.y, point.normal.z);
          },
          "Unit, upward.")
      .def("__repr__", [](const GroundPoint& point) {
        return "<grouser.GroundPoint at " + std::to_string(point.height) + " m>";
      });

  py::class_<World>(module, "World")
      .def(py::init<const World&>())
      .def_static("_load", &World::load, Release())
      .def_static("_parse", &World::parse, Release())
      .def_static("_builtin", &World::builtin, Release())
      .def_static("_build",
                  [](const py::object& scene, const std::filesystem::path& folder) {
                    const Value value = value_of(scene);
                    const py::gil_scoped_release release;
                    return World::build(value, folder);
                  })
      .def("_with_host_contacts", &World::with_host_contacts)
      .def("_name", &World::name)
      .def("_duration", &World::duration)
      .def("_step", &World::step)
      .def("_total_mass", &World::total_mass)
      .def("_bodies", &World::bodies)
      .def("_actuators", &World::actuators)
      .def("_rovers", &World::rovers)
      .def("_wheels", &World::wheels)
      .def("_contacts", &World::contacts)
      .def("_springs", &World::springs)
      .def("_tethers", &World::tethers)
      .def("_events", &World::events)
      .def("_has_ground", &World::has_ground)
      .def("_ground_at", &World::ground_at)
      .def("_ground_heights",
           [](const World& world, double x, double y, double spacing, int columns, int rows) {
             return take(world.ground_heights(window_of(x, y, spacing, columns, rows)),
                         {rows, columns});
           })
      .def("_ground_bounds", [](const World& world) {
        const GroundBounds bounds = world.ground_bounds();
        return py::make_tuple(bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max);
      });

  module.def("builtin_scenes", &builtin_scenes, "Names of the scenes that are built in.");
  module.def("builtin_rovers", &builtin_rovers, "Names of the rovers that are built in.");
  module.def("builtin_soils", &builtin_soils, "Names of the soils that are built in.");
}

}  // namespace grouser::python
