// A run whose samples stay in memory, for arrays to look into, and go to a file if one is named.

#include <algorithm>
#include <chrono>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <fmt/format.h>

#include "functions.hpp"
#include "tappet/base/version.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/results/summary.hpp"

namespace tappet::python {

namespace {

using Clock = std::chrono::steady_clock;

/// How often Python is asked whether the user wants to stop, and told how far the run is.
constexpr std::chrono::milliseconds attention{50};

/// Keeps what comes, and lets Python's signals and the user's progress function have their say.
class Recorder final : public Observer {
 public:
  Recorder(Record& record, ResultWriter* writer, py::object progress)
      : record_(record), writer_(writer), progress_(std::move(progress)) {}

  void sample(std::span<const double> row) override {
    record_.values.insert(record_.values.end(), row.begin(), row.end());
    to_file([&](ResultWriter& writer) { writer.sample(row); });
  }
  void between(std::span<const double> row) override {
    record_.between.insert(record_.between.end(), row.begin(), row.end());
    to_file([&](ResultWriter& writer) { writer.between(row); });
  }
  bool wants_between() const override { return true; }
  void fields(int structure, const fem::Fields& fields) override {
    to_file([&](ResultWriter& writer) { writer.fields(structure, fields); });
  }
  bool wants_fields() const override { return writer_ != nullptr; }
  void impact(const Impact& impact) override {
    record_.impacts.push_back(impact);
    to_file([&](ResultWriter& writer) { writer.impact(impact); });
  }
  void event(const EventRecord& event) override {
    record_.events.push_back(event);
    to_file([&](ResultWriter& writer) { writer.event(event); });
  }
  bool checkpoint_due() override { return writer_ && writer_->checkpoint_due(); }
  void checkpoint(const State& state) override {
    to_file([&](ResultWriter& writer) { stopped ? writer.checkpoint_now(state) : writer.checkpoint(state); });
  }
  void end(const State& state) override {
    to_file([&](ResultWriter& writer) { writer.end(state); });
  }
  void progress(double t, double t_end) override { t_ = t, t_end_ = t_end; }
  bool stop_requested() override {
    if (stopped || Clock::now() - last_ < attention) return stopped.has_value();
    const py::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (!progress_.is_none()) progress_(t_, t_end_);
    } catch (const py::error_already_set& raised) {
      stopped.emplace(raised);
    }
    last_ = Clock::now();
    return stopped.has_value();
  }

  std::optional<py::error_already_set> stopped;  ///< what Python raised: KeyboardInterrupt, mostly

 private:
  template <class Action>
  void to_file(Action action) {
    if (!writer_) return;
    const std::lock_guard lock(hdf5_mutex());
    action(*writer_);
  }

  Record& record_;
  ResultWriter* writer_;
  py::object progress_;
  double t_ = 0, t_end_ = 0;
  Clock::time_point last_ = Clock::now();
};

/// Without a simulation: of what is in memory, which has no checkpoints and no fields.
ResultHeader header_of(const Record& record, const Simulation* simulation) {
  return {.signals = {record.columns.begin() + 1, record.columns.end()},
          .contacts = record.contacts,
          .events = record.event_names,
          .title = record.title,
          .model_file = record.model_file,
          .model_text = record.model_text,
          .created = "",
          .program_version = version(),
          .structures = simulation ? simulation->field_meshes() : std::vector<fem::FieldMesh>{},
          .field_samples = simulation ? static_cast<std::size_t>(simulation->field_samples()) : 0,
          .build = build_identity(),
          .files = record.files};
}

/// Python's own sentence: "ValueError: math domain error".
std::string sentence(const py::error_already_set& raised) {
  return fmt::format("{}: {}", raised.type().attr("__name__").cast<std::string>(),
                     py::str(raised.value()).cast<std::string>());
}

/// Runs to the end, or to where Python raised something; that is returned.
std::optional<py::error_already_set> run_loop(Simulation& simulation, Record& record, ResultWriter* writer,
                                              const py::object& progress) {
  Recorder recorder(record, writer, progress);
  try {
    const py::gil_scoped_release unlocked;
    record.summary = simulation.run(recorder);
  } catch (const py::error_already_set& raised) {
    // A law or a force written in Python.
    if (!recorder.stopped) recorder.stopped.emplace(raised);
    record.summary = simulation.describe();
    record.summary.t_end =
        record.values.empty() ? 0 : record.values[record.values.size() - record.columns.size()];
    record.summary.samples = static_cast<long>(record.values.size() / record.columns.size());
    record.summary.impacts = static_cast<long>(record.impacts.size());
    record.summary.events = static_cast<long>(record.events.size());
  }
  if (recorder.stopped && !record.summary.completed)
    record.summary.stop_reason = recorder.stopped->matches(PyExc_KeyboardInterrupt)
                                     ? "interrupted (Ctrl-C)"
                                     : "a Python function raised " + sentence(*recorder.stopped);
  return recorder.stopped;
}

}  // namespace

py::tuple run_simulation(Simulation& simulation, const std::vector<std::string>& warnings,
                         const std::string& output, const py::object& progress) {
  const Busy busy;
  const Model& model = simulation.model();
  const auto record = std::make_shared<Record>();
  record->columns = {{"time", "s"}};
  record->columns.insert(record->columns.end(), simulation.signals().begin(), simulation.signals().end());
  record->contacts = simulation.contact_names();
  record->event_names = simulation.event_names();
  record->title = model.title;
  record->model_file = model.file;
  record->model_text = model.text;
  record->files = model.files;
  const double samples = (model.settings.duration - simulation.time()) / model.settings.output_step;
  record->values.reserve(record->columns.size() *
                         static_cast<std::size_t>(std::clamp(samples + 2, 0.0, 1e6)));

  std::optional<ResultWriter> writer;
  if (!output.empty()) {
    const std::lock_guard lock(hdf5_mutex());
    writer.emplace(ResultWriter::create(output, header_of(*record, &simulation)));
  }
  const auto raised = run_loop(simulation, *record, writer ? &*writer : nullptr, progress);
  record->summary.warnings.insert(record->summary.warnings.begin(), warnings.begin(), warnings.end());
  if (writer) {
    const std::lock_guard lock(hdf5_mutex());
    try {
      writer->finish(record->summary);
    } catch (const SimulationError& error) {
      // The file is not whole; memory is.
      record->summary.completed = false;
      record->summary.stop_reason = error.what();
    }
    writer.reset();
  }
  if (!raised) return py::make_tuple(record, py::none());
  // With the way to the user's own line, if it was raised there.
  if (raised->trace()) PyException_SetTraceback(raised->value().ptr(), raised->trace().ptr());
  return py::make_tuple(record, raised->value());
}

namespace {

void save(const Record& record, const std::string& path) {
  const std::lock_guard lock(hdf5_mutex());
  ResultWriter writer = ResultWriter::create(path, header_of(record, nullptr));
  const std::size_t width = record.columns.size();
  for (std::size_t at = 0; at < record.values.size(); at += width)
    writer.sample({record.values.data() + at, width});
  for (std::size_t at = 0; at < record.between.size(); at += width)
    writer.between({record.between.data() + at, width});
  for (const Impact& impact : record.impacts) writer.impact(impact);
  for (const EventRecord& event : record.events) writer.event(event);
  writer.finish(record.summary);
}

/// An array that looks into the record's memory and keeps the record alive.
template <class T>
py::array view(py::object owner, const std::vector<T>& items, std::vector<py::ssize_t> shape) {
  py::array out(py::dtype::of<T>(), std::move(shape), items.data(), owner);
  out.attr("flags").attr("writeable") = false;
  return out;
}

template <std::vector<double> Record::*rows>
py::array table(const py::object& self) {
  const auto& record = self.cast<const Record&>();
  const auto width = static_cast<py::ssize_t>(record.columns.size());
  return view(self, record.*rows, {static_cast<py::ssize_t>((record.*rows).size()) / width, width});
}

}  // namespace

std::mutex& hdf5_mutex() {
  static std::mutex mutex;
  return mutex;
}

void bind_run(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(Impact, contact, start, end, speed_in, speed_out, restitution, requested,
                       max_penetration, peak_force, impulse);
  PYBIND11_NUMPY_DTYPE(EventRecord, event, time);
  py::class_<Record, std::shared_ptr<Record>>(module, "Record")
      .def_property_readonly("columns",
                             [](const Record& record) {
                               std::vector<std::pair<std::string, std::string>> out;
                               for (const Signal& column : record.columns)
                                 out.emplace_back(column.name, column.unit);
                               return out;
                             })
      .def_property_readonly("values", table<&Record::values>)
      .def_property_readonly("between", table<&Record::between>)
      .def_property_readonly("impacts",
                             [](const py::object& self) {
                               const auto& impacts = self.cast<const Record&>().impacts;
                               return view(self, impacts, {static_cast<py::ssize_t>(impacts.size())});
                             })
      .def_property_readonly("events",
                             [](const py::object& self) {
                               const auto& events = self.cast<const Record&>().events;
                               return view(self, events, {static_cast<py::ssize_t>(events.size())});
                             })
      .def_readonly("contacts", &Record::contacts)
      .def_readonly("event_names", &Record::event_names)
      .def_readonly("title", &Record::title)
      .def_readonly("model_file", &Record::model_file)
      .def_readonly("model_text", &Record::model_text)
      .def_property_readonly(
          "status", [](const Record& record) { return record.summary.completed ? "completed" : "stopped"; })
      .def("summary_json",
           [](const Record& record, const std::string& file) { return summary_json(record.summary, file); })
      .def("summary_text",
           [](const Record& record, const std::string& file) { return summary_text(record.summary, file); })
      .def("save", save);
}

}  // namespace tappet::python
