#include "functions.hpp"

#include <array>
#include <limits>
#include <optional>
#include <pybind11/stl.h>

#include <fmt/format.h>

namespace tappet::python {

Kept keep(py::object object) {
  return {object.release().ptr(), [](PyObject* held) {
            if (!Py_IsInitialized()) return;
            const py::gil_scoped_acquire lock;
            Py_DECREF(held);
          }};
}

Function read_function(const py::dict& description) {
  Function out;
  out.name = description["name"].cast<std::string>();
  out.help = description["help"].cast<std::string>();
  out.callable = keep(description["function"]);
  out.variables = description["variables"].cast<std::vector<int>>();
  using Row = std::tuple<std::string, std::string, std::optional<double>>;
  for (const auto& [name, unit, fallback] : description["parameters"].cast<std::vector<Row>>())
    out.parameters.push_back({.name = name,
                              .unit = unit,
                              .help = "of the Python function",
                              .required = !fallback,
                              .fallback = fallback ? fmt::format("{}", *fallback) : ""});
  if (const py::object energy = description["energy"]; !energy.is_none()) out.energy = keep(energy);
  out.torque = description["torque"].cast<bool>();
  return out;
}

Bound::Bound(const std::string& name, const Kept& callable, const std::vector<int>& variables,
             const std::vector<Parameter>& parameters, const AnyParameters& values)
    : name_(name), variables_(variables) {
  const py::gil_scoped_acquire lock;
  py::dict keywords;
  for (const Parameter& parameter : parameters)
    keywords[py::str(parameter.name)] = values.number(parameter.name);
  const auto function = py::reinterpret_borrow<py::object>(callable.get());
  partial_ = keep(
      parameters.empty() ? function : py::module_::import("functools").attr("partial")(function, **keywords));
}

py::object Bound::operator()(std::span<const double> quantities) const {
  // Straight through the C interface: this is called as often as the forces are evaluated.
  std::array<PyObject*, 8> arguments{};
  const std::size_t count = variables_.size();
  for (std::size_t i = 0; i < count; ++i) arguments[i] = PyFloat_FromDouble(quantities[variables_[i]]);
  PyObject* returned = PyObject_Vectorcall(partial_.get(), arguments.data(), count, nullptr);
  for (std::size_t i = 0; i < count; ++i) Py_XDECREF(arguments[i]);
  if (!returned && PyErr_ExceptionMatches(PyExc_OverflowError)) {
    // A step that went much too far; where C++ has infinity, Python complains. The integrator tries a smaller
    // one.
    PyErr_Clear();
    throw SimulationError(std::numeric_limits<double>::quiet_NaN(),
                          fmt::format("the Python function '{}' overflows", name_));
  }
  if (!returned) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(returned);
}

double Bound::as_number(const py::handle& returned) const {
  const double number = PyFloat_AsDouble(returned.ptr());
  if (number == -1.0 && PyErr_Occurred()) {
    PyErr_Clear();
    refuse(returned, "a number");
  }
  return number;
}

void Bound::refuse(const py::handle& returned, const std::string& expected) const {
  throw py::type_error(fmt::format("the Python function '{}' returned {}; {} is expected", name_,
                                   py::repr(returned).cast<std::string>(), expected));
}

void Busy::require_idle(const std::string& name) {
  if (count > 0)
    throw std::runtime_error(fmt::format("'{}' cannot be registered while a model is running", name));
}

}  // namespace tappet::python
