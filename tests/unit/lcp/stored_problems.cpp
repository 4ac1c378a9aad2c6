#include "unit/lcp/stored_problems.hpp"

#include "tappet/lcp/friction_lcp.hpp"
#include "tappet/lcp/solver.hpp"

namespace tappet::lcp::stored {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

MatrixXd murty_matrix(int n) {
  MatrixXd m = MatrixXd::Identity(n, n);
  for (int i = 0; i < n; ++i) m.row(i).head(i).setConstant(2);
  return m;
}

/// A solution with about `zeros` of ten pairs zero on both sides, and q that belongs to it.
VectorXd q_of_solution(const MatrixXd& m, int equalities, int zeros, Random& random) {
  const int n = static_cast<int>(m.rows());
  VectorXd z = VectorXd::Zero(n), w = VectorXd::Zero(n);
  for (int i = 0; i < n; ++i) {
    if (i < equalities) {
      z[i] = random.normal();
    } else if (random.below(10) >= zeros) {
      (random.below(2) ? z[i] : w[i]) = random.uniform(0.1, 2);
    }
  }
  return w - m * z;
}

MatrixXd psd(int n, int rank, Random& random) {
  const MatrixXd a = random.matrix(n, rank);
  return a * a.transpose();
}

MatrixXd skew(int n, Random& random) {
  const MatrixXd a = random.matrix(n, n);
  return a - a.transpose();
}

void add(std::vector<NamedLcp>& list, std::string name, const MatrixXd& m, const VectorXd& q, unsigned kinds,
         int equalities = 0, bool infeasible = false) {
  list.push_back({std::move(name), {equalities, m, q, 0}, kinds | (equalities > 0 ? mixed : 0u), infeasible});
}

/// The friction problem of a graph as an Lcp.
void add_friction(std::vector<NamedLcp>& list, std::string name, const ConeProblem& cone_problem,
                  int facets) {
  Mlcp problem;
  friction_mlcp(cone_problem, facets, problem);
  list.push_back({std::move(name), problem, lcp_copositive, false});
}

std::vector<NamedLcp> make_lcps() {
  std::vector<NamedLcp> list;
  Random random(2024);
  constexpr unsigned symmetric = lcp_symmetric_psd | lcp_psd;

  // Positive definite and semidefinite, symmetric.
  for (int n : {1, 5, 20, 60}) {
    const MatrixXd m = psd(n, n + 5, random);
    add(list, "definite_" + std::to_string(n), m, q_of_solution(m, 0, 0, random), symmetric | lcp_p_matrix);
  }
  for (int rank : {3, 10}) {
    const MatrixXd m = psd(30, rank, random);
    add(list, "rank_" + std::to_string(rank) + "_of_30", m, q_of_solution(m, 0, 0, random), symmetric);
  }
  {
    const MatrixXd m = psd(40, 45, random);
    add(list, "degenerate", m, q_of_solution(m, 0, 6, random), symmetric | lcp_p_matrix);
    const MatrixXd s = psd(40, 15, random);
    add(list, "degenerate_and_singular", s, q_of_solution(s, 0, 6, random), symmetric);
    add(list, "q_is_zero", m, VectorXd::Zero(40), symmetric | lcp_p_matrix);
    add(list, "q_is_positive", m, VectorXd::Ones(40), symmetric | lcp_p_matrix);
  }

  // Not symmetric: semidefinite, P, copositive-plus.
  for (int n : {10, 40}) {
    const MatrixXd m = psd(n, n / 2, random) + skew(n, random);
    add(list, "bisymmetric_" + std::to_string(n), m, q_of_solution(m, 0, 0, random), lcp_psd);
    MatrixXd p = random.matrix(n, n);
    p.diagonal() = p.cwiseAbs().rowwise().sum() + VectorXd::Ones(n);
    add(list, "dominant_" + std::to_string(n), p, random.vector(n), lcp_p_matrix);
    const MatrixXd c = psd(n, n / 2, random) + random.matrix(n, n).cwiseAbs();
    add(list, "copositive_" + std::to_string(n), c, q_of_solution(c, 0, 0, random), lcp_copositive);
  }
  for (int n : {4, 10, 12}) {
    const Lcp m = murty(n), f = fathi(n);
    add(list, "murty_" + std::to_string(n), std::get<MatrixXd>(m.M), m.q, lcp_p_matrix);
    add(list, "fathi_" + std::to_string(n), std::get<MatrixXd>(f.M), f.q, lcp_p_matrix);
  }

  // With equality rows; the second has redundant ones.
  for (int rank : {40, 18}) {
    MatrixXd a = random.matrix(30, rank);
    if (rank == 18) a.row(3) = a.row(0) - a.row(1);
    const MatrixXd m = a * a.transpose();
    add(list, "mixed_rank_" + std::to_string(rank), m, q_of_solution(m, 6, 0, random), symmetric, 6);
  }

  // Contacts without friction: hyperstatic, a mass ratio of a million, a pile.
  const auto add_contacts = [&](std::string name, const ContactGraph& graph, unsigned more = 0) {
    const Lcp lcp = frictionless(graph);
    add(list, std::move(name), std::get<MatrixXd>(lcp.M), lcp.q, symmetric | more);
  };
  add_contacts("hyperstatic_stack", box_stack(6, 0, 1));
  add_contacts("mass_ratio", box_stack(4, 0, 1e6), lcp_stiff);
  add_contacts("hyperstatic_wall", box_wall(4, 4, 0));
  add_contacts("lattice", sphere_lattice(60, 0, 5));

  // Contacts with friction, exactly in the plane and by polygons in space.
  add_friction(list, "planar_friction", planar(random_graph(6, 8, 0.4, 1, 21)), 0);
  add_friction(list, "planar_stack", planar(box_stack(4, 0.5, 1)), 0);
  add_friction(list, "planar_much_friction", planar(random_graph(5, 7, 3, 10, 22)), 0);
  add_friction(list, "facets_4", dense_form(random_graph(5, 6, 0.3, 1, 23)), 4);
  add_friction(list, "facets_8", dense_form(random_graph(4, 6, 0.7, 10, 24)), 8);
  add_friction(list, "facets_4_stack", dense_form(box_stack(2, 0.5, 1)), 4);

  // No solution.
  const MatrixXd pull = (MatrixXd(2, 2) << 1, -1, -1, 1).finished();
  add(list, "no_solution_symmetric", pull, (VectorXd(2) << -1, 0).finished(), symmetric, 0, true);
  const MatrixXd turn = (MatrixXd(2, 2) << 0, 1, -1, 0).finished();
  add(list, "no_solution_skew", turn, (VectorXd(2) << 1, -1).finished(), lcp_psd, 0, true);
  {
    // M = A Aᵀ with y ≥ 0 in the kernel of Aᵀ and qᵀ y < 0.
    MatrixXd a = random.matrix(20, 12);
    a.row(19) = -a.topRows(5).colwise().sum();
    VectorXd q = q_of_solution(a * a.transpose(), 0, 0, random);
    q[19] -= q.head(5).sum() + q[19] + 1;
    add(list, "no_solution_20", a * a.transpose(), q, symmetric, 0, true);
  }
  return list;
}

/// A graph with its first body tied to the second by a joint of five rows, in Gram form.
ConeProblem with_joint(const ContactGraph& graph, std::uint64_t seed) {
  Random random(seed);
  BlockCsr factor;
  for (int j = 0; j < graph.factor.block_cols(); ++j) factor.add_columns(6);
  factor.add_row(5);
  factor.add_block(0) = random.matrix(5, 6);
  factor.add_block(1) = random.matrix(5, 6);
  for (int i = 0; i < graph.factor.block_rows(); ++i) {
    factor.add_row(3);
    for (int k = graph.factor.row_ptr[i]; k < graph.factor.row_ptr[i + 1]; ++k)
      factor.add_block(graph.factor.col[k]) = graph.factor.block(i, k);
  }
  ConeProblem out = gram_form(graph);
  out.equalities = 5;
  out.b.resize(5 + graph.b.size());
  out.b << 0.01 * random.vector(5), graph.b;
  out.W = Gram{factor};
  return out;
}

std::vector<NamedCone> make_cones() {
  std::vector<NamedCone> list;
  const auto add_forms = [&](const std::string& name, const ConeProblem& gram_problem,
                             unsigned kinds = cone) {
    list.push_back({name + "_gram", gram_problem, kinds});
    ConeProblem other = gram_problem;
    const BlockCsr w = gram(std::get<Gram>(gram_problem.W).factor);
    other.W = w;
    list.push_back({name + "_sparse", other, kinds});
    other.W = w.dense();
    list.push_back({name + "_dense", other, kinds});
  };
  add_forms("one_contact", gram_form(random_graph(2, 1, 0.5, 1, 1)));
  add_forms("few_contacts", gram_form(random_graph(4, 6, 0.5, 1, 2)));
  add_forms("graph", gram_form(random_graph(20, 50, 0.4, 1, 3)));
  add_forms("graph_mass_ratio", gram_form(random_graph(12, 24, 0.4, 1e4, 4)), cone | cone_stiff);
  add_forms("graph_no_friction", gram_form(random_graph(12, 30, 0, 1, 5)));
  add_forms("graph_much_friction", gram_form(random_graph(12, 20, 3, 1, 6)), cone | cone_strong);
  add_forms("stack", gram_form(box_stack(3, 0.5, 1)));
  add_forms("stack_heavy_top", gram_form(box_stack(3, 0.5, 1e3)), cone | cone_stiff);
  add_forms("wall", gram_form(box_wall(3, 3, 0.6)));
  add_forms("lattice", gram_form(sphere_lattice(60, 0.3, 7)));
  add_forms("joint", with_joint(random_graph(8, 14, 0.4, 1, 8), 9));
  list.push_back({"planar_graph", planar(random_graph(10, 20, 0.4, 1, 10)), cone});
  list.push_back({"planar_stack", planar(box_stack(4, 0.5, 1)), cone});
  list.push_back({"planar_no_friction", planar(random_graph(10, 20, 0, 1, 11)), cone});
  return list;
}

}  // namespace

Lcp murty(int n) {
  return {murty_matrix(n), VectorXd::Constant(n, -1)};
}

Lcp fathi(int n) {
  const MatrixXd l = murty_matrix(n);
  return {MatrixXd(l * l.transpose()), VectorXd::Constant(n, -1)};
}

Lcp random_psd(int n, int rank, std::uint64_t seed) {
  Random random(seed);
  const MatrixXd m = psd(n, rank, random);
  return {m, q_of_solution(m, 0, 0, random)};
}

const std::vector<NamedLcp>& lcps() {
  static const std::vector<NamedLcp> list = make_lcps();
  return list;
}

const std::vector<NamedCone>& cones() {
  static const std::vector<NamedCone> list = make_cones();
  return list;
}

}  // namespace tappet::lcp::stored
