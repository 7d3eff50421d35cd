#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <cstddef>
#include <span>
#include <string>
#include <thread>

#include <grouser/contact.h>
#include <grouser/run.h>
#include <grouser/simulation.h>

/// The compiled part of the package grouser: plain classes and arrays, on which the package is written in Python.
namespace grouser::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_world(py::module_& module);
void bind_samples(py::module_& module);
void bind_simulation(py::module_& module);
void bind_contacts(py::module_& module);
void bind_run(py::module_& module);

[[noreturn]] void refuse(const std::string& message);

/// A scene's dicts, lists, arrays, numbers, texts and truths. Throws Error(input), naming the field, for anything else.
Value value_of(py::handle object);

/// A view of memory that belongs to `owner`, which it keeps alive. Nobody can write through it.
py::array view(const py::dtype& dtype, py::array::ShapeContainer shape, const void* data,
               py::handle owner);
/// A vector becomes the memory of an array.
py::array take(std::vector<double>&& values, py::array::ShapeContainer shape);

inline py::bytes bytes_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
inline std::span<const std::byte> span_of(std::string_view bytes) {
  return {reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()};
}

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;
/// Rows of plain structs out of an array of numbers, one struct per row. Throws Error(usage) for other shapes.
template <class Plain>
std::span<const Plain> rows_of(const Numbers& numbers, const char* what) {
  constexpr std::size_t kColumns = sizeof(Plain) / sizeof(double);
  if (numbers.ndim() != 2 || static_cast<std::size_t>(numbers.shape(1)) != kColumns) {
    refuse(std::string(what) + " must be an array of shape (bodies, " + std::to_string(kColumns) +
           ")");
  }
  return {reinterpret_cast<const Plain*>(numbers.data()),
          static_cast<std::size_t>(numbers.shape(0))};
}
/// Three numbers. Throws Error(usage).
Vec3 vec3_of(const Numbers& numbers, const char* what);

/// Which thread works with an object: others are refused meanwhile, since it runs without Python's lock.
class Owner {
 public:
  std::atomic<std::thread::id> thread = {};
};
class Use {
 public:
  explicit Use(Owner& owner);
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  Owner& owner_;
  bool is_first_ = true;
};

}  // namespace grouser::python
