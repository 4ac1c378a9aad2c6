#include "tappet/lubrication/film_table.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <numbers>
#include <thread>

#include <Eigen/Dense>

namespace tappet::lubrication {
namespace {

// So near to ±ŵ the film has no force across to divide by sin γ.
constexpr double least_sine = 1e-3;

struct Values {
  double A, B, C;
};

// What the table holds, from a direct solution.
Values solve_for(double eps, double cosine, double ratio, Supply supply, const FilmTableSize& size,
                 ReynoldsSolver& coarse, ReynoldsSolver& fine) {
  double direction = std::acos(std::clamp(cosine, -1.0, 1.0));
  if (std::sin(direction) < least_sine) direction = cosine > 0 ? least_sine : std::numbers::pi - least_sine;
  const FilmSolution film =
      extrapolated({eps, direction, ratio, supply, size.around, size.along}, coarse, fine);
  const double c = std::cos(direction), s = std::sin(direction);
  const double along = film.I_n * c + film.I_t * s, across = film.I_t * c - film.I_n * s;
  return {std::log(along), std::sqrt(1 - eps * eps) * across / (along * s), film.flow};
}

// Runs job(n, coarse, fine) for n below `count`. Neighbours are on the same thread, so that each solution begins near the last.
template <class Job>
void in_parallel(int count, int threads, const Job& job) {
  std::atomic<int> next{0};
  std::exception_ptr failed;
  std::mutex lock;
  const auto work = [&] {
    ReynoldsSolver coarse, fine;
    try {
      for (int n = next++; n < count; n = next++) job(n, coarse, fine);
    } catch (...) {
      const std::lock_guard guard(lock);
      failed = std::current_exception();
    }
  };
  std::vector<std::thread> helpers;
  for (int t = 1; t < threads; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (failed) std::rethrow_exception(failed);
}

// Slopes in the nodes of a spline through equally spaced values, per interval; its outermost two intervals are one cubic.
class SplineSlopes {
 public:
  explicit SplineSlopes(int nodes) {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(nodes, nodes);
    for (int i = 1; i + 1 < nodes; ++i) m(i, i - 1) = m(i, i + 1) = 1, m(i, i) = 4;
    m(0, 0) = m(nodes - 1, nodes - 1) = 1;
    m(0, 2) = m(nodes - 1, nodes - 3) = -1;
    solver_.compute(m);
  }
  Eigen::VectorXd of(const Eigen::VectorXd& f) const {
    const Eigen::Index n = f.size();
    Eigen::VectorXd b(n);
    for (Eigen::Index i = 1; i + 1 < n; ++i) b[i] = 3 * (f[i + 1] - f[i - 1]);
    b[0] = 2 * (2 * f[1] - f[0] - f[2]);
    b[n - 1] = -2 * (2 * f[n - 2] - f[n - 1] - f[n - 3]);
    return solver_.solve(b);
  }

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> solver_;
};

}  // namespace

double FilmTable::eccentricity_of(double row) const {
  return std::tanh(reach_ * row / (size_.eccentricities - 1));
}

double FilmTable::cosine_of(double column, double eps) const {
  const double a = stretch * std::sqrt(1 - eps * eps);
  return std::clamp(a * std::sinh((2 * column / (size_.directions - 1) - 1) * std::asinh(1 / a)), -1.0, 1.0);
}

FilmTable FilmTable::build(double ratio, Supply supply, const FilmTableSize& size, int threads) {
  FilmTable table;
  table.ratio_ = ratio, table.supply_ = supply, table.size_ = size, table.reach_ = std::atanh(largest);
  const int rows = size.eccentricities, columns = size.directions;
  table.nodes_.resize(static_cast<std::size_t>(rows) * columns);
  in_parallel(rows, threads, [&](int i, ReynoldsSolver& coarse, ReynoldsSolver& fine) {
    const double eps = table.eccentricity_of(i);
    for (int j = 0; j < columns; ++j) {
      const Values v = solve_for(eps, table.cosine_of(j, eps), ratio, supply, size, coarse, fine);
      Node& node = table.nodes_[i * columns + j];
      node[0][0] = v.A, node[1][0] = i == 0 && supply == Supply::none ? 0 : v.B, node[2][0] = v.C;
    }
  });
  if (supply == Supply::none) {
    double A = 0, C = 0;
    for (int j = 0; j < columns; ++j)
      A += table.nodes_[j][0][0] / columns, C += table.nodes_[j][2][0] / columns;
    for (int j = 0; j < columns; ++j) table.nodes_[j][0][0] = A, table.nodes_[j][2][0] = C;
  }
  table.make_slopes();
  return table;
}

void FilmTable::make_slopes() {
  const int rows = size_.eccentricities, columns = size_.directions;
  // A groove at the widest gap is on the other side when ε changes its sign: nothing goes on through ε = 0.
  const bool through_zero = supply_ == Supply::none;
  const int before = through_zero ? rows - 1 : 0;
  const SplineSlopes around(columns), outwards(before + rows);
  for (int f = 0; f < functions; ++f) {
    Eigen::VectorXd line(columns);
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < columns; ++j) line[j] = nodes_[i * columns + j][f][0];
      const Eigen::VectorXd slope = around.of(line);
      for (int j = 0; j < columns; ++j) nodes_[i * columns + j][f][2] = slope[j];
    }
    // On the other side of ε = 0: the image of the direction, with the sign of B and that of a slope by ζ.
    Eigen::VectorXd through(before + rows);
    for (int k : {0, 2})
      for (int j = 0; j < columns; ++j) {
        const double sign = (f == 1 ? -1 : 1) * (k == 2 ? -1 : 1);
        for (int i = 0; i < rows; ++i) {
          through[before + i] = nodes_[i * columns + j][f][k];
          if (through_zero && i > 0) through[before - i] = sign * nodes_[i * columns + columns - 1 - j][f][k];
        }
        const Eigen::VectorXd slope = outwards.of(through);
        for (int i = 0; i < rows; ++i) nodes_[i * columns + j][f][k + 1] = slope[before + i];
      }
  }
}

double FilmTable::worst_error(int every, int threads) const {
  const int rows = size_.eccentricities - 1, columns = size_.directions - 1;
  std::vector<double> error(static_cast<std::size_t>(rows) * columns, 0.0);
  in_parallel(rows, threads, [&](int i, ReynoldsSolver& coarse, ReynoldsSolver& fine) {
    for (int j = i % every; j < columns; j += every) {
      const double eps = eccentricity_of(i + 0.5), cosine = cosine_of(j + 0.5, eps);
      const Values v = solve_for(eps, cosine, ratio_, supply_, size_, coarse, fine);
      const double s = std::sqrt(1 - eps * eps), sine = std::sqrt(1 - cosine * cosine);
      const auto [along, across] = at(eps, cosine, sine);
      const double exact = std::exp(v.A), b = v.B * sine / s;
      error[i * columns + j] =
          std::hypot(along - exact, along * across - exact * b) / (exact * std::hypot(1.0, b));
    }
  });
  return *std::max_element(error.begin(), error.end());
}

}  // namespace tappet::lubrication
