// Stress of flexible bodies at any recorded instant, from a result alone: the model kept in it says the shapes, the recorded elastic
// coordinates BODY.q1, BODY.q2 … say how much of each there is, and stress is linear in these.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/fem/fields.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/result_file.hpp"

namespace tappet {

/// Over all elements of one body at one instant.
struct RecoveredStress {
  std::string body;
  double time = 0;
  double von_mises = 0;       ///< the largest, over the section too, Pa
  int element = 0;            ///< where that is
  Vec3 place = Vec3::Zero();  ///< the middle of that element, in the axes of the undeformed mesh's body
  double high = 0, low = 0;   ///< largest and smallest principal stress, Pa
  fem::FieldMesh mesh;
  fem::Fields fields;
};

class StressRecovery {
 public:
  /// Throws InputError where the model in the result has no flexible body with a mesh, or its coordinates were not recorded.
  /// `body`: "": all of them.
  explicit StressRecovery(const ResultFile& result, const std::string& body = "");

  /// At the recorded row, samples and rows between them, that is nearest to t; NaN: the last.
  std::vector<RecoveredStress> at(double t) const;
  /// At the row of an impact, counted from 1, where each body's stress is largest. Of an impact without duration at the next row after it.
  std::vector<RecoveredStress> at_impact(std::size_t impact) const;

 private:
  struct Columns {
    const FlexibleBody* body;
    std::vector<std::size_t> pose, coordinates;
  };
  RecoveredStress recover(const Columns& columns, const double* row) const;

  const ResultFile& result_;
  std::shared_ptr<const Model> model_;
  std::vector<Columns> bodies_;
  std::size_t width_ = 0;
  std::vector<double> rows_;  ///< all columns, rows in order of time
};

}  // namespace tappet
