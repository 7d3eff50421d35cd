#include "binding.h"

namespace grouser::python {
namespace {

constexpr int kMostLevels = 64;

[[noreturn]] void refuse_value(const std::string& field, std::string message) {
  throw Error(ErrorKind::input, Issue{.message = std::move(message), .field = field});
}

Value convert(py::handle object, const std::string& field, int level);

Value convert_map(const py::dict& dict, const std::string& field, int level) {
  Map map;
  for (const auto& [key, value] : dict) {
    if (!py::isinstance<py::str>(key)) refuse_value(field, "a key of a scene must be a text");
    const auto name = py::cast<std::string>(key);
    map.emplace_back(name, convert(value, field.empty() ? name : field + "." + name, level + 1));
  }
  return Value(std::move(map));
}

Value convert_list(const py::sequence& sequence, const std::string& field, int level) {
  List list;
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    const py::object element = sequence[k];
    list.push_back(convert(element, field + "[" + std::to_string(k) + "]", level + 1));
  }
  return Value(std::move(list));
}

bool is_number(py::handle object) {
  return PyFloat_Check(object.ptr()) || PyIndex_Check(object.ptr()) ||
         py::isinstance(object, py::module_::import("numbers").attr("Real"));
}

Value convert(py::handle object, const std::string& field, int level) {
  if (level > kMostLevels) refuse_value(field, "the scene is nested more than 64 levels deep");
  if (object.is_none()) return Value();
  if (PyBool_Check(object.ptr())) return Value(object.ptr() == Py_True);
  if (py::isinstance<py::str>(object)) return Value(py::cast<std::string>(object));
  if (py::isinstance<py::dict>(object)) {
    return convert_map(py::reinterpret_borrow<py::dict>(object), field, level);
  }
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    return convert_list(py::reinterpret_borrow<py::sequence>(object), field, level);
  }
  if (py::isinstance<py::array>(object) || py::hasattr(object, "dtype")) {
    return convert(object.attr("tolist")(), field, level + 1);
  }
  if (is_number(object))
    return Value(py::cast<double>(py::float_(py::reinterpret_borrow<py::object>(object))));
  if (py::hasattr(object, "__fspath__"))
    return Value(py::cast<std::string>(object.attr("__fspath__")()));
  refuse_value(
      field,
      "is of type " + py::cast<std::string>(py::type::handle_of(object).attr("__name__")) +
          ", of which scenes are not made: take None, bool, numbers, str, dict, list or arrays");
}

}  // namespace

Value value_of(py::handle object) { return convert(object, "", 0); }

}  // namespace grouser::python
