#include "tappet/structures/structure_compliance.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

namespace tappet {

using Eigen::MatrixXd;

namespace {

/// Where more are new than were there, all are made again together: that takes less.
bool as_a_whole(int there, int wanted) {
  return wanted - there >= there;
}

}  // namespace

void StructureCompliance::add(Row& row, int unknown, double value) {
  const auto [at, fresh] = kept_.try_emplace(unknown, static_cast<int>(unknowns_.size()));
  if (fresh) unknowns_.push_back(unknown);
  assert(system_.is_watched(unknown));
  row.at[row.count] = at->second;
  row.value[row.count++] = value;
}

void StructureCompliance::complete() {
  if (complete_ == static_cast<int>(unknowns_.size())) return;
  expect_more();
  const int n = static_cast<int>(unknowns_.size());
  if (ends_.empty() || ends_.back() < n) ends_.push_back(n);
  // What is made again as a whole does not depend on what was there before.
  std::size_t from = ends_.size();
  int there = complete_;
  for (std::size_t i = 0; i < ends_.size(); ++i) {
    if (ends_[i] <= complete_) continue;
    if (from == ends_.size() || as_a_whole(there, ends_[i])) from = i;
    there = ends_[i];
  }
  for (std::size_t i = from; i < ends_.size(); ++i) make_columns(ends_[i]);
}

// A face that comes down bit by bit asks for more in every step. Once it has asked for a sixth of what it can
// ask for, all is made at once, which takes as long as a few parts; unless that would take more memory than the factors.
void StructureCompliance::expect_more() {
  constexpr std::size_t always = 4000;
  const std::vector<int>& watched = system_.watched();
  const bool fits = watched.size() <= always || watched.size() * watched.size() <= system_.factor_size();
  if (!fits || 6 * unknowns_.size() <= watched.size()) return;
  for (int k : watched)
    if (kept_.try_emplace(k, static_cast<int>(unknowns_.size())).second) unknowns_.push_back(k);
}

void StructureCompliance::make_columns(int n) {
  const std::vector<int> unknowns(unknowns_.begin(), unknowns_.begin() + n);
  if (as_a_whole(complete_, n)) {
    columns_ = system_.inverse_among(unknowns);
  } else {
    MatrixXd larger(n, n);
    larger.topLeftCorner(complete_, complete_) = columns_;
    larger.rightCols(n - complete_) = system_.inverse_among(unknowns, complete_);
    for (int j = complete_; j < n; ++j)
      for (int i = 0; i < j; ++i) larger(j, i) = larger(i, j);
    columns_ = std::move(larger);
  }
  complete_ = n;
  ++version_;
}

void StructureCompliance::restore(const std::vector<int>& unknowns, const std::vector<int>& batches) {
  for (const int k : unknowns)
    if (k < 0 || k >= system_.size()) throw std::invalid_argument("an unknown is kept that is not there");
  for (const int end : batches)
    if (end < 0 || end > static_cast<int>(unknowns.size()))
      throw std::invalid_argument("columns were made that are not there");
  unknowns_ = unknowns, ends_ = batches;
  kept_.clear();
  for (std::size_t i = 0; i < unknowns.size(); ++i) kept_[unknowns[i]] = static_cast<int>(i);
  forget();
}

void StructureCompliance::among(const std::vector<const Row*>& rows, MatrixXd& out) const {
  const int n = static_cast<int>(rows.size());
  // All rows one after the other; most are one unknown.
  std::vector<int> start = {0}, at;
  std::vector<double> value;
  for (const Row* row : rows) {
    at.insert(at.end(), row->at, row->at + row->count);
    value.insert(value.end(), row->value, row->value + row->count);
    start.push_back(static_cast<int>(at.size()));
  }
  Eigen::VectorXd sum(columns_.rows());
  for (int j = 0; j < n; ++j) {
    const Row& b = *rows[j];
    const double* column = sum.data();
    double factor = 1;
    if (b.count == 1) {
      column = columns_.col(b.at[0]).data(), factor = b.value[0];
    } else {
      sum.setZero();
      for (int k = 0; k < b.count; ++k) sum += b.value[k] * columns_.col(b.at[k]);
    }
    double* target = out.col(j).data();
    for (int i = j; i < n; ++i) {
      double part = 0;
      for (int k = start[i]; k < start[i + 1]; ++k) part += value[k] * column[at[k]];
      target[i] = part * factor;
    }
  }
}

bool StructureCompliance::Row::operator==(const Row& other) const {
  return count == other.count && std::equal(at, at + count, other.at) &&
         std::equal(value, value + count, other.value);
}

double StructureCompliance::dot(const Row& row, const double* x) const {
  double sum = 0;
  for (int k = 0; k < row.count; ++k) sum += row.value[k] * x[unknowns_[row.at[k]]];
  return sum;
}

void StructureCompliance::push(const Row& row, double p, double* f) const {
  for (int k = 0; k < row.count; ++k) f[unknowns_[row.at[k]]] += p * row.value[k];
}

void StructureCompliance::clear(double* f) const {
  for (int k : unknowns_) f[k] = 0;
}

}  // namespace tappet
