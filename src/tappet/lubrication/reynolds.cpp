#include "tappet/lubrication/reynolds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace tappet::lubrication {
namespace {

constexpr double pi = std::numbers::pi;

double cube(double x) {
  return x * x * x;
}

// ϑ of the face at x in [−1, 1]: narrow cells within a of the thinnest gap.
double face_at(double x, double a) {
  const double spread = std::asinh(pi / a);
  double theta = pi * x;
  for (int n = 0; n < 60; ++n) {
    const double off = 0.5 * theta / pi + 0.5 * std::asinh(theta / a) / spread - x;
    const double slope = 0.5 / pi + 0.5 / (spread * std::hypot(a, theta));
    theta -= off / slope;
    if (std::abs(off) < 1e-15) break;
  }
  return theta;
}

}  // namespace

void ReynoldsSolver::make_grid(const FilmProblem& p) {
  if (around_ != p.around || along_ != p.along) active_.clear();
  around_ = p.around, along_ = p.along;
  const double a = 1.8 * std::sqrt(1 - p.eccentricity);
  theta_face_.resize(around_ + 1), theta_.resize(around_);
  for (int i = 0; i <= around_; ++i) theta_face_[i] = face_at(-1 + 2.0 * i / around_, a);
  theta_face_.front() = -pi, theta_face_.back() = pi;
  for (int i = 0; i < around_; ++i) theta_[i] = 0.5 * (theta_face_[i] + theta_face_[i + 1]);
  z_face_.resize(along_ + 1), z_.resize(along_);
  for (int j = 0; j <= along_; ++j) z_face_[j] = p.ratio * std::sin(0.5 * pi * j / along_);
  for (int j = 0; j < along_; ++j) z_[j] = 0.5 * (z_face_[j] + z_face_[j + 1]);
}

// Conductances between cells, what flows in, and the diagonal.
void ReynoldsSolver::make_matrix(const FilmProblem& p) {
  const int cells = around_ * along_;
  const auto H3 = [&](double theta) { return cube(1 - p.eccentricity * std::cos(theta)); };
  to_next_.assign(cells, 0), to_end_.assign(cells, 0), to_ambient_.assign(cells, 0);
  diagonal_.assign(cells, 0), source_.assign(cells, 0);
  for (int i = 0; i < around_; ++i) {
    const int next = (i + 1) % around_;
    const bool seam = next == 0;
    const double width = theta_face_[i + 1] - theta_face_[i], gap = H3(theta_[i]);
    const double apart = seam ? theta_[0] + 2 * pi - theta_[i] : theta_[next] - theta_[i];
    // ∫ cos(ϑ − γ) dϑ over the cell.
    const double drawn = std::sin(theta_face_[i + 1] - p.direction) - std::sin(theta_face_[i] - p.direction);
    for (int j = 0; j < along_; ++j) {
      const int cell = at(i, j);
      const double length = z_face_[j + 1] - z_face_[j];
      if (seam && p.supply == Supply::widest_gap) {
        const double wide = H3(pi) * length;
        to_ambient_[at(i, j)] += wide / (pi - theta_[i]);
        to_ambient_[at(0, j)] += wide / (theta_[0] + pi);
        diagonal_[at(i, j)] += wide / (pi - theta_[i]);
        diagonal_[at(0, j)] += wide / (theta_[0] + pi);
      } else {
        to_next_[cell] = H3(theta_face_[i + 1]) / apart * length;
        diagonal_[cell] += to_next_[cell];
        diagonal_[at(next, j)] += to_next_[cell];
      }
      const bool end = j == along_ - 1;
      to_end_[cell] = gap * width / ((end ? z_face_[along_] : z_[j + 1]) - z_[j]);
      diagonal_[cell] += to_end_[cell];
      if (!end) diagonal_[cell + 1] += to_end_[cell];
      source_[cell] = drawn * length;
    }
  }
}

// P of the active cells, those of the others being 0: a Cholesky factorisation of the band. Columns of cells are taken from one that has no
// active cell, around; where there is none, from both sides in turn, which doubles the band.
void ReynoldsSolver::solve_active() {
  int empty = -1;
  for (int i = 0; i < around_ && empty < 0; ++i)
    if (std::none_of(active_.begin() + at(i, 0), active_.begin() + at(i + 1, 0), [](char a) { return a; }))
      empty = i;
  order_.resize(around_), place_.resize(around_);
  for (int k = 0; k < around_; ++k) {
    const int from_both_sides = k % 2 ? around_ - (k + 1) / 2 : k / 2;
    order_[k] = empty >= 0 ? (empty + k) % around_ : from_both_sides;
    place_[order_[k]] = k;
  }
  const int width = (empty >= 0 ? 1 : 2) * along_, stride = width + 1, cells = around_ * along_;
  // band_[k·stride + d] is the entry (k + d, k) of the lower triangle.
  band_.assign(static_cast<std::size_t>(cells + stride) * stride, 0.0);
  right_.assign(cells, 0.0);
  const auto couple = [&](int cell_a, int column_a, int cell_b, int column_b, int j_a, int j_b, double g) {
    if (!active_[cell_a] || !active_[cell_b]) return;
    const int a = place_[column_a] * along_ + j_a, b = place_[column_b] * along_ + j_b;
    band_[static_cast<std::size_t>(std::min(a, b)) * stride + std::abs(a - b)] -= g;
  };
  for (int i = 0; i < around_; ++i)
    for (int j = 0; j < along_; ++j) {
      const int cell = at(i, j), k = place_[i] * along_ + j, next = (i + 1) % around_;
      band_[static_cast<std::size_t>(k) * stride] = active_[cell] ? diagonal_[cell] : 1;
      if (!active_[cell]) continue;
      right_[k] = source_[cell];
      if (to_next_[cell] != 0) couple(cell, i, at(next, j), next, j, j, to_next_[cell]);
      if (j + 1 < along_) couple(cell, i, cell + 1, i, j, j + 1, to_end_[cell]);
    }
  for (int k = 0; k < cells; ++k) {
    double* column = &band_[static_cast<std::size_t>(k) * stride];
    if (!active_[at(order_[k / along_], k % along_)]) continue;
    const double pivot = 1 / column[0];
    const int last = std::min(width, cells - 1 - k);
    for (int d = 1; d <= last; ++d) {
      const double factor = column[d] * pivot;
      if (factor == 0) continue;
      double* below = &band_[static_cast<std::size_t>(k + d) * stride];
      for (int e = d; e <= last; ++e) below[e - d] -= factor * column[e];
      right_[k + d] -= factor * right_[k];
    }
  }
  for (int k = cells - 1; k >= 0; --k) {
    const double* column = &band_[static_cast<std::size_t>(k) * stride];
    double sum = right_[k];
    const int last = std::min(width, cells - 1 - k);
    for (int d = 1; d <= last; ++d) sum -= column[d] * right_[k + d];
    right_[k] = sum / column[0];
  }
  for (int i = 0; i < around_; ++i)
    for (int j = 0; j < along_; ++j) pressure_[at(i, j)] = right_[place_[i] * along_ + j];
}

double ReynoldsSolver::residual(int cell) const {
  const int i = cell / along_, j = cell % along_, cells = around_ * along_;
  const int next = (cell + along_) % cells, before = (cell - along_ + cells) % cells;
  double r = diagonal_[cell] * pressure_[cell] - source_[cell] - to_next_[cell] * pressure_[next] -
             to_next_[before] * pressure_[before];
  if (j + 1 < along_) r -= to_end_[cell] * pressure_[cell + 1];
  if (j > 0) r -= to_end_[cell - 1] * pressure_[cell - 1];
  (void)i;
  return r;
}

FilmSolution ReynoldsSolver::solve(const FilmProblem& p) {
  make_grid(p);
  make_matrix(p);
  const int cells = around_ * along_;
  pressure_.assign(cells, 0.0);
  if (active_.empty()) {
    active_.resize(cells);
    for (int k = 0; k < cells; ++k) active_[k] = source_[k] > 0;
  }
  FilmSolution out;
  // Rounding of a residual: far below the flow into one cell.
  double largest = 0;
  for (double s : source_) largest = std::max(largest, std::abs(s));
  constexpr int most_rounds = 200;
  for (bool changed = true; changed;) {
    if (++out.rounds > most_rounds) throw std::runtime_error("the edge of an oil film does not settle");
    solve_active();
    changed = false;
    for (int k = 0; k < cells; ++k) {
      const char bears = active_[k] ? pressure_[k] > 0 : residual(k) < -1e-13 * largest;
      if (bears != active_[k]) active_[k] = bears, changed = true;
    }
  }
  for (int i = 0; i < around_; ++i) {
    const double c = std::sin(theta_face_[i + 1]) - std::sin(theta_face_[i]),
                 s = std::cos(theta_face_[i]) - std::cos(theta_face_[i + 1]);
    for (int j = 0; j < along_; ++j) {
      const int cell = at(i, j);
      const double P = pressure_[cell], length = z_face_[j + 1] - z_face_[j];
      // Both halves of the length.
      out.I_n += 2 * P * length * c, out.I_t += 2 * P * length * s;
      const double next = pressure_[at((i + 1) % around_, j)];
      const double beyond = j + 1 < along_ ? pressure_[cell + 1] : 0;
      out.loss += 2 * (to_next_[cell] * (next - P) * (next - P) +
                       to_end_[cell] * (beyond - P) * (beyond - P) + to_ambient_[cell] * P * P);
      if (j + 1 == along_) out.flow += 2 * to_end_[cell] * P;
    }
  }
  return out;
}

FilmSolution extrapolated(const FilmProblem& problem, ReynoldsSolver& coarse, ReynoldsSolver& fine) {
  FilmProblem twice = problem;
  twice.around *= 2, twice.along *= 2;
  const FilmSolution a = coarse.solve(problem);
  FilmSolution b = fine.solve(twice);
  const auto limit = [](double x, double y) { return y + (y - x) / 3; };
  b.I_n = limit(a.I_n, b.I_n), b.I_t = limit(a.I_t, b.I_t);
  b.loss = limit(a.loss, b.loss), b.flow = limit(a.flow, b.flow);
  b.rounds += a.rounds;
  return b;
}

}  // namespace tappet::lubrication
