#include "tappet/multibody/constraint_system.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>

namespace tappet {
namespace {

// A body with this many joints or more stays in the factorisation as a block of its own.
constexpr int hub_degree = 5;

// A pivot this small against its diagonal is a dependent row. Rounding leaves 1e-16…1e-14; the singular positions of the
// N-four-bar are passed at 1e-6 and above.
constexpr double dependence_threshold = 1e-12;

// S += A Bᵀ, A rows_a × K, B rows_b × K, row-major; or its transpose.
template <int K>
void add_product(double* s, int stride, const double* a, int rows_a, const double* b, int rows_b, bool transposed,
                 bool lower_only) {
  const int step_i = transposed ? 1 : stride, step_j = transposed ? stride : 1;
  for (int i = 0; i < rows_a; ++i, a += K, s += step_i) {
    const int last = lower_only ? i + 1 : rows_b;
    for (int j = 0; j < last; ++j) {
      double sum = 0;
      for (int k = 0; k < K; ++k) sum += a[k] * b[j * K + k];
      s[j * step_j] += sum;
    }
  }
}

// G = J W for one body.
void weigh(int width, const double* J, int rows, double linear, const Mat3& angular, double* G) {
  if (width == 3) {
    const double turn = angular(2, 2);
    for (int r = 0; r < rows; ++r, J += 3, G += 3) G[0] = linear * J[0], G[1] = linear * J[1], G[2] = turn * J[2];
    return;
  }
  for (int r = 0; r < rows; ++r, J += 6, G += 6) {
    for (int i = 0; i < 3; ++i) G[i] = linear * J[i];
    for (int i = 0; i < 3; ++i) G[3 + i] = angular(i, 0) * J[3] + angular(i, 1) * J[4] + angular(i, 2) * J[5];
  }
}

// x = W f for one body.
void weigh_force(int width, const double* f, double linear, const Mat3& angular, double* x) {
  weigh(width, f, 1, linear, angular, x);
}

}  // namespace

ConstraintSystem::ConstraintSystem(Dimension dimension, int bodies, std::vector<const Constraint*> constraints,
                                   const std::vector<char>& held)
    : dimension_(dimension),
      bodies_(bodies),
      width_(velocity_size(dimension)),
      constraints_(std::move(constraints)) {
  build_nodes();
  find_hubs();
  build_pattern(held);
}

// Constraints that act on the same bodies in the same order (a joint and its motor) share one block.
void ConstraintSystem::build_nodes() {
  std::map<std::vector<int>, int> known;
  for (int c = 0; c < count(); ++c) {
    const std::vector<int>& key = constraints_[c]->bodies;
    auto [at, fresh] = known.try_emplace(key, static_cast<int>(nodes_.size()));
    if (fresh) nodes_.push_back({{}, key, 0, 0});
    Node& node = nodes_[at->second];
    node.constraints.push_back(c);
    node.rows += constraints_[c]->rows;
  }

  // Rows, and places for J: one matrix a node and body, the node's constraints below each other.
  row_of_.assign(count(), 0);
  jacobian_of_.assign(count(), {});
  of_body_.assign(bodies_, {});
  int offset = 0;
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    Node& node = nodes_[n];
    node.row = rows_;
    for (std::size_t slot = 0; slot < node.bodies.size(); ++slot) {
      const int body = node.bodies[slot];
      const bool ground = body == bodies_;
      int below = 0;
      for (int c : node.constraints) {
        jacobian_of_[c].push_back(ground ? -1 : offset + below * width_);
        below += constraints_[c]->rows;
      }
      if (ground) continue;
      of_body_[body].push_back({n, node.rows, node.row, offset});
      offset += node.rows * width_;
    }
    int row = node.row;
    for (int c : node.constraints) {
      row_of_[c] = row;
      row += constraints_[c]->rows;
    }
    rows_ += node.rows;
  }
  J_.assign(offset, 0.0);
  G_.assign(offset, 0.0);
  phi_.assign(rows_, 0.0);
  phi_t_.assign(rows_, 0.0);
  gamma_.assign(rows_, 0.0);
  compliance_.assign(rows_, 0.0);
  for (int c = 0; c < count(); ++c) {
    const int row = row_of_[c];
    ConstraintRows place{phi_.data() + row, phi_t_.data() + row, gamma_.data() + row, {}, compliance_.data() + row};
    for (std::size_t slot = 0; slot < jacobian_of_[c].size(); ++slot)
      place.J[slot] = jacobian_of_[c][slot] < 0 ? nullptr : J_.data() + jacobian_of_[c][slot];
    places_.push_back(place);
  }
}

void ConstraintSystem::find_hubs() {
  hub_block_.assign(bodies_, -1);
  int next = static_cast<int>(nodes_.size());
  for (int b = 0; b < bodies_; ++b)
    if (static_cast<int>(of_body_[b].size()) >= hub_degree) hub_block_[b] = next++;
}

void ConstraintSystem::build_pattern(const std::vector<char>& held) {
  const int node_count = static_cast<int>(nodes_.size());
  BlockPattern pattern;
  for (const Node& node : nodes_) {
    pattern.size.push_back(node.rows);
    pattern.sign.push_back(+1);
  }
  for (int b = 0; b < bodies_; ++b)
    if (hub_block_[b] >= 0) {
      pattern.size.push_back(width_);
      pattern.sign.push_back(-1);
    }
  for (int b = 0; b < bodies_; ++b) {
    for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
      if (hub_block_[b] >= 0) {
        pattern.couples.emplace_back(of_body_[b][m].node, hub_block_[b]);
        continue;
      }
      for (std::size_t n = 0; n < m; ++n) pattern.couples.emplace_back(of_body_[b][m].node, of_body_[b][n].node);
    }
  }

  // A joint at a hub may be eliminated before the hub only if what hangs on its other side is otherwise free: then its
  // pivot is definite without the hub's freedom. Groups of ordinary bodies, joined by joints between them; bodies that are held are no help:
  std::vector<int> group(bodies_);
  for (int b = 0; b < bodies_; ++b) group[b] = b;
  auto find = [&](int b) {
    while (group[b] != b) b = group[b] = group[group[b]];
    return b;
  };
  auto ordinary = [&](int b) { return b != bodies_ && hub_block_[b] < 0 && (held.empty() || !held[b]); };
  for (const Node& node : nodes_) {
    int first = -1;
    for (int b : node.bodies) {
      if (!ordinary(b)) continue;
      if (first < 0)
        first = find(b);
      else
        group[find(b)] = first;
    }
  }
  // How many joints tie each group to hubs or to the ground.
  std::vector<int> ties(bodies_, 0);
  for (const Node& node : nodes_) {
    bool outside = false;
    int inside = -1;
    for (int b : node.bodies) ordinary(b) ? void(inside = find(b)) : void(outside = true);
    if (outside && inside >= 0) ++ties[inside];
  }
  for (int n = 0; n < node_count; ++n) {
    int inside = -1;
    for (int b : nodes_[n].bodies)
      if (ordinary(b)) inside = find(b);
    if (inside >= 0 && ties[inside] == 1) continue;
    for (int b : nodes_[n].bodies)
      if (b != bodies_ && hub_block_[b] >= 0) pattern.after.emplace_back(n, hub_block_[b]);
  }

  cholesky_.analyse(pattern);
  x_.assign(cholesky_.rows(), 0.0);

  // Diagonal entries of rows that may be soft.
  for (int n = 0; n < node_count; ++n)
    for (int c : nodes_[n].constraints)
      for (int r = 0; constraints_[c]->compliant && r < constraints_[c]->rows; ++r) {
        const BlockCholesky::Slot slot = cholesky_.slot(n, n);
        const int row = row_of_[c] + r, local = row - nodes_[n].row;
        soft_.emplace_back(row, slot.offset + local * slot.stride + local);
      }

  // Where the products of each body go.
  hub_slots_.assign(bodies_, {});
  for (int b = 0; b < bodies_; ++b) {
    for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
      const Incidence& left = of_body_[b][m];
      if (hub_block_[b] >= 0) {
        hub_slots_[b].push_back(cholesky_.slot(left.node, hub_block_[b]));
        continue;
      }
      for (std::size_t n = 0; n <= m; ++n) {
        const Incidence& right = of_body_[b][n];
        const BlockCholesky::Slot slot = cholesky_.slot(left.node, right.node);
        products_.push_back({slot.offset, slot.stride, left.j, right.j, left.rows, right.rows, slot.transposed, m == n});
      }
    }
  }
}

void ConstraintSystem::evaluate(const Kinematics& kinematics) {
  for (std::size_t c = 0; c < constraints_.size(); ++c) constraints_[c]->evaluate(kinematics, places_[c]);
}

const double* ConstraintSystem::jacobian(int c, int slot) const {
  const int place = jacobian_of_[c][slot];
  return place < 0 ? nullptr : J_.data() + place;
}

void ConstraintSystem::times(const double* u, double* out) const {
  std::fill(out, out + rows_, 0.0);
  for (int b = 0; b < bodies_; ++b) {
    const double* ub = u + width_ * b;
    for (const Incidence& at : of_body_[b]) {
      const double* J = J_.data() + at.j;
      for (int r = 0; r < at.rows; ++r, J += width_) {
        double sum = 0;
        for (int i = 0; i < width_; ++i) sum += J[i] * ub[i];
        out[at.row + r] += sum;
      }
    }
  }
}

int ConstraintSystem::factor(const InverseMass& mass) {
  cholesky_.set_zero();
  double* const s = cholesky_.values();
  const int linear = width_ == 3 ? 2 : 3;
  for (int b = 0; b < bodies_; ++b) {
    const auto moves = [&](int i) {
      return i < linear ? mass.linear[b] > 0 : mass.angular[b](2, 2) > 0;
    };
    for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
      const Incidence& at = of_body_[b][m];
      weigh(width_, J_.data() + at.j, at.rows, mass.linear[b], mass.angular[b], G_.data() + at.j);
      if (hub_block_[b] < 0) continue;
      // A hub: J itself couples the joint with the body's block, as far as the body is free to move.
      const BlockCholesky::Slot& slot = hub_slots_[b][m];
      const double* J = J_.data() + at.j;
      for (int r = 0; r < at.rows; ++r)
        for (int i = 0; i < width_; ++i)
          s[slot.offset + (slot.transposed ? i * slot.stride + r : r * slot.stride + i)] =
              moves(i) ? J[r * width_ + i] : 0.0;
    }
    if (hub_block_[b] < 0) continue;
    // Its own block is −mass; without inertia (or freedom) a huge one stands for "does not move".
    const BlockCholesky::Slot slot = cholesky_.slot(hub_block_[b], hub_block_[b]);
    double* d = s + slot.offset;
    const int turns = width_ == 3 ? 1 : 3;
    const double immovable = 1e30;
    const double heavy = mass.linear[b] > 0 ? 1 / mass.linear[b] : immovable;
    for (int i = 0; i < linear; ++i) d[i * slot.stride + i] = -heavy;
    if (turns == 1) {
      const double w = mass.angular[b](2, 2);
      d[2 * slot.stride + 2] = w > 0 ? -1 / w : -immovable;
    } else {
      const bool free = mass.angular[b](0, 0) > 0;
      const Mat3 inertia = free ? Mat3(mass.angular[b].inverse()) : Mat3(immovable * Mat3::Identity());
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) d[(3 + i) * slot.stride + 3 + j] = -inertia(i, j);
    }
  }
  if (width_ == 3)
    for (const Product& p : products_)
      add_product<3>(s + p.target, p.stride, G_.data() + p.left, p.left_rows, J_.data() + p.right, p.right_rows,
                     p.transposed, p.lower_only);
  else
    for (const Product& p : products_)
      add_product<6>(s + p.target, p.stride, G_.data() + p.left, p.left_rows, J_.data() + p.right, p.right_rows,
                     p.transposed, p.lower_only);
  for (const auto& [row, place] : soft_) s[place] *= 1 + compliance_[row];
  mass_ = &mass;
  return cholesky_.factor(dependence_threshold);
}

bool ConstraintSystem::dependent(int row) const {
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (row >= nodes_[n].row && row < nodes_[n].row + nodes_[n].rows)
      return cholesky_.dropped(static_cast<int>(n), row - nodes_[n].row);
  return false;
}

void ConstraintSystem::solve(const double* f, const double* b, double* x, double* lambda) {
  // Right-hand side: b − J W f for the joints, −f for the hubs.
  double* const rhs = x_.data();
  std::copy(b, b + rows_, rhs);
  for (int body = 0; body < bodies_; ++body) {
    const double* fb = f ? f + width_ * body : nullptr;
    if (hub_block_[body] >= 0) {
      double* r = rhs + cholesky_.first_row(hub_block_[body]);
      for (int i = 0; i < width_; ++i) r[i] = fb ? -fb[i] : 0.0;
      continue;
    }
    if (!fb) continue;
    for (const Incidence& at : of_body_[body]) {
      const double* G = G_.data() + at.j;
      for (int r = 0; r < at.rows; ++r, G += width_) {
        double sum = 0;
        for (int i = 0; i < width_; ++i) sum += G[i] * fb[i];
        rhs[at.row + r] -= sum;
      }
    }
  }

  cholesky_.solve(rhs);
  std::copy(rhs, rhs + rows_, lambda);

  // x = W (f + Jᵀ λ); a hub's x was solved for.
  for (int body = 0; body < bodies_; ++body) {
    double* xb = x + width_ * body;
    if (hub_block_[body] >= 0) {
      const double* r = rhs + cholesky_.first_row(hub_block_[body]);
      std::copy(r, r + width_, xb);
      continue;
    }
    if (f)
      weigh_force(width_, f + width_ * body, mass_->linear[body], mass_->angular[body], xb);
    else
      std::fill(xb, xb + width_, 0.0);
    for (const Incidence& at : of_body_[body]) {
      const double* G = G_.data() + at.j;
      for (int r = 0; r < at.rows; ++r, G += width_)
        for (int i = 0; i < width_; ++i) xb[i] += G[i] * lambda[at.row + r];
    }
  }
}

}  // namespace tappet
