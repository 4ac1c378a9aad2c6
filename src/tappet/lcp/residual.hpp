// The one measure by which every solution is judged, whoever computed it.
//
// It is the natural map of the problem, in the unit of w (or u), divided by the problem's own size:
//
//   complementarity row   |min(w_i, c_i z_i)| / unit          c_i = column_scale: what one unit of z_i does to w
//   equality row          |w_i| / unit
//   contact               ‖r − P_K(r − ρ û)‖ / (ρ unit)       û = u + μ‖u_t‖ e_n,
//                                                             1/ρ = largest diagonal entry of its block of W
//
// and the largest of these counts. Each is zero exactly at a solution; multiplying by 1/ρ turns an error of
// the unknowns into the error of w that it makes, so that light and heavy bodies are judged alike, and a
// residual of 10⁻⁸ in a contact problem means that no relative velocity is wrong by more than 10⁻⁸ of the
// largest one in b.
#pragma once

#include <Eigen/Core>

#include "tappet/lcp/problem.hpp"

namespace tappet::lcp {

/// What the residual needs of a problem; filled by prepare(), valid for one problem, its memory is reused.
struct Measure {
  double unit = 1;        ///< size of w that counts as 1
  Eigen::VectorXd scale;  ///< c_i of each row; of a contact's rows the largest among them
  Eigen::VectorXd w;      ///< M z + q of the last residual()
  Eigen::VectorXd inner;  ///< working memory
};

void prepare(const MlcpView& problem, Measure& measure);
void prepare(const ConeProblem& problem, Measure& measure);

/// Leaves w (or u) in the measure. Not a number counts as infinity.
double residual(const MlcpView& problem, const Eigen::VectorXd& z, Measure& measure);
double residual(const ConeProblem& problem, const Eigen::VectorXd& r, Measure& measure);

/// The same when measure.w holds w = M z + q already.
double residual_of_w(const MlcpView& problem, const Eigen::VectorXd& z, const Measure& measure);
double residual_of_w(const ConeProblem& problem, const Eigen::VectorXd& r, const Measure& measure);

/// For a caller that asks once.
double residual(const MlcpView& problem, const Eigen::VectorXd& z);
double residual(const ConeProblem& problem, const Eigen::VectorXd& r);

/// Does y prove that no z ≥ 0 has M z + q ≥ 0? Farkas: y ≥ 0, Mᵀ y ≤ 0, qᵀ y < 0 (with equalities: Mᵀ y = 0
/// in their columns, and y of any sign in their rows). Checked to a tolerance relative to the sizes of M, q
/// and y.
bool proves_infeasible(const MlcpView& problem, const Eigen::VectorXd& y);
/// The same for contacts: W y = 0 with y ≥ 0 on the normals, 0 on the tangents, and bᵀ y < 0. Then uᵀ y = bᵀ
/// y < 0 whatever r is, while u_n ≥ 0 would make it ≥ 0: a self-stress without friction, such as a block
/// between two closing walls.
bool proves_infeasible(const ConeProblem& problem, const Eigen::VectorXd& y);

}  // namespace tappet::lcp
