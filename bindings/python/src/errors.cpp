#include "binding.h"

namespace grouser::python {

void refuse(const std::string& message) {
  throw Error(ErrorKind::usage, Issue{.message = message});
}

namespace {

const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::diverged:
      return "diverged";
    case ErrorKind::io:
      break;
  }
  return "io";
}

/// Raises grouser.Error with all findings.
void raise(const Error& error) {
  py::list issues;
  for (const Issue& issue : error.issues()) {
    issues.append(py::make_tuple(issue.message, issue.file, issue.line, issue.field, issue.value,
                                 issue.legal));
  }
  const py::object type = py::module_::import("grouser._errors").attr("Error");
  const py::object made = type.attr("_made")(error.what(), name_of(error.kind()), issues);
  PyErr_SetObject(type.ptr(), made.ptr());
}

}  // namespace

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(std::move(pointer));
    } catch (const Error& error) {
      try {
        raise(error);
      } catch (py::error_already_set& inner) {
        inner.restore();
      }
    }
  });
}

}  // namespace grouser::python
