// A solver of complementarity problems as its callers see it, and the registry of them.
//
// A solver sees only its problem, and it does not judge its own work: solve() runs the method and then asks
// the shared residual. Only that decides between converged and stalled.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <Eigen/Core>

#include "tappet/base/registry.hpp"
#include "tappet/lcp/elimination.hpp"
#include "tappet/lcp/problem.hpp"
#include "tappet/lcp/residual.hpp"

namespace tappet::lcp {

enum class Status {
  converged,   ///< the residual is within the tolerance
  stalled,     ///< it is not, and nothing is proved: the note says why the method stopped
  infeasible,  ///< there is no solution; `ray` proves it
};

/// Which forms of a matrix a method works on; others, and equality rows of a dense matrix, are brought to it.
enum class Form {
  dense,          ///< dense, without equality rows
  dense_or_gram,  ///< that, or cone problems in Gram form with equality rows
  any,            ///< all three; with equality rows in the sparse forms
};

/// A line of text that lives inside the result, so that writing it allocates nothing; cut where it is too
/// long. note_text.hpp writes it.
class Note {
 public:
  std::string_view text() const { return {text_, length_}; }
  bool empty() const { return length_ == 0; }
  void clear() { length_ = 0; }
  /// The room behind the text, and so many characters of it taken.
  std::span<char> room() { return {text_ + length_, sizeof text_ - length_}; }
  void extend(std::size_t count) { length_ += count; }

 private:
  char text_[240];
  std::size_t length_ = 0;
};

struct Result {
  Status status = Status::stalled;
  double residual = 0;  ///< as residual() gives it
  int iterations = 0;   ///< pivots, sweeps, Newton steps or gradients, as the solver counts
  Note note;            ///< one line: what ran, why it stopped
  Eigen::VectorXd ray;  ///< of an infeasible problem the y of proves_infeasible(); else empty
};

struct SolverOptions {
  double tolerance = 1e-8;  ///< of the shared residual
  int max_iterations = 0;   ///< 0: as the solver thinks right for the size
  bool warm_start = true;   ///< start from the z or r that solve() is given, when it has the right size
  double relaxation = 1;    ///< of Gauss–Seidel sweeps: ω in (0, 2)
  /// Is the matrix of contacts looked at first, and refused where it is not symmetric? Not needed where it was made so.
  bool check = true;
};

/// Up to which a matrix that is given counts as symmetric.
inline constexpr double given_asymmetry = 1e-9;

class Solver {
 public:
  Solver(const SolverOptions& options, Form form) : options_(options), form_(form) {}
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Solves for z (or r), which is also the guess that it starts from. A solver keeps its memory: solving
  /// problems of the same size and form again allocates nothing. Giving a solver a kind of problem that it
  /// does not claim is std::logic_error; the caller asks SolverType::claims first.
  Result solve(const MlcpView& problem, Eigen::VectorXd& z);
  Result solve(const ConeProblem& problem, Eigen::VectorXd& r);

  /// w (or u) of the last solution.
  const Eigen::VectorXd& velocity() const { return whole_.w; }

  const SolverOptions& options() const { return options_; }
  void set_options(const SolverOptions& options) { options_ = options; }

 protected:
  /// The method itself, on a problem of the solver's form. `z` has the right size and holds the guess (zero
  /// when there is none); measure_ is prepared. Fills iterations and note, and claims infeasibility by a ray.
  virtual void run_lcp(const MlcpView& problem, Eigen::VectorXd& z, Result& result);
  virtual void run_cone(const ConeProblem& problem, Eigen::VectorXd& r, Result& result);

  int max_iterations(int fallback) const {
    return options_.max_iterations > 0 ? options_.max_iterations : fallback;
  }

  SolverOptions options_;
  Measure measure_;  ///< of the problem that run_lcp() or run_cone() is given
  /// To be set by a method whose last act was to multiply out w = M z + q, at the z that it leaves, into measure_: it is not done again.
  bool multiplied_ = false;

 private:
  bool takes(const Matrix& m, int equalities, bool is_cone) const;
  Result refused(const ConeProblem& problem, Eigen::VectorXd& r);
  /// The part of solve() that is the same for both kinds of problems.
  template <class Problem, class Reduce, class Run>
  Result judged(const Problem& problem, const Matrix& m, bool is_cone, Eigen::VectorXd& z, Reduce&& reduce,
                Run&& run);

  Form form_;
  Elimination elimination_;
  Mlcp reduced_lcp_;          ///< dense, without equalities
  ConeProblem reduced_cone_;  ///< the same
  Eigen::VectorXd reduced_z_;
  Measure whole_;  ///< of the problem as given
};

/// Kinds of problems, to be combined; what a solver claims it solves, and the tests hold it to that.
enum Kind : unsigned {
  lcp_symmetric_psd = 1u << 0,  ///< M symmetric positive semidefinite with a positive diagonal
  lcp_psd = 1u << 1,            ///< M positive semidefinite, not necessarily symmetric
  lcp_p_matrix = 1u << 2,       ///< every principal minor of M is positive
  lcp_copositive = 1u << 3,     ///< zᵀ M z ≥ 0 for z ≥ 0: the matrices of polyhedral friction
  mixed = 1u << 4,              ///< with equality rows
  lcp_stiff = 1u << 5,          ///< unknowns whose effects differ by 10⁶: a heavy body on top of light ones
  cone = 1u << 6,               ///< ConeProblem
  cone_stiff = 1u << 7,         ///< the same, with masses that differ by 10³
  cone_strong = 1u << 8,        ///< the same, with coefficients of friction above 1
};

struct SolverType {
  std::string name;      ///< as in `simulation.solver`
  std::string help;      ///< one line
  std::string citation;  ///< key in docs/references.bib
  unsigned claims = 0;   ///< kinds of problems
  std::unique_ptr<Solver> (*make)(const SolverOptions&) = nullptr;
};

using SolverRegistry = Registry<SolverType>;

/// The `make` of a solver class.
template <class T>
std::unique_ptr<Solver> make_solver(const SolverOptions& options) {
  return std::make_unique<T>(options);
}

/// A registered solver by name; throws std::invalid_argument that lists the names.
std::unique_ptr<Solver> make_solver(const std::string& name, const SolverOptions& options = {});

}  // namespace tappet::lcp
