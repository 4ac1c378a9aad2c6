// Studies: many runs of one model, in threads; and how far one run can be trusted.

#include "tappet/studies/sweep.hpp"

#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "functions.hpp"
#include "tappet/studies/sweep_output.hpp"
#include "tappet/studies/verify.hpp"

namespace tappet::python {

namespace {

/// A study with its rows, once they are there.
struct Sweep {
  Study study;
  std::vector<SweepRow> rows = {};

  /// Runs everything that the journal does not have. Ctrl-C ends it after the runs that are under way.
  void run(int threads, const std::string& journal, bool restart, const py::object& progress) {
    const Busy busy;
    const py::gil_scoped_release unlocked;
    rows = run_sweep(study, {.threads = threads,
                             .journal = journal,
                             .restart = restart,
                             .any_build = false,
                             .ranks = nullptr,
                             .progress = [&](const SweepProgress& now) {
                               const py::gil_scoped_acquire lock;
                               if (PyErr_CheckSignals() != 0) throw py::error_already_set();
                               if (!progress.is_none()) progress(now.done, now.runs, now.failed);
                             }});
  }

  /// Name, unit and values of each parameter: numbers of a range in its unit, texts of a list.
  py::list axes() const {
    py::list out;
    for (std::size_t j = 0; j < study.axes.size(); ++j) {
      const Axis& axis = study.axes[j];
      py::list values;
      for (const auto& row : study.design) {
        if (axis.is_range())
          values.append(row[j].number);
        else
          values.append(row[j].text);
      }
      out.append(py::make_tuple(axis.name, axis.unit, values));
    }
    return out;
  }

  /// Name, unit and kind of each metric.
  py::list metrics() const {
    py::list out;
    for (const Metric& metric : study.metrics)
      out.append(
          py::make_tuple(metric.name, metric.unit, metric.kind == Metric::Kind::value ? "value" : "list"));
    return out;
  }

  /// One row per run: the reason of its failure or "", figures, and lists of times and values.
  py::list results() const {
    py::list out;
    for (const SweepRow& row : rows) out.append(py::make_tuple(row.reason, row.values, row.lists));
    return out;
  }

  std::string list_csv(const std::string& name) const {
    for (const Metric& metric : study.metrics)
      if (metric.name == name) return list_table(study, rows, metric);
    throw py::key_error(name);
  }
};

Sweep of_model(const py::handle& description, const EditableModel& model, const std::string& file, int line) {
  const SourcePos pos{std::make_shared<const std::string>(file), line, 0};
  Value root = from_python(description, pos);
  try {
    return {study_of_model(root, file, model.root, model.name)};
  } catch (const InputError& error) {
    raise_input_error(error, &model.root);
  }
}

}  // namespace

void bind_sweep(py::module_& module) {
  // The verdict, everything for people, and everything as JSON.
  module.def("verify", [](const EditableModel& model) {
    const Busy busy;
    Diagnostics diagnostics;
    compiled(model, diagnostics);  // its faults with their fields
    const py::gil_scoped_release unlocked;
    const Verification found = verify(model.root, model.name, {});
    return std::tuple(found.verdict(), verification_text(found), verification_json(found));
  });
  py::class_<Sweep>(module, "Sweep")
      .def_static("from_file", [](const std::string& path) { return Sweep{load_study(path)}; })
      .def_static("of_model", of_model)
      .def_property_readonly("title", [](const Sweep& self) { return self.study.title; })
      .def_property_readonly("runs", [](const Sweep& self) { return self.study.runs(); })
      .def_property_readonly("axes", &Sweep::axes)
      .def_property_readonly("metrics", &Sweep::metrics)
      .def("settings_of", [](const Sweep& self, std::size_t run) { return self.study.settings_of(run); })
      .def("run", &Sweep::run)
      .def_property_readonly("results", &Sweep::results)
      .def("csv", [](const Sweep& self) { return sweep_table(self.study, self.rows); })
      .def("list_csv", &Sweep::list_csv);
}

}  // namespace tappet::python
