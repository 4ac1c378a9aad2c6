// Models by path: reading, changing, checking.

#include "tappet/model/model.hpp"

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "tappet/spec/numeric_values.hpp"
#include "tappet/spec/paths.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::python {

namespace {

/// A place in the user's program. A pointer of its own for each change, so that two changes in one line can
/// be told apart.
SourcePos place(const std::string& file, int line) {
  return {std::make_shared<const std::string>(file), line, 0};
}

EditableModel from_object(const py::handle& object, const std::string& name, int line) {
  return {from_python(object, place(name, line)), name};
}

void set(EditableModel& model, const std::string& path, const py::handle& value, const std::string& file,
         int line) {
  const SourcePos pos = place(file, line);
  change_value(model.root, path, from_python(value, pos), pos);
}

void add(EditableModel& model, const std::string& path, const py::handle& value, const std::string& file,
         int line) {
  const SourcePos pos = place(file, line);
  add_value(model.root, path, from_python(value, pos), pos);
}

std::string kind(const EditableModel& model, const std::string& path) {
  const Value* value = find_value(model.root, path);
  if (!value) return "";
  switch (value->kind) {
    case Value::Kind::null:
      return "null";
    case Value::Kind::scalar:
      return "scalar";
    case Value::Kind::sequence:
      return "sequence";
    case Value::Kind::mapping:
      return "mapping";
  }
  return "";
}

std::vector<std::string> keys(const EditableModel& model, const std::string& path) {
  std::vector<std::string> out;
  if (const Value* value = find_value(model.root, path))
    for (const auto& [key, item] : value->map) out.push_back(key);
  return out;
}

py::object get(const EditableModel& model, const std::string& path) {
  const Value* value = find_value(model.root, path);
  if (!value) throw py::key_error(path);
  return to_python(*value);
}

py::list check(const EditableModel& model) {
  Diagnostics diagnostics;
  compiled(model, diagnostics);
  return to_python(diagnostics.all(), &model.root);
}

std::vector<std::tuple<std::string, double, std::string>> numbers(const EditableModel& model) {
  std::vector<std::tuple<std::string, double, std::string>> out;
  for (const NumericValue& value : numeric_values(model.root))
    out.emplace_back(value.path, value.number, value.unit);
  return out;
}

}  // namespace

std::shared_ptr<const Model> compiled(const EditableModel& model, Diagnostics& diagnostics) {
  try {
    return compile(spec_from_value(model.root, model.name), diagnostics);
  } catch (const InputError& error) {
    raise_input_error(error, &model.root);
  }
}

void bind_model(py::module_& module) {
  py::class_<EditableModel>(module, "Model")
      .def_static("from_file",
                  [](const std::string& path) {
                    return EditableModel{read_yaml_file(path), path};
                  })
      .def_static("from_text",
                  [](const std::string& text, const std::string& name) {
                    return EditableModel{read_yaml_text(text, name), name};
                  })
      .def_static("from_object", from_object)
      .def("copy", [](const EditableModel& model) { return model; })
      .def_readonly("name", &EditableModel::name)
      .def("get", get)
      .def("set", set)
      .def("add", add)
      .def("apply",
           [](EditableModel& model, const std::vector<std::string>& settings) {
             for (const std::string& setting : settings) apply_setting(model.root, setting);
           })
      .def("remove",
           [](EditableModel& model, const std::string& path) { return remove_value(model.root, path); })
      .def("kind", kind)
      .def("keys", keys)
      .def("yaml",
           [](const EditableModel& model, const std::string& path) {
             const Value* value = find_value(model.root, path);
             return value ? to_yaml(*value) : std::string();
           })
      .def("numbers", numbers)
      .def("check", check);
}

}  // namespace tappet::python
