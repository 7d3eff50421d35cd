#include "binding.h"

namespace grouser::python {

py::array view(const py::dtype& dtype, py::array::ShapeContainer shape, const void* data,
               py::handle owner) {
  py::array array(dtype, std::move(shape), data, owner);
  array.attr("setflags")(py::arg("write") = false);
  return array;
}

py::array take(std::vector<double>&& values, py::array::ShapeContainer shape) {
  auto held = std::make_unique<std::vector<double>>(std::move(values));
  const double* data = held->data();
  const py::capsule owner(held.release(),
                          [](void* vector) { delete static_cast<std::vector<double>*>(vector); });
  return py::array(py::dtype::of<double>(), std::move(shape), data, owner);
}

Vec3 vec3_of(const Numbers& numbers, const char* what) {
  if (numbers.ndim() != 1 || numbers.shape(0) != 3)
    refuse(std::string(what) + " must be three numbers");
  return {numbers.at(0), numbers.at(1), numbers.at(2)};
}

Use::Use(Owner& owner) : owner_(owner) {
  const std::thread::id self = std::this_thread::get_id();
  std::thread::id before;
  if (owner_.thread.compare_exchange_strong(before, self)) return;
  if (before != self) refuse("another thread is at work with it");
  is_first_ = false;
}

Use::~Use() {
  if (is_first_) owner_.thread = std::thread::id();
}

}  // namespace grouser::python

PYBIND11_MODULE(_core, module) {
  namespace python = grouser::python;
  module.doc() = "The compiled part of grouser. Use the package.";
  module.def(
      "version", [] { return std::string(grouser::version()); },
      "Of the library: major.minor.patch.");
  python::bind_errors(module);
  python::bind_world(module);
  python::bind_samples(module);
  python::bind_simulation(module);
  python::bind_contacts(module);
  python::bind_run(module);
}
