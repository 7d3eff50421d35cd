#include "binding.h"

namespace grouser::python {

void bind_run(py::module_& module) {
  py::class_<Run>(module, "Run")
      .def(py::init<const std::filesystem::path&>())
      .def_property_readonly("scene_name", &Run::scene_name)
      .def_property_readonly("scene_text", &Run::scene_text)
      .def_property_readonly("is_complete", &Run::is_complete)
      .def_property_readonly("quantities", &Run::quantities)
      .def("_times",
           [](const Run& run) {
             std::vector<double> times = run.times();
             const auto count = static_cast<py::ssize_t>(times.size());
             return take(std::move(times), {count});
           })
      .def("_read", [](const Run& run, const std::string& quantity) {
        Table table = run.read(quantity);
        const auto rows = static_cast<py::ssize_t>(table.rows);
        const auto columns = static_cast<py::ssize_t>(table.columns.size());
        std::vector<std::string> labels, units;
        for (Column& column : table.columns) {
          labels.push_back(std::move(column.label)), units.push_back(std::move(column.unit));
        }
        return py::make_tuple(take(std::move(table.values), {rows, columns}), labels, units);
      });
}

}  // namespace grouser::python
