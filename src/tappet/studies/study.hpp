// A study as the user wrote it: a model, the parameters that vary, and the figures that are wanted of each
// run.
//
//   study: 1
//   model: clearance.yaml
//   parameters: {clearance: {from: 0.05 mm, to: 0.5 mm, count: 1000}}
//   set: ["joints.wrist.clearance.journal_radius=10 - ${clearance} mm"]
//   metrics: {peak: max(abs(motor.torque))}
#pragma once

#include <string>
#include <vector>

#include "tappet/spec/spec.hpp"
#include "tappet/studies/metric.hpp"
#include "tappet/studies/sampling.hpp"

namespace tappet {

/// A picture that is wanted of the results.
struct StudyPlot {
  std::string name;
  std::string x, y, z;  ///< names of parameters and metrics; z is "" unless the plot is a map
};

struct Study {
  std::string file, title;
  std::string model_file;  ///< as found from here
  Value model;             ///< as read, before settings
  std::vector<Axis> axes;
  std::vector<std::string> settings;  ///< "path=value", ${NAME} standing for a parameter's value
  std::string revolution;  ///< a signal, or a time in which ${NAME} may stand; "" if none was given
  std::vector<Metric> metrics;
  std::vector<StudyPlot> plots;
  Design design;
  std::vector<std::string> signals;        ///< that the metrics need
  std::vector<std::string> warnings = {};  ///< sentences

  std::size_t runs() const { return design.size(); }
  /// What one run sets in the model: paths of parameters, then `settings` with the values put in.
  std::vector<std::string> settings_of(std::size_t run) const;
  /// Throws InputError if it is not a time.
  Revolution revolution_of(std::size_t run) const;
  /// Two studies of the same fingerprint have the same results, row by row.
  std::string fingerprint() const;
};

/// The table of the whole file.
const Table& study_table();

/// True if the file's first look is that of a study. Throws InputError if it cannot be read.
bool is_study(const Value& root);

/// Reads a study and the model it names. Throws InputError with all faults found.
Study load_study(const std::string& path);
/// The same for a study and a model that are not in files. Its key `model` is a name only.
Study study_of_model(Value root, const std::string& name_in_messages, Value model,
                     const std::string& model_name);

}  // namespace tappet
