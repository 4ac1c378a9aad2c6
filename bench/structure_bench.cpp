// How fast structures are stepped: time of a step against the time to stream its factor once through memory,
// measured in the same run, and how cost grows with the number of unknowns.
//
//   structure_bench            all lines
//   structure_bench quick      the small ones
//
// A solution reads the factor twice, forward and backward; a step adds one product with K. So a ratio of 2 is
// the least that this method can reach on one thread.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <string>
#include <sys/resource.h>

#include <Eigen/SparseCholesky>

#include "tappet/fem/generator.hpp"
#include "tappet/fem/structure.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"

namespace {

using namespace tappet;
/// Time of this thread on the processor: other programs on the machine do not count.
struct Clock {
  using time_point = double;
  static double now() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
  }
};

double seconds(Clock::time_point from) {
  return Clock::now() - from;
}

/// Least time of some repetitions.
template <class Work>
double fastest(int times, Work&& work) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    const auto begin = Clock::now();
    work();
    best = std::min(best, seconds(begin));
  }
  return best;
}

/// Reads every number once.
double stream(const std::vector<double>& v) {
  double sum[8] = {};
  const std::size_t n = v.size() / 8 * 8;
  for (std::size_t i = 0; i < n; i += 8)
    for (int k = 0; k < 8; ++k) sum[k] += v[i + k];
  return std::accumulate(sum, sum + 8, 0.0);
}

fem::Structure structure_of(fem::Mesh mesh, const char* element, const fem::Section& section) {
  fem::Structure s;
  s.mesh = std::move(mesh);
  s.materials = {{.young = 2.1e11, .poisson = 0.3, .density = 7850}};
  s.sections = {section};
  const fem::ElementType& type = *fem::ElementRegistry::instance().find(element);
  for (int c = 0; c < static_cast<int>(s.mesh.cells.size()); ++c)
    s.add_element(type, s.mesh.nodes_of(c), 0, 0);
  fem::number_unknowns(s);
  return s;
}

fem::Structure frame(int nx, int ny, int nz, int beams) {
  fem::Section section;
  section.area = 1e-3, section.inertia_y = section.inertia_z = 1e-6, section.torsion = 2e-6;
  const int cells[3] = {nx, ny, nz};
  return structure_of(fem::generate_frame(Vec3::Zero(), {4.0, 1.6, 1.2}, cells, beams, true), "beam",
                      section);
}

fem::Structure plate(int n) {
  fem::Section section;
  section.thickness = 1e-3;
  const int divisions[2] = {n, n};
  return structure_of(fem::generate_plate(Vec3::Zero(), 1, 1, divisions, false), "shell4", section);
}

fem::Structure block(int n) {
  const int divisions[3] = {n, n, n};
  return structure_of(fem::generate_block(Vec3::Zero(), Vec3::Ones(), divisions, fem::CellShape::hexahedron),
                      "hex8", {});
}

void measure(const char* name, const fem::Structure& s, bool compare) {
  const double h = 1e-4;
  const fem::StructureMatrices m = fem::assemble(s);
  SymmetricCsr A = m.K;
  for (std::size_t k = 0; k < A.value.size(); ++k) A.value[k] = m.M.value[k] + 0.25 * h * h * m.K.value[k];
  SupernodalCholesky factor;
  auto begin = Clock::now();
  factor.analyse(A);
  const double analysed = seconds(begin);
  begin = Clock::now();
  if (factor.factor(A, 0) >= 0) std::printf("%s: not positive definite\n", name);
  const double factorised = seconds(begin);

  const int n = s.free;
  std::vector<double> q(n, 0.0), u(n), d(n);
  for (int i = 0; i < n; ++i) u[i] = std::sin(0.1 * i);
  volatile double sink = 0;
  const double streamed = fastest(30, [&] { sink = sink + stream(factor.factor_values()); });
  const double solved = fastest(30, [&] {
    d = u;
    factor.solve(d.data());
  });
  const double step = fastest(30, [&] {
    std::fill(d.begin(), d.end(), 0.0);
    for (int i = 0; i < n; ++i) q[i] += 0.5 * h * u[i];
    multiply_add(m.K, -h, q.data(), d.data());
    factor.solve(d.data());
    for (int i = 0; i < n; ++i) q[i] += 0.5 * h * (u[i] + d[i]), u[i] += d[i];
  });
  const double bytes = 8.0 * static_cast<double>(factor.factor_size());
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-8s %7d %8.1f MB %6.2f s %7.2f s %8.3f ms %6.2f GB/s %8.3f ms %8.3f ms %6.2f %6ld MB\n", name,
              n, 1e-6 * bytes, analysed, factorised, 1e3 * streamed, 1e-9 * bytes / streamed, 1e3 * solved,
              1e3 * step, step / streamed, usage.ru_maxrss / 1024);
  std::fflush(stdout);
  if (!compare) return;
  // The same matrix by Eigen's simplicial factorisation, in its own order (AMD).
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (int k = A.row_ptr[i]; k < A.row_ptr[i + 1]; ++k) entries.emplace_back(i, A.col[k], A.value[k]);
  Eigen::SparseMatrix<double> sparse(n, n);
  sparse.setFromTriplets(entries.begin(), entries.end());
  begin = Clock::now();
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> other(sparse);
  const double other_factorised = seconds(begin);
  Eigen::VectorXd b = Eigen::Map<Eigen::VectorXd>(u.data(), n), x(n);
  const double other_solved = fastest(5, [&] { x = other.solve(b); });
  std::printf("%-8s %7s Eigen::SimplicialLDLT: %.2f s, solution %.3f ms, %.1f times ours\n", "", "",
              other_factorised, 1e3 * other_solved, other_solved / solved);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "quick") == 0;
  std::printf("%-8s %7s %11s %8s %9s %11s %11s %11s %11s %6s %9s\n", "mesh", "dof", "factor", "order",
              "factorise", "stream", "bandwidth", "solve", "step", "ratio", "memory");
  measure("frame", frame(8, 4, 2, 3), !quick);
  measure("frame", frame(20, 9, 5, 2), false);
  measure("frame", frame(24, 10, 6, 2), !quick);
  measure("plate", plate(28), false);
  measure("plate", plate(90), !quick);
  measure("block", block(11), false);
  if (quick) return 0;
  measure("block", block(24), true);
  measure("frame", frame(48, 14, 10, 2), false);
  measure("plate", plate(182), false);
}
