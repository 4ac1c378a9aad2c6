// Reynolds' equation for the oil between a round journal and a round bearing of finite length, with cavitation.
//
//   P = p c³/(12 μ R² |w|),  Z = z/R,  |Z| ≤ λ,  H = 1 − ε cos ϑ  (contact/film_law.hpp has the symbols)
//   r = −∂(H³ ∂P/∂ϑ)/∂ϑ − ∂(H³ ∂P/∂Z)/∂Z − cos(ϑ − γ),      0 ≤ P ⟂ r ≥ 0,      P = 0 at the ends Z = ±λ
//
// γ is the angle of w against e. Oil that is short of pressure ruptures (P = 0), and no pressure is below that around: a linear
// complementarity problem with an M-matrix. Finite volumes on half of the length, cells narrow where the gap is thin:
// x = ½ ϑ/π + ½ asinh(ϑ/a)/asinh(π/a) with a = 1.8 √(1−ε) for faces at equal x, and Z = λ sin(πj/2m). The active set is corrected
// until it is right; each round is one solution of a band.
//
// Supply: nothing else, a film that is periodic around the bearing; or P = 0 on the line ϑ = π as well, where a groove at the widest gap
// keeps the oil at the pressure around.
//
// Results, of order 2 in the width of the cells:
//   I = ∫∫ P (cos ϑ, sin ϑ) dϑ dZ,   F = −(12 μ R⁴ |w|/c³) I
//   loss = ∫∫ H³ |∇P|² = I·ŵ, identical for the discrete film as well
//   flow = the oil that leaves at both ends over R² |w|
// [Reynolds 1886; Butenschoen 1976]
#pragma once

#include <vector>

namespace tappet::lubrication {

enum class Supply { none, widest_gap };

struct FilmProblem {
  double eccentricity = 0;  ///< ε, 0 ≤ ε < 1
  double direction = 0;     ///< γ, rad
  double ratio = 1;         ///< λ = L/D
  Supply supply = Supply::none;
  int around = 160, along = 12;  ///< cells around the bearing, and along half of its length
};

struct FilmSolution {
  double I_n = 0, I_t = 0;  ///< I along e and across
  double loss = 0, flow = 0;
  int rounds = 0;  ///< of the active set
};

/// A bearing's grid and band, kept from one solution to the next. The active set of the last solution is where the next begins.
class ReynoldsSolver {
 public:
  /// Throws std::runtime_error if the active set does not settle.
  FilmSolution solve(const FilmProblem& problem);

  /// Of the last solution: P of the cells, around × along, and their middles.
  const std::vector<double>& pressure() const { return pressure_; }
  const std::vector<double>& angles() const { return theta_; }
  const std::vector<double>& places() const { return z_; }

 private:
  void make_grid(const FilmProblem& problem);
  void make_matrix(const FilmProblem& problem);
  void solve_active();
  double residual(int cell) const;
  int at(int column, int row) const { return column * along_ + row; }

  int around_ = 0, along_ = 0;
  std::vector<double> theta_face_, theta_, z_face_, z_;
  std::vector<double> to_next_, to_end_;  // conductance to the next cell around, and towards the end
  std::vector<double> diagonal_, source_, pressure_, to_ambient_;
  std::vector<char> active_;
  std::vector<double> band_, right_;
  std::vector<int> order_, place_;  // columns in the order of elimination, and back
};

/// The same on two grids, the second twice as fine, extrapolated to none: what tables are made of.
FilmSolution extrapolated(const FilmProblem& problem, ReynoldsSolver& coarse, ReynoldsSolver& fine);

}  // namespace tappet::lubrication
