// The integrals of a flexible body as a model file or an HDF5 file gives them, under one set of names: "mass", "S/xy",
// "interfaces/a/translation".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "tappet/spec/object.hpp"

namespace tappet {

class FlexibleArrays {
 public:
  virtual ~FlexibleArrays() = default;
  /// A number is 1 × 1, a list one row. Nothing: it is not given.
  virtual std::optional<Eigen::MatrixXd> find(const std::string& path) const = 0;
  virtual SourcePos where(const std::string& path) const = 0;
  virtual std::vector<std::string> interfaces() const = 0;
};

/// `arrays` and `interfaces` of the mapping `flexible`.
std::unique_ptr<FlexibleArrays> arrays_of(const Object& flexible);
/// The file that `matrices` names. Null after an error was reported.
std::unique_ptr<FlexibleArrays> arrays_of_file(const Object& flexible, const std::string& folder,
                                               Diagnostics& diagnostics);

}  // namespace tappet
