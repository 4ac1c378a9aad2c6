// What impulses on nodes of structures do to velocities of nodes: A⁻¹ among the unknowns that contacts,
// springs and joints act on, as far as they have been asked for; n² numbers for n unknowns, no whole columns.
// Constant as long as the length of the step is.
#pragma once

#include <unordered_map>
#include <vector>

#include <Eigen/Core>

#include "tappet/structures/structure_system.hpp"

namespace tappet {

class StructureCompliance {
 public:
  /// A row of H: a velocity as a sum over few unknowns.
  struct Row {
    int count = 0;
    int at[15];  // among the kept unknowns
    double value[15];

    bool operator==(const Row& other) const;
  };

  explicit StructureCompliance(const StructureSystem& system) : system_(system) {}

  /// row += value · (velocity of an unknown of the system).
  void add(Row& row, int unknown, double value);
  /// A was factorised anew.
  void forget() { complete_ = 0, ++version_; }
  /// Columns for unknowns that are new, some at a time.
  void complete();

  /// Which columns there are and which were made together: rounding depends on it, and a run that is resumed
  /// has the same.
  const std::vector<int>& unknowns() const { return unknowns_; }
  const std::vector<int>& batches() const { return ends_; }
  /// Throws std::invalid_argument for unknowns that the system does not have.
  void restore(const std::vector<int>& unknowns, const std::vector<int>& batches);
  /// aᵀ A⁻¹ b of all pairs of rows; only the lower triangle is filled. Needs complete().
  void among(const std::vector<const Row*>& rows, Eigen::MatrixXd& out) const;
  /// Another one when these numbers may have changed.
  unsigned long version() const { return version_; }

  /// Row · x, and f += p · row, for vectors of the system.
  double dot(const Row& row, const double* x) const;
  void push(const Row& row, double p, double* f) const;
  /// f = 0 wherever a row can push.
  void clear(double* f) const;

 private:
  void expect_more();
  void make_columns(int n);

  const StructureSystem& system_;
  std::unordered_map<int, int> kept_;  // unknown → its number among the kept
  std::vector<int> unknowns_;
  std::vector<int> ends_;    // how many were kept each time that columns were made
  Eigen::MatrixXd columns_;  // A⁻¹ among the kept unknowns
  int complete_ = 0;         // columns that are there
  unsigned long version_ = 0;
};

}  // namespace tappet
