#include "tappet/fem/reduction.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tappet/fem/modes.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"

namespace tappet::fem {
namespace {

using Eigen::MatrixXd;

/// Rows and columns with place ≥ 0, in that order.
SymmetricCsr part_of(const SymmetricCsr& a, const std::vector<int>& place) {
  SymmetricCsr out;
  for (int i = 0; i < a.rows(); ++i) {
    if (place[i] < 0) continue;
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (place[a.col[k]] >= 0) out.col.push_back(place[a.col[k]]), out.value.push_back(a.value[k]);
    out.row_ptr.push_back(static_cast<int>(out.col.size()));
  }
  return out;
}

MatrixXd projected(const SymmetricCsr& a, const MatrixXd& T) {
  MatrixXd y = MatrixXd::Zero(T.rows(), T.cols());
  for (int j = 0; j < T.cols(); ++j) multiply_add(a, 1, T.col(j).data(), y.col(j).data());
  return T.transpose() * y;
}

SymmetricCsr dense_csr(const MatrixXd& a) {
  SymmetricCsr out;
  for (int i = 0; i < a.rows(); ++i) {
    for (int j = 0; j <= i; ++j) out.col.push_back(j), out.value.push_back(0.5 * (a(i, j) + a(j, i)));
    out.row_ptr.push_back(static_cast<int>(out.col.size()));
  }
  return out;
}

}  // namespace

Reduction craig_bampton(const StructureMatrices& m, std::vector<int> interface, int modes) {
  std::sort(interface.begin(), interface.end());
  interface.erase(std::unique(interface.begin(), interface.end()), interface.end());
  const int n = m.K.rows(), ni = static_cast<int>(interface.size());
  std::vector<int> place(n, 0), rest;
  for (int i : interface) place[i] = -1;
  for (int i = 0; i < n; ++i)
    if (place[i] == 0) place[i] = static_cast<int>(rest.size()), rest.push_back(i);
  const SymmetricCsr K = part_of(m.K, place), M = part_of(m.M, place);
  const int no = static_cast<int>(rest.size());

  Reduction out;
  out.interface = interface;
  modes = std::min(modes, no);
  out.basis = MatrixXd::Zero(n, ni + modes);
  for (int k = 0; k < ni; ++k) out.basis(interface[k], k) = 1;
  if (no > 0) {
    // −K_oi, column by column, then what it does to the rest.
    MatrixXd column = MatrixXd::Zero(n, ni);
    for (int k = 0; k < ni; ++k) multiply_add(m.K, -1, out.basis.col(k).data(), column.col(k).data());
    MatrixXd shapes(no, ni);
    for (int r = 0; r < no; ++r) shapes.row(r) = column.row(rest[r]);
    SupernodalCholesky factor;
    factor.analyse(K);
    if (factor.factor(K, 1e-13) >= 0)
      throw std::runtime_error(
          "its interface (points and contact nodes) and supports do not hold the rest of it; add points");
    factor.solve(shapes);
    const Modes found = lowest_modes(K, M, modes, 1e-8);
    for (int r = 0; r < no; ++r) {
      out.basis.row(rest[r]).head(ni) = shapes.row(r);
      // Without modes there are no rows either.
      if (modes > 0) out.basis.row(rest[r]).tail(modes) = found.shapes.row(r);
    }
    if (!found.omega2.empty()) out.highest = std::sqrt(std::max(0.0, found.omega2.back()));
  }
  out.matrices = {dense_csr(projected(m.K, out.basis)), dense_csr(projected(m.M, out.basis)),
                  dense_csr(projected(m.C, out.basis))};
  return out;
}

}  // namespace tappet::fem
