// Every failure of the library as a Python exception of tappet/_errors.py.

#include "bindings.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/paths.hpp"

namespace tappet::python {

namespace {

py::object errors_module() {
  return py::module_::import("tappet._errors");
}

void set_input_error(const InputError& error, const Value* root) {
  const py::object type = errors_module().attr("InputError");
  PyErr_SetObject(type.ptr(), type(to_python(error.diagnostics(), root)).ptr());
}

}  // namespace

py::list to_python(const std::vector<Diagnostic>& diagnostics, const Value* root) {
  const py::object type = errors_module().attr("Diagnostic");
  py::list out;
  for (const Diagnostic& d : diagnostics) {
    const auto known = [](int number) -> py::object {
      return number > 0 ? py::object(py::int_(number)) : py::none();
    };
    out.append(type(py::arg("severity") = d.severity == Severity::error ? "error" : "warning",
                    py::arg("message") = d.message,
                    py::arg("file") = d.pos.file ? py::object(py::str(*d.pos.file)) : py::none(),
                    py::arg("line") = known(d.pos.line), py::arg("column") = known(d.pos.column),
                    py::arg("field") = root ? path_of(*root, d) : ""));
  }
  return out;
}

void raise_input_error(const InputError& error, const Value* root) {
  set_input_error(error, root);
  throw py::error_already_set();
}

void bind_errors(py::module_&) {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      set_input_error(error, nullptr);
    } catch (const LawDomainError& error) {
      PyErr_SetString(errors_module().attr("LawDomainError").ptr(), error.what());
    } catch (const SimulationError& error) {
      const py::object type = errors_module().attr("SimulationError");
      PyErr_SetObject(type.ptr(), type(error.what(), error.time()).ptr());
    }
  });
}

}  // namespace tappet::python
