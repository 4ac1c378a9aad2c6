#include "tappet/structures/coupled_modes.hpp"

#include <algorithm>
#include <map>

#include <Eigen/Dense>

#include "tappet/fem/body.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// The rigid bodies where they are assembled.
struct Bodies {
  std::vector<Pose> pose;
  MatrixXd held;               // J: what joints and motions hold, one row each, 6 columns a body
  MatrixXd stiffness;          // −∂h/∂δ
  std::vector<int> connected;  // those that hang on structures
};

/// The state with body dof i moved by a little.
std::vector<double> displaced(const std::vector<double>& y, int i, double by) {
  std::vector<double> out = y;
  double* q = out.data() + 7 * (i / 6);
  if (i % 6 < 3) {
    q[i % 6] += by;
    return out;
  }
  Vec3 turn = Vec3::Zero();
  turn[i % 6 - 3] = by / 2;
  const Eigen::Quaterniond now(q[3], q[4], q[5], q[6]), more(1, turn.x(), turn.y(), turn.z());
  const Eigen::Quaterniond next = (now * more).normalized();
  q[3] = next.w(), q[4] = next.x(), q[5] = next.y(), q[6] = next.z();
  return out;
}

Bodies bodies_of(const Model& model) {
  const Mechanism& m = model.mechanism;
  const int n = m.u_size();
  SmoothSystem system(model);
  std::vector<double> y(system.size(), 0.0);
  const Assembly assembly = assemble(m, model.q0, model.u0, model.given, model.pos);
  std::copy(assembly.q.begin(), assembly.q.end(), y.begin());
  DynamicsWorkspace& w = system.workspace();
  const auto forces = [&](const std::vector<double>& at) {
    w.k.contacts = system.contact_states().data();
    update_kinematics(w.k, 0, at.data(), at.data() + m.q_size(), at.data() + m.q_size() + n);
    applied_forces(m, w);
    return Eigen::Map<const VectorXd>(w.h.data(), n).eval();
  };
  Bodies out;
  out.stiffness = MatrixXd::Zero(n, n);
  for (int i = 0; i < n && !m.forces.empty(); ++i) {
    const double step = 1e-6 * (i % 6 < 3 ? m.length : 1);
    out.stiffness.col(i) = (forces(displaced(y, i, -step)) - forces(displaced(y, i, step))) / (2 * step);
  }
  out.stiffness = (0.5 * (out.stiffness + out.stiffness.transpose())).eval();
  forces(y);
  w.constraints.evaluate(w.k);
  out.held = MatrixXd::Zero(w.constraints.rows(), n);
  std::vector<int> group(m.body_count());
  for (int b = 0; b < m.body_count(); ++b) group[b] = b;
  const auto join = [&](int a, int b) {
    const int from = group[a], to = group[b];
    for (int& g : group)
      if (g == from) g = to;
  };
  for (int c = 0; c < w.constraints.count(); ++c) {
    const Constraint& constraint = w.constraints.constraint(c);
    int last = -1;
    for (int slot = 0; slot < static_cast<int>(constraint.bodies.size()); ++slot) {
      const int b = constraint.bodies[slot];
      if (b == m.ground()) continue;
      const double* J = w.constraints.jacobian(c, slot);
      for (int r = 0; r < constraint.rows; ++r)
        for (int k = 0; k < 6; ++k) out.held(w.constraints.row_of(c) + r, 6 * b + k) += J[6 * r + k];
      if (last >= 0) join(last, b);
      last = b;
    }
  }
  for (int a = 0; a < m.body_count(); ++a)
    for (int b = 0; b < a; ++b)
      if (!out.stiffness.block(6 * a, 6 * b, 6, 6).isZero(0)) join(a, b);
  for (int b = 0; b < m.body_count(); ++b) {
    out.pose.push_back({rotation_of(y.data() + 7 * b + 3), Vec3(y[7 * b], y[7 * b + 1], y[7 * b + 2])});
    if (std::any_of(model.spiders.begin(), model.spiders.end(),
                    [&](const Spider& s) { return group[s.body] == group[b]; }))
      out.connected.push_back(b);
  }
  return out;
}

/// How an unknown of a structure follows the bodies: one row, 6 columns a body.
struct Follower {
  int structure, unknown;  // −1: held
  VectorXd row;
};

std::vector<Follower> followers_of(const Model& model, const std::vector<fem::Structure>& held,
                                   const Bodies& bodies) {
  std::vector<Follower> out;
  for (const Spider& spider : model.spiders) {
    const fem::Structure& s = held[spider.structure];
    const Pose& pose = bodies.pose[spider.body];
    for (int node : spider.nodes) {
      if (s.node_unknowns[node] == 0) continue;
      const Vec3 arm = s.mesh.nodes[node] - pose.r;
      const int count = spider.turns && s.node_unknowns[node] == 6 ? 6 : 3;
      for (int d = 0; d < count; ++d) {
        Follower f{spider.structure, s.free_unknown(node, d),
                   VectorXd::Zero(6 * static_cast<int>(bodies.pose.size()))};
        // (R φ × s₀)·e = φ·Rᵀ (s₀ × e).
        const Vec3 e = Vec3::Unit(d % 3);
        if (d < 3) f.row.segment<3>(6 * spider.body) = e;
        f.row.segment<3>(6 * spider.body + 3) = pose.R.transpose() * (d < 3 ? Vec3(arm.cross(e)) : e);
        out.push_back(std::move(f));
      }
    }
  }
  return out;
}

/// Small motions of the bodies that are possible: columns.
MatrixXd possible_motions(const Model& model, const Bodies& bodies, const std::vector<Follower>& followers) {
  const int n = model.mechanism.u_size();
  std::vector<VectorXd> rows;
  for (int r = 0; r < bodies.held.rows(); ++r) rows.emplace_back(bodies.held.row(r));
  for (const Follower& f : followers)
    if (f.unknown < 0) rows.push_back(f.row);
  for (int i = 0; i < n; ++i) {
    const int b = i / 6;
    const bool there =
        std::find(bodies.connected.begin(), bodies.connected.end(), b) != bodies.connected.end();
    if (!there || (i % 6 >= 3 && !model.mechanism.bodies[b].has_inertia))
      rows.emplace_back(VectorXd::Unit(n, i));
  }
  MatrixXd J = MatrixXd::Zero(static_cast<int>(rows.size()) + 1, n);
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (const double size = rows[r].norm(); size > 0) J.row(static_cast<int>(r)) = rows[r].transpose() / size;
  const Eigen::JacobiSVD<MatrixXd> svd(J, Eigen::ComputeFullV);
  int rank = 0;
  for (int k = 0; k < svd.singularValues().size(); ++k) rank += svd.singularValues()[k] > 1e-9;
  return svd.matrixV().rightCols(n - rank);
}

/// K̃ or M̃ as it is put together: rows of unknowns that stay themselves, then those of p.
struct Condensed {
  std::vector<std::vector<std::pair<int, double>>> rows;
  std::vector<std::map<int, double>> last;
  MatrixXd corner;

  Condensed(int own, int p) : rows(own), last(p), corner(MatrixXd::Zero(p, p)) {}

  /// `own`: each free unknown's new number, −1: it follows p with these rows.
  void add(const SymmetricCsr& a, const std::vector<int>& own, const std::map<int, VectorXd>& follows) {
    for (int i = 0; i < a.rows(); ++i)
      for (int k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
        const int j = a.col[k];
        const double x = a.value[k];
        if (own[i] >= 0 && own[j] >= 0) {
          rows[own[i]].emplace_back(own[j], x);
        } else if (own[i] < 0 && own[j] < 0) {
          const VectorXd &fi = follows.at(i), &fj = follows.at(j);
          corner += x * fi * fj.transpose();
          if (i != j) corner += x * fj * fi.transpose();
        } else {
          const VectorXd& f = follows.at(own[i] < 0 ? i : j);
          for (int p = 0; p < f.size(); ++p) last[p][own[i] < 0 ? own[j] : own[i]] += x * f[p];
        }
      }
  }

  SymmetricCsr matrix() const {
    SymmetricCsr out;
    const auto put = [&](int column, double x) { out.col.push_back(column), out.value.push_back(x); };
    const auto end_row = [&] { out.row_ptr.push_back(static_cast<int>(out.col.size())); };
    for (const auto& row : rows) {
      for (const auto& [column, x] : row) put(column, x);
      end_row();
    }
    for (int p = 0; p < static_cast<int>(last.size()); ++p) {
      for (const auto& [column, x] : last[p]) put(column, x);
      for (int o = 0; o <= p; ++o) put(static_cast<int>(rows.size()) + o, corner(p, o));
      end_row();
    }
    return out;
  }
};

}  // namespace

CoupledModes solve_coupled_modes(const Model& model, int count) {
  std::vector<fem::Structure> held;
  for (const auto& body : model.structures) held.push_back(fem::with_motions_held(*body));
  const Bodies bodies = bodies_of(model);
  const std::vector<Follower> followers = followers_of(model, held, bodies);
  const MatrixXd N = possible_motions(model, bodies, followers);

  // Numbers of the unknowns that stay, and how the others follow p.
  std::vector<std::vector<int>> own(held.size());
  std::vector<std::map<int, VectorXd>> follows(held.size());
  for (const Follower& f : followers)
    if (f.unknown >= 0) follows[f.structure][f.unknown] = N.transpose() * f.row;
  int size = 0;
  for (std::size_t s = 0; s < held.size(); ++s) {
    own[s].assign(held[s].free, -1);
    for (int i = 0; i < held[s].free; ++i)
      if (!follows[s].count(i)) own[s][i] = size++;
  }
  Condensed K(size, static_cast<int>(N.cols())), M = K;
  for (std::size_t s = 0; s < held.size(); ++s) {
    const fem::StructureMatrices m = fem::assemble(held[s]);
    K.add(m.K, own[s], follows[s]);
    M.add(m.M, own[s], follows[s]);
  }
  MatrixXd inertia = MatrixXd::Zero(N.rows(), N.rows());
  for (int b = 0; b < model.mechanism.body_count(); ++b) {
    inertia.block<3, 3>(6 * b, 6 * b) = model.mechanism.bodies[b].mass * Mat3::Identity();
    inertia.block<3, 3>(6 * b + 3, 6 * b + 3) = model.mechanism.bodies[b].inertia;
  }
  M.corner += N.transpose() * inertia * N;
  K.corner += N.transpose() * bodies.stiffness * N;

  const fem::Modes modes = fem::lowest_modes(K.matrix(), M.matrix(), count);
  CoupledModes out;
  out.omega2 = modes.omega2, out.residual = modes.residual, out.bodies = bodies.connected;
  out.unknowns = size + static_cast<int>(N.cols());
  for (int k = 0; k < static_cast<int>(modes.omega2.size()); ++k) {
    const VectorXd p = modes.shapes.col(k).tail(N.cols()), delta = N * p;
    auto& shapes = out.structures.emplace_back();
    for (std::size_t s = 0; s < held.size(); ++s) {
      auto& q = shapes.emplace_back(held[s].free);
      for (int i = 0; i < held[s].free; ++i)
        q[i] = own[s][i] >= 0 ? modes.shapes(own[s][i], k) : follows[s].at(i).dot(p);
    }
    auto &moved = out.moved.emplace_back(), &turned = out.turned.emplace_back();
    for (int b : bodies.connected) {
      moved.emplace_back(delta.segment<3>(6 * b));
      turned.emplace_back(bodies.pose[b].R * delta.segment<3>(6 * b + 3));
    }
  }
  return out;
}

}  // namespace tappet
