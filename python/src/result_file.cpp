// Result files: columns are read when they are asked for, and handed over without a copy.

#include "tappet/results/result_file.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/results/matrices.hpp"
#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/summary.hpp"

namespace tappet::python {

namespace {

using FilePointer = std::shared_ptr<const ResultFile>;

FilePointer open(const std::string& path) {
  const std::lock_guard lock(hdf5_mutex());
  // Closing is HDF5's work too.
  return {new ResultFile(path), [](const ResultFile* file) {
            const std::lock_guard closing(hdf5_mutex());
            delete file;
          }};
}

/// An array that owns what was read.
template <class T>
py::array owning(std::vector<T> items, std::vector<py::ssize_t> shape) {
  auto* kept = new std::vector<T>(std::move(items));
  const py::capsule owner(kept, [](void* pointer) { delete static_cast<std::vector<T>*>(pointer); });
  py::array out(py::dtype::of<T>(), std::move(shape), kept->data(), owner);
  out.attr("flags").attr("writeable") = false;
  return out;
}

template <class T>
py::array owning(std::vector<T> items) {
  const auto size = static_cast<py::ssize_t>(items.size());
  return owning(std::move(items), {size});
}

/// A class of its own, so that Python's lifetime rules and HDF5's lock meet in one place.
struct Opened {
  FilePointer file;

  py::array column(std::size_t index) const {
    const std::lock_guard lock(hdf5_mutex());
    return owning(file->column(index));
  }
  py::array values() const {
    std::vector<std::size_t> all(file->columns().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const std::lock_guard lock(hdf5_mutex());
    return owning(file->read(0, file->rows(), all),
                  {static_cast<py::ssize_t>(file->rows()), static_cast<py::ssize_t>(all.size())});
  }
  py::array between() const {
    const std::lock_guard lock(hdf5_mutex());
    const std::size_t rows = file->between_count();
    return owning(file->between(0, rows),
                  {static_cast<py::ssize_t>(rows), static_cast<py::ssize_t>(file->columns().size())});
  }
  py::array impacts() const {
    const std::lock_guard lock(hdf5_mutex());
    return owning(file->impacts());
  }
  py::array events() const {
    const std::lock_guard lock(hdf5_mutex());
    return owning(file->events());
  }
};

}  // namespace

void bind_result_file(py::module_& module) {
  py::class_<Opened>(module, "ResultFile")
      .def(py::init([](const std::string& path) { return Opened{open(path)}; }))
      .def_property_readonly("path", [](const Opened& self) { return self.file->path(); })
      .def_property_readonly("columns",
                             [](const Opened& self) {
                               std::vector<std::pair<std::string, std::string>> out;
                               for (const Signal& column : self.file->columns())
                                 out.emplace_back(column.name, column.unit);
                               return out;
                             })
      .def_property_readonly("rows", [](const Opened& self) { return self.file->rows(); })
      .def("column", &Opened::column)
      .def_property_readonly("values", &Opened::values)
      .def_property_readonly("between", &Opened::between)
      .def_property_readonly("impacts", &Opened::impacts)
      .def_property_readonly("events", &Opened::events)
      .def_property_readonly("contacts", [](const Opened& self) { return self.file->header().contacts; })
      .def_property_readonly("event_names", [](const Opened& self) { return self.file->header().events; })
      .def_property_readonly("title", [](const Opened& self) { return self.file->header().title; })
      .def_property_readonly("model_file", [](const Opened& self) { return self.file->header().model_file; })
      .def_property_readonly("model_text", [](const Opened& self) { return self.file->header().model_text; })
      .def_property_readonly("status", [](const Opened& self) { return self.file->status(); })
      .def("summary_json", [](const Opened& self, const std::string&) { return self.file->summary(); })
      .def("summary_text", [](const Opened& self, const std::string& file) {
        const std::string& json = self.file->summary();
        return json.empty() ? std::string() : summary_text(summary_from_json(json), file);
      });
  module.def("write_report", [](const std::string& result, const std::vector<std::string>& compared,
                                const std::string& file) {
    const std::lock_guard lock(hdf5_mutex());
    write_report(result, {.compared = compared}, file);
  });
  module.def("write_mat",
             [](const std::string& result, const std::vector<std::string>& signals, const std::string& file) {
               const std::lock_guard lock(hdf5_mutex());
               write_output(file, OutputKind::matrices, mat_of(ResultFile(result), signals), {result});
             });
  // Arrays that NumPy packed, with the mark by which the file is known for ours.
  module.def("write_npz", [](const py::bytes& archive, const std::string& file) {
    write_output(file, OutputKind::matrices, marked_archive(archive));
  });
  module.def("copy_result", [](const std::string& result, const std::string& file) {
    const std::lock_guard lock(hdf5_mutex());
    std::string why;
    const std::optional<std::string> bytes =
        read_named_file(result, why, std::numeric_limits<std::uint64_t>::max());
    if (!bytes) refuse(result, why);
    write_output(file, OutputKind::result, *bytes, {result});
  });
}

}  // namespace tappet::python
