#include "tappet/fem/flexible_reduction.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SparseCore>
#include <fmt/format.h>

#include "tappet/fem/modes.hpp"
#include "tappet/fem/reduction.hpp"
#include "tappet/linalg/supernodal_cholesky.hpp"

namespace tappet::fem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

// Directions of a frame that count: x y z rx ry rz, in the plane x y rz.
std::vector<int> frame_directions(bool planar) {
  return planar ? std::vector<int>{0, 1, 5} : std::vector<int>{0, 1, 2, 3, 4, 5};
}

Sparse both_triangles(const SymmetricCsr& a) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < a.rows(); ++i)
    for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      entries.emplace_back(i, a.col[k], a.value[k]);
      if (a.col[k] != i) entries.emplace_back(a.col[k], i, a.value[k]);
    }
  Sparse out(a.rows(), a.rows());
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

SymmetricCsr lower_triangle(const Sparse& a) {
  SymmetricCsr out;
  for (int i = 0; i < a.rows(); ++i) {
    bool diagonal = false;
    for (Sparse::InnerIterator it(a, i); it && it.col() <= i; ++it) {
      out.col.push_back(static_cast<int>(it.col())), out.value.push_back(it.value());
      diagonal = it.col() == i;
    }
    if (!diagonal) out.col.push_back(i), out.value.push_back(0);
    out.row_ptr.push_back(static_cast<int>(out.col.size()));
  }
  return out;
}

class FlexibleReducer {
 public:
  FlexibleReducer(Structure structure, const FlexibleOptions& options)
      : s_(std::move(structure)), options_(options), axes_(frame_directions(options.planar)) {}

  FlexibleReduction run() {
    hold_plane();
    number_unknowns(s_);
    place_interfaces();
    join_interfaces();
    make_shapes();
    choose_frame();
    add_up();
    if (options_.stiffening) stiffen();
    describe_interfaces();
    keep_mesh();
    return std::move(out_);
  }

 private:
  int per_interface() const { return static_cast<int>(axes_.size()); }
  int interfaces() const { return static_cast<int>(options_.interfaces.size()); }
  // Column of direction d of an interface among the unknowns of joined matrices.
  int column(int interface, int d) const { return kept_ + interface * per_interface() + d; }

  // In the plane nothing leaves it.
  void hold_plane() {
    if (!options_.planar) return;
    for (int node = 0; node < static_cast<int>(s_.mesh.nodes.size()); ++node) {
      if (std::abs(s_.mesh.nodes[node].z()) > 1e-9 * extent(s_.mesh))
        throw std::runtime_error("its mesh leaves the plane z = 0 of a planar model");
      s_.supports.push_back({node, {false, false, true, true, true, false}});
    }
  }

  void place_interfaces() {
    if (options_.interfaces.empty()) throw std::runtime_error("has no interfaces; give at least one");
    std::set<int> taken;
    for (const FlexibleInterfaceNodes& each : options_.interfaces) {
      Vec3 mean = Vec3::Zero();
      double mass = 0;
      for (int node : each.nodes) {
        mean += s_.mesh.nodes[node] / static_cast<double>(each.nodes.size());
        mass += s_.node_unknowns[node];
        if (!taken.insert(node).second)
          throw std::runtime_error(
              fmt::format("has an interface '{}' with a node that belongs to another one too", each.name));
      }
      if (mass == 0)
        throw std::runtime_error(fmt::format("has an interface '{}' without elements", each.name));
      places_.push_back(std::isnan(each.position.x()) ? mean : each.position);
      double spread = 0, line = 0;
      Vec3 along = Vec3::Zero();
      for (int node : each.nodes) {
        const Vec3 arm = s_.mesh.nodes[node] - mean;
        if (arm.norm() > spread) spread = arm.norm(), along = arm.normalized();
      }
      for (int node : each.nodes) {
        const Vec3 arm = s_.mesh.nodes[node] - mean;
        line = std::max(line, (arm - along.dot(arm) * along).norm());
      }
      const bool turns = s_.node_unknowns[each.nodes[0]] == 6;
      if (!turns && line <= 1e-9 * spread && !(options_.planar && spread > 0))
        throw std::runtime_error(fmt::format(
            "has an interface '{}' of nodes without rotations that lie on a line: it can turn about it; "
            "give a group with more nodes",
            each.name));
    }
  }

  // How a frame at x_I moves unknown d of a node.
  double carried(int interface, int direction, int node, int d) const {
    const Vec3 arm = s_.mesh.nodes[node] - places_[interface];
    if (direction < 3) return d == direction ? 1 : 0;
    if (d >= 3) return d == direction ? 1 : 0;
    return Vec3(Vec3::Unit(direction - 3).cross(arm))[d];
  }

  // Matrices in which interfaces' nodes are replaced by their frames, whose unknowns come last.
  void join_interfaces() {
    const StructureMatrices m = assemble(s_);
    const Sparse K = both_triangles(m.K), M = both_triangles(m.M);
    std::vector<int> of_interface(s_.mesh.nodes.size(), -1);
    std::vector<Averaged> averaged;
    for (int i = 0; i < interfaces(); ++i) {
      if (options_.interfaces[i].averaged) {
        averaged.push_back(average(i, M));
        continue;
      }
      for (int node : options_.interfaces[i].nodes) of_interface[node] = i;
    }
    // Unknowns that an averaged frame stands for.
    std::vector<char> replaced(s_.free, 0);
    for (const Averaged& each : averaged)
      for (int k = 0; k < per_interface(); ++k) replaced[each.unknowns[each.order[k]]] = 1;
    std::vector<Eigen::Triplet<double>> entries;
    std::vector<int> place(s_.free, -1);
    for (int node = 0; node < static_cast<int>(s_.mesh.nodes.size()); ++node)
      for (int d = 0; d < s_.node_unknowns[node]; ++d)
        if (const int free = s_.free_unknown(node, d); free >= 0 && of_interface[node] < 0 && !replaced[free])
          place[free] = kept_, entries.emplace_back(free, kept_++, 1);
    for (const Averaged& each : averaged) spread_average(each, place, entries);
    for (int node = 0; node < static_cast<int>(s_.mesh.nodes.size()); ++node) {
      if (of_interface[node] < 0) continue;
      for (int d = 0; d < s_.node_unknowns[node]; ++d) {
        const int free = s_.free_unknown(node, d);
        if (free < 0) continue;
        for (int a = 0; a < per_interface(); ++a)
          if (const double part = carried(of_interface[node], axes_[a], node, d); part != 0)
            entries.emplace_back(free, column(of_interface[node], a), part);
      }
    }
    join_.resize(s_.free, kept_ + interfaces() * per_interface());
    join_.setFromTriplets(entries.begin(), entries.end());
    const Sparse back = join_.transpose();
    K_ = back * K * join_;
    M_ = back * M * join_;
  }

  // The rows of an averaged frame: d and θ = rows × the unknowns of its nodes.
  struct Averaged {
    int interface = 0;
    std::vector<int> unknowns;  // free ones
    MatrixXd rows;
    std::vector<int> order;  // of these unknowns: the first ones are those that the rows determine best
  };

  Averaged average(int interface, const Sparse& M) const {
    const FlexibleInterfaceNodes& in = options_.interfaces[interface];
    const int n = options_.planar ? 2 : 3;
    std::vector<double> weight;
    double sum = 0;
    Vec3 centre = Vec3::Zero();
    for (int node : in.nodes) {
      double own = 0;
      for (int d = 0; d < n; ++d) {
        const int free = s_.free_unknown(node, d);
        if (free < 0)
          throw std::runtime_error(
              fmt::format("has an averaged interface '{}' with nodes that elements hold in their plane; "
                          "`kind: rigid` does",
                          in.name));
        own += M.coeff(free, free) / n;
      }
      weight.push_back(own);
      sum += own;
      centre += own * s_.mesh.nodes[node];
    }
    if (!(sum > 0)) throw std::runtime_error(fmt::format("has an interface '{}' without mass", in.name));
    centre /= sum;
    Mat3 spread = Mat3::Zero();
    for (std::size_t k = 0; k < in.nodes.size(); ++k) {
      const Vec3 arm = s_.mesh.nodes[in.nodes[k]] - centre;
      spread += weight[k] / sum * (arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose());
    }
    const VectorXd spreads = Eigen::SelfAdjointEigenSolver<Mat3>(spread).eigenvalues();
    if (!(spreads[0] > 1e-9 * spreads[2]) && !(options_.planar && spread(2, 2) > 0))
      throw std::runtime_error(fmt::format(
          "has an averaged interface '{}' whose nodes lie {}, so that they do not say how it turns; "
          "give a group with more nodes, or `kind: rigid`",
          in.name, spreads[2] > 0 ? "on a line" : "in one place"));
    const Mat3 inverse =
        options_.planar ? Mat3(Vec3(0, 0, 1 / spread(2, 2)).asDiagonal()) : Mat3(spread.inverse());
    const Vec3 off = places_[interface] - centre;
    Averaged out;
    out.interface = interface;
    out.rows = MatrixXd::Zero(per_interface(), n * static_cast<Eigen::Index>(in.nodes.size()));
    for (std::size_t k = 0; k < in.nodes.size(); ++k) {
      const Vec3 arm = s_.mesh.nodes[in.nodes[k]] - centre;
      for (int d = 0; d < n; ++d) {
        const auto at = static_cast<Eigen::Index>(out.unknowns.size());
        const Vec3 theta = weight[k] / sum * (inverse * arm.cross(Vec3::Unit(d)));
        const Vec3 move = weight[k] / sum * Vec3::Unit(d) + theta.cross(off);
        for (int a = 0; a < per_interface(); ++a)
          out.rows(a, at) = axes_[a] < 3 ? move[axes_[a]] : theta[axes_[a] - 3];
        out.unknowns.push_back(s_.free_unknown(in.nodes[k], d));
      }
    }
    // Rotations in the measure of displacements, for the choice.
    MatrixXd scaled = out.rows;
    for (int a = 0; a < per_interface(); ++a)
      if (axes_[a] >= 3) scaled.row(a) *= std::sqrt(spreads[2]);
    const Eigen::ColPivHouseholderQR<MatrixXd> qr(scaled);
    for (int k = 0; k < static_cast<int>(out.unknowns.size()); ++k)
      out.order.push_back(qr.colsPermutation().indices()[k]);
    return out;
  }

  // Unknowns that the frame stands for: G_d u_d = (d, θ) − G_i u_i.
  void spread_average(const Averaged& of, const std::vector<int>& place,
                      std::vector<Eigen::Triplet<double>>& entries) const {
    const int w = per_interface(), n = static_cast<int>(of.unknowns.size());
    MatrixXd dependent(w, w), rest(w, n - w);
    for (int k = 0; k < n; ++k) (k < w ? dependent.col(k) : rest.col(k - w)) = of.rows.col(of.order[k]);
    const MatrixXd inverse = dependent.inverse(), others = -inverse * rest;
    for (int k = 0; k < w; ++k) {
      const int free = of.unknowns[of.order[k]];
      for (int a = 0; a < w; ++a) entries.emplace_back(free, column(of.interface, a), inverse(k, a));
      for (int r = 0; r < n - w; ++r)
        entries.emplace_back(free, place[of.unknowns[of.order[w + r]]], others(k, r));
    }
  }

  void make_shapes() {
    StructureMatrices joined;
    joined.K = lower_triangle(K_), joined.M = lower_triangle(M_);
    joined.C = joined.K;
    std::fill(joined.C.value.begin(), joined.C.value.end(), 0.0);
    std::vector<int> held;
    for (int i = kept_; i < K_.rows(); ++i) held.push_back(i);
    basis_ = craig_bampton(joined, held, options_.free_modes ? 0 : options_.modes).basis;
    if (options_.free_modes) add_free_modes(joined);
    const int found = static_cast<int>(basis_.cols() - held.size());
    if (found < options_.modes)
      throw std::runtime_error(
          fmt::format("has `modes: {}`, but only {} beside what its interfaces do", options_.modes, found));
  }

  // Modes of the free body without what the interfaces do in them; of several that are then alike, one.
  void add_free_modes(const StructureMatrices& joined) {
    const int rigid = per_interface(), boundary = static_cast<int>(basis_.cols());
    const Modes found = lowest_modes(joined.K, joined.M, options_.modes + rigid);
    MatrixXd own(basis_.rows(), 0);
    for (Eigen::Index k = rigid; k < found.shapes.cols(); ++k) {
      VectorXd x = found.shapes.col(k);
      x -= basis_ * x.tail(boundary);
      for (int round = 0; round < 2; ++round) x -= own * (own.transpose() * (M_ * x));
      const double left = std::sqrt(x.dot(M_ * x));
      if (!(left > 1e-6)) continue;  // modes have the norm 1
      own.conservativeResize(Eigen::NoChange, own.cols() + 1);
      own.rightCols(1) = x / left;
    }
    MatrixXd all(basis_.rows(), boundary + own.cols());
    all << basis_, own;
    basis_ = std::move(all);
  }

  // Rigid motions, as the interfaces make them: in the coordinates of the basis.
  MatrixXd rigid_motions(const Vec3& about) const {
    MatrixXd out = MatrixXd::Zero(basis_.cols(), per_interface());
    for (int i = 0; i < interfaces(); ++i)
      for (int a = 0; a < per_interface(); ++a)
        for (int b = 0; b < per_interface(); ++b) {
          const int move = axes_[a], of = axes_[b];
          double value = move == of ? 1 : 0;
          if (move >= 3 && of < 3) value = Vec3(Vec3::Unit(move - 3).cross(places_[i] - about))[of];
          out(i * per_interface() + b, a) = value;
        }
    return out;
  }

  void choose_frame() {
    const MatrixXd M = basis_.transpose() * (M_ * basis_), K = basis_.transpose() * (K_ * basis_);
    MatrixXd Z;
    if (options_.frame < 0) {
      total_mass(s_, &out_.origin);
      const MatrixXd across = M * rigid_motions(out_.origin);
      const MatrixXd Q = Eigen::HouseholderQR<MatrixXd>(across).householderQ();
      Z = Q.rightCols(M.cols() - per_interface());
      out_.frame = "in mean axes, its origin the centre of mass";
    } else {
      out_.origin = places_[options_.frame];
      std::vector<int> rest;
      for (int i = 0; i < M.cols(); ++i)
        if (i / per_interface() != options_.frame || i >= interfaces() * per_interface()) rest.push_back(i);
      Z = MatrixXd::Zero(M.cols(), static_cast<Eigen::Index>(rest.size()));
      for (std::size_t k = 0; k < rest.size(); ++k) Z(rest[k], static_cast<Eigen::Index>(k)) = 1;
      out_.frame = fmt::format("at its interface '{}'", options_.interfaces[options_.frame].name);
    }
    if (Z.cols() == 0)
      throw std::runtime_error("has no elastic shape left; give it `modes` or another interface");
    const MatrixXd Kz = Z.transpose() * K * Z, Mz = Z.transpose() * M * Z;
    const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> solver(0.5 * (Kz + Kz.transpose()),
                                                                    0.5 * (Mz + Mz.transpose()));
    if (solver.info() != Eigen::Success)
      throw std::runtime_error("has an interface without mass; give its nodes elements or `masses`");
    VectorXd squares = solver.eigenvalues();
    // A motion without strain that the frame does not make. Rounding leaves 1e-12 of the largest and less.
    if (squares[0] <= 1e-10 * squares[std::min<Eigen::Index>(squares.size() - 1, 6)])
      throw std::runtime_error("has parts that can move without strain: its mesh is not connected");
    int count = static_cast<int>(squares.size());
    if (options_.highest > 0)
      while (count > 0 && squares[count - 1] > options_.highest * options_.highest) --count;
    out_.left_out = static_cast<int>(squares.size()) - count;
    if (count == 0)
      throw std::runtime_error(fmt::format("has no mode below `highest`: its lowest is at {:.6g} Hz",
                                           std::sqrt(squares[0]) / (2 * M_PI)));
    MatrixXd V = solver.eigenvectors().leftCols(count);
    shapes_ = basis_ * (Z * V);
    for (Eigen::Index k = 0; k < shapes_.cols(); ++k) {
      Eigen::Index at;
      shapes_.col(k).cwiseAbs().maxCoeff(&at);
      if (shapes_(at, k) < 0) shapes_.col(k) *= -1;
    }
    squares_ = squares.head(count);
    spread_ = join_ * shapes_;
  }

  // Rows of an element's unknowns in the spread shapes; held ones are 0.
  MatrixXd rows_of(const Element& e, const MatrixXd& of_free) const {
    std::vector<int> free;
    for (int node : s_.nodes_of(e))
      for (int d = 0; d < unknowns_of(e); ++d) free.push_back(s_.free_unknown(node, d));
    MatrixXd out = MatrixXd::Zero(static_cast<Eigen::Index>(free.size()), of_free.cols());
    for (std::size_t i = 0; i < free.size(); ++i)
      if (free[i] >= 0) out.row(static_cast<Eigen::Index>(i)) = of_free.row(free[i]);
    return out;
  }
  int unknowns_of(const Element& e) const {
    matrices_of(e);
    return static_cast<int>(element_.M.rows()) / e.count;
  }
  void matrices_of(const Element& e) const {
    x_.clear();
    for (int node : s_.nodes_of(e)) x_.push_back(s_.mesh.nodes[node] - out_.origin);
    e.type->matrices({x_, s_.materials[e.material], s_.sections[e.section]}, element_);
    if (s_.lumped_mass)
      element_.M = lumped(element_.M, e.count, static_cast<int>(element_.M.rows()) / e.count).asDiagonal();
  }

  // Sums over one element; each point of mass counts by its place and its rows, or nodes by one mass matrix for all directions.
  void add_point(double mass, const Vec3& x, const MatrixXd& phi) { add_pair(mass, x, x, phi, phi); }
  void add_pair(double mass, const Vec3& xi, const Vec3& xj, const MatrixXd& pi, const MatrixXd& pj) {
    FlexibleIntegrals& in = out_.integrals;
    in.mass += mass;
    in.first += mass * xj;
    in.second += mass * xi * xj.transpose();
    in.p += mass * pj;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        in.X[a][b] += mass * xi[a] * pj.row(b).transpose();
        in.S[a][b].noalias() += mass * pi.row(a).transpose() * pj.row(b);
      }
  }

  void add_up() {
    const int m = static_cast<int>(shapes_.cols());
    out_.integrals = FlexibleIntegrals::zero(m);
    out_.integrals.rotary = MatrixXd::Zero(m, m);
    out_.integrals.stiffness = squares_.asDiagonal();
    for (const Element& e : s_.elements) {
      matrices_of(e);
      const MatrixXd phi = rows_of(e, spread_), M = element_.M;
      const int d = static_cast<int>(M.rows()) / e.count;
      if (M.isZero(0)) continue;
      MatrixXd rotary = M;
      if (e.type->mass_points && !s_.lumped_mass) {
        std::vector<MassPoint> points;
        e.type->mass_points({x_, s_.materials[e.material], s_.sections[e.section]}, points);
        for (const MassPoint& p : points) {
          add_point(p.mass, p.x, p.rows * phi);
          rotary -= p.mass * p.rows.transpose() * p.rows;
        }
      } else {
        for (int i = 0; i < e.count; ++i)
          for (int j = 0; j < e.count; ++j) {
            const double mass = M(d * i, d * j);
            add_pair(mass, x_[i], x_[j], phi.middleRows(d * i, 3), phi.middleRows(d * j, 3));
            rotary.block(d * i, d * j, 3, 3) -= mass * Mat3::Identity();
          }
      }
      add_rotary(e, rotary, phi, d, M.norm());
    }
  }

  // What turns beside what moves: sections, and point masses with inertia. It has the rate ω + θ̇.
  void add_rotary(const Element& e, const MatrixXd& rotary, const MatrixXd& phi, int d, double size) {
    if (rotary.norm() <= 1e-12 * size) return;
    if (d != 6)
      throw std::runtime_error(
          fmt::format("has elements '{}', whose mass is not the same in all directions; give `mass: lumped`",
                      e.type->name));
    MatrixXd turn = MatrixXd::Zero(rotary.rows(), 3);
    for (int i = 0; i < e.count; ++i)
      for (int a = 0; a < 3; ++a) {
        turn(d * i + 3 + a, a) = 1;
        turn.block(d * i, a, 3, 1) = Vec3::Unit(a).cross(x_[i]);
      }
    FlexibleIntegrals& in = out_.integrals;
    in.rotary += phi.transpose() * rotary * phi;
    // J⁰ = tr(Y) 1 − Y and a = ax(X): what these must be for the wanted J⁰ and a.
    const Mat3 J = turn.transpose() * rotary * turn;
    in.second += 0.5 * J.trace() * Mat3::Identity() - J;
    const MatrixXd spin = turn.transpose() * rotary * phi;
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      in.X[b][c] += 0.5 * spin.row(a).transpose();
      in.X[c][b] -= 0.5 * spin.row(a).transpose();
    }
  }

  // ---- stiffening ----

  // Load of ρ x_a e_b (a < 0: ρ e_b) on the joined unknowns.
  VectorXd body_load(int a, int b) const {
    VectorXd load = VectorXd::Zero(s_.free);
    for (const Element& e : s_.elements) {
      matrices_of(e);
      const MatrixXd M = element_.M;
      const int d = static_cast<int>(M.rows()) / e.count;
      VectorXd own = VectorXd::Zero(M.rows());
      if (e.type->mass_points && !s_.lumped_mass) {
        std::vector<MassPoint> points;
        e.type->mass_points({x_, s_.materials[e.material], s_.sections[e.section]}, points);
        for (const MassPoint& p : points) own += p.mass * (a < 0 ? 1 : p.x[a]) * p.rows.row(b).transpose();
      } else {
        for (int i = 0; i < e.count; ++i)
          for (int j = 0; j < e.count; ++j) own[d * i + b] += M(d * i, d * j) * (a < 0 ? 1 : x_[j][a]);
      }
      int row = 0;
      for (int node : s_.nodes_of(e))
        for (int k = 0; k < d; ++k, ++row)
          if (const int free = s_.free_unknown(node, k); free >= 0) load[free] += own[row];
    }
    return join_.transpose() * load;
  }

  void stiffen() {
    // Rigid motions of all joined unknowns about the frame's origin.
    const MatrixXd R = basis_ * rigid_motions(out_.origin), MR = M_ * R;
    const Eigen::LDLT<MatrixXd> inertia(R.transpose() * MR);
    const int holder = std::max(options_.frame, 0);
    std::vector<int> place(K_.rows(), 0), rest;
    for (int d = 0; d < per_interface(); ++d) place[column(holder, d)] = -1;
    for (int i = 0; i < K_.rows(); ++i)
      if (place[i] == 0) place[i] = static_cast<int>(rest.size()), rest.push_back(i);
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t i = 0; i < rest.size(); ++i)
      for (Sparse::InnerIterator it(K_, rest[i]); it; ++it)
        if (place[it.col()] >= 0) entries.emplace_back(static_cast<int>(i), place[it.col()], it.value());
    Sparse held(static_cast<int>(rest.size()), static_cast<int>(rest.size()));
    held.setFromTriplets(entries.begin(), entries.end());
    SupernodalCholesky factor;
    const SymmetricCsr K = lower_triangle(held);
    factor.analyse(K);
    if (factor.factor(K) >= 0) throw std::runtime_error("has parts that its interfaces do not hold");

    // −K_g of a load.
    const auto second_order = [&](VectorXd load) {
      if (options_.frame < 0) load -= MR * inertia.solve(R.transpose() * load);
      VectorXd x(rest.size());
      for (std::size_t i = 0; i < rest.size(); ++i) x[static_cast<Eigen::Index>(i)] = load[rest[i]];
      factor.solve(x.data());
      VectorXd u = VectorXd::Zero(K_.rows());
      for (std::size_t i = 0; i < rest.size(); ++i) u[rest[i]] = x[static_cast<Eigen::Index>(i)];
      const MatrixXd all = join_ * u;
      const int m = static_cast<int>(shapes_.cols());
      MatrixXd out = MatrixXd::Zero(m, m), Kg;
      for (const Element& e : s_.elements) {
        if (!e.type->geometric) continue;
        const MatrixXd phi = rows_of(e, spread_);
        const VectorXd own = rows_of(e, all);
        e.type->geometric({x_, s_.materials[e.material], s_.sections[e.section]},
                          {own.data(), static_cast<std::size_t>(own.size())}, Kg);
        out.noalias() -= phi.transpose() * Kg * phi;
      }
      return MatrixXd(0.5 * (out + out.transpose()));
    };
    FlexibleIntegrals& in = out_.integrals;
    const int m = static_cast<int>(shapes_.cols()), n = options_.planar ? 2 : 3;
    for (int a = 0; a < 3; ++a) {
      const bool counts = a < n && options_.frame >= 0;  // in mean axes relief takes all of it
      in.C[a] = counts ? second_order(body_load(-1, a)) : MatrixXd(MatrixXd::Zero(m, m));
      for (int b = 0; b < 3; ++b)
        in.X2[a][b] = a < n && b < n ? second_order(body_load(a, b)) : MatrixXd(MatrixXd::Zero(m, m));
    }
    shift_.resize(interfaces());
    for (int i = 0; i < interfaces(); ++i)
      for (int a = 0; a < n; ++a)
        if (i != options_.frame) shift_[i][a] = second_order(VectorXd::Unit(K_.rows(), column(i, a)));
  }

  void describe_interfaces() {
    for (int i = 0; i < interfaces(); ++i) {
      FlexibleInterface each;
      each.name = options_.interfaces[i].name;
      each.position = places_[i] - out_.origin;
      each.translation = MatrixXd::Zero(3, shapes_.cols());
      each.rotation = MatrixXd::Zero(3, shapes_.cols());
      for (int a = 0; a < per_interface(); ++a)
        (axes_[a] < 3 ? each.translation : each.rotation).row(axes_[a] % 3) = shapes_.row(column(i, a));
      if (!shift_.empty()) each.shift = shift_[i];
      out_.interfaces.push_back(std::move(each));
    }
  }

  void keep_mesh() {
    auto mesh = std::make_shared<FlexibleMesh>();
    mesh->shapes = MatrixXd::Zero(s_.unknowns, shapes_.cols());
    for (int i = 0; i < s_.unknowns; ++i)
      if (s_.free_of[i] >= 0) mesh->shapes.row(i) = spread_.row(s_.free_of[i]);
    for (Vec3& x : s_.mesh.nodes) x -= out_.origin;
    mesh->structure = std::move(s_);
    mesh->points = options_.points;
    out_.mesh = std::move(mesh);
  }

  Structure s_;
  const FlexibleOptions& options_;
  std::vector<int> axes_;
  FlexibleReduction out_;
  std::vector<Vec3> places_;  // of the interfaces, mesh axes
  int kept_ = 0;              // unknowns of nodes outside interfaces
  Sparse join_, K_, M_;       // free unknowns × joined ones; joined
  MatrixXd basis_;            // joined × (interfaces' unknowns, modes)
  MatrixXd shapes_, spread_;  // joined × m; free unknowns × m
  VectorXd squares_;          // ω²
  std::vector<std::array<MatrixXd, 3>> shift_;
  mutable ElementMatrices element_;
  mutable std::vector<Vec3> x_;  // of the element's nodes, from the frame's origin
};

}  // namespace

std::string types_without_stiffening(const Structure& s) {
  std::set<std::string> names;
  for (const Element& e : s.elements)
    if (!e.type->geometric && e.type->stress) names.insert(e.type->name);
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

FlexibleReduction reduce_flexible(Structure structure, const FlexibleOptions& options) {
  return FlexibleReducer(std::move(structure), options).run();
}

}  // namespace tappet::fem
