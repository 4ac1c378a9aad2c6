// The parts of the extension module tappet._core, one file each. What users see is written in Python, in
// tappet/*.py; here is only what needs the library.
#pragma once

#include <memory>
#include <mutex>
#include <pybind11/pybind11.h>
#include <string>
#include <vector>

#include "tappet/base/input_file.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::python {

namespace py = pybind11;

void bind_errors(py::module_& module);
void bind_model(py::module_& module);
void bind_run(py::module_& module);
void bind_simulation(py::module_& module);
void bind_result_file(py::module_& module);
void bind_laws(py::module_& module);
void bind_python_laws(py::module_& module);
void bind_python_forces(py::module_& module);
void bind_sweep(py::module_& module);
void bind_lcp(py::module_& module);

/// A model that can be edited: the tree of its file, and the name that messages call it by.
struct EditableModel {
  Value root;
  std::string name;
};

/// The model checked and compiled; faults become a Python exception that knows each one's place and field.
std::shared_ptr<const Model> compiled(const EditableModel& model, Diagnostics& diagnostics);

/// Everything that a run gave, in memory that NumPy's arrays look into.
struct Record {
  std::vector<Signal> columns;  ///< time first
  std::vector<double> values;   ///< row by row
  std::vector<double> between;  ///< likewise, rows between samples
  std::vector<std::string> contacts, event_names;
  std::vector<Impact> impacts;
  std::vector<EventRecord> events;
  std::string title, model_file, model_text;
  std::vector<InputFile> files;  ///< that the model names
  RunSummary summary;
};

/// Runs from where the simulation is to its end, and to the file `output` unless that is empty: the record, and the exception
/// that ended the run, or None. `warnings` are those of the model.
py::tuple run_simulation(Simulation& simulation, const std::vector<std::string>& warnings,
                         const std::string& output, const py::object& progress);

/// Raises tappet.InputError in Python. With `root`, each fault says which value it is about.
[[noreturn]] void raise_input_error(const InputError& error, const Value* root);

/// Diagnostics as objects of the class tappet.Diagnostic.
py::list to_python(const std::vector<Diagnostic>& diagnostics, const Value* root);

/// A tree of values from None, numbers, text, lists and mappings, every part of it at `pos`; and back.
Value from_python(const py::handle& object, const SourcePos& pos);
py::object to_python(const Value& value);

/// HDF5 is not made for several threads; whoever uses it without Python's lock, or with it, takes this one.
std::mutex& hdf5_mutex();

}  // namespace tappet::python
