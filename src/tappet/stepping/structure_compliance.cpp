#include "tappet/stepping/structure_compliance.hpp"

#include <algorithm>
#include <cassert>

namespace tappet {

using Eigen::MatrixXd;

void StructureCompliance::add(Row& row, int unknown, double value) {
  const auto [at, fresh] = kept_.try_emplace(unknown, static_cast<int>(unknowns_.size()));
  if (fresh) unknowns_.push_back(unknown);
  assert(system_.is_watched(unknown));
  row.at[row.count] = at->second;
  row.value[row.count++] = value;
}

void StructureCompliance::complete() {
  const int n = static_cast<int>(unknowns_.size());
  if (complete_ == n) return;
  if (ends_.empty() || ends_.back() < n) ends_.push_back(n);
  for (const int end : ends_)
    if (end > complete_) make_columns(end);
}

void StructureCompliance::make_columns(int n) {
  MatrixXd larger = MatrixXd::Zero(n, n);
  larger.topLeftCorner(complete_, complete_) = columns_.topLeftCorner(complete_, complete_);
  for (int first = complete_; first < n; first += 48) {
    const int width = std::min(48, n - first);
    MatrixXd x = MatrixXd::Zero(system_.size(), width);
    for (int j = 0; j < width; ++j) x(unknowns_[first + j], j) = 1;
    system_.solve(x);
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < n; ++i) larger(i, first + j) = larger(first + j, i) = x(unknowns_[i], j);
  }
  columns_ = std::move(larger);
  complete_ = n;
}

std::vector<double> StructureCompliance::memory() const {
  const std::size_t room = system_.watched().size() + system_.driven().size();
  std::vector<double> out(2 * room, -1);
  std::copy(unknowns_.begin(), unknowns_.end(), out.begin());
  std::copy(ends_.begin(), ends_.end(), out.begin() + static_cast<long>(room));
  return out;
}

void StructureCompliance::restore_memory(const double* numbers) {
  const std::size_t room = system_.watched().size() + system_.driven().size();
  unknowns_.clear(), ends_.clear(), kept_.clear();
  for (std::size_t i = 0; i < room && numbers[i] >= 0; ++i) {
    kept_[static_cast<int>(numbers[i])] = static_cast<int>(i);
    unknowns_.push_back(static_cast<int>(numbers[i]));
  }
  for (std::size_t i = room; i < 2 * room && numbers[i] >= 0; ++i)
    ends_.push_back(static_cast<int>(numbers[i]));
  complete_ = 0;
}

double StructureCompliance::operator()(const Row& a, const Row& b) const {
  double sum = 0;
  for (int j = 0; j < b.count; ++j) {
    const double* column = columns_.data() + static_cast<std::size_t>(b.at[j]) * columns_.rows();
    double part = 0;
    for (int i = 0; i < a.count; ++i) part += a.value[i] * column[a.at[i]];
    sum += part * b.value[j];
  }
  return sum;
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
