#include "tappet/multibody/constraint_system.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>

namespace tappet {
namespace {

// A body with this many joints or more stays in the factorisation as a block of its own.
constexpr int hub_degree = 5;

// A pivot this small against its diagonal is a dependent row. Rounding leaves 1e-16…1e-14; the singular positions of the
// N-four-bar are passed at 1e-6 and above.
constexpr double dependence_threshold = 1e-12;

// Calls f with the number of rows as a compile-time constant where it is that of a usual joint (and its motion), so that the
// loops below unroll and run along registers.
template <int width, class F>
[[gnu::always_inline]] inline void with_rows(int rows, F&& f) {
  if (rows == width - 1) return f(std::integral_constant<int, width - 1>{});
  if (width == 3 && rows == 1) return f(std::integral_constant<int, 1>{});
  f(rows);
}

// S += G Jᵀ: G of the left rows, rows × width; Jᵀ of the right ones, width × cols.
template <int width, class Cols>
[[gnu::always_inline]] inline void add_product(double* __restrict s, const double* __restrict G, int rows,
                                               const double* __restrict JT, Cols cols) {
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < width; ++k)
      for (int c = 0; c < cols; ++c) s[i * cols + c] += G[i * width + k] * JT[k * cols + c];
}

// G = J W for one body.
template <int width, class Rows>
[[gnu::always_inline]] inline void weigh(const double* __restrict J, Rows rows, double linear, const Mat3& angular,
                                         double* __restrict G) {
  constexpr int shifts = width == 3 ? 2 : 3;
  for (int r = 0; r < rows; ++r, J += width, G += width) {
    for (int i = 0; i < shifts; ++i) G[i] = linear * J[i];
    if constexpr (width == 3)
      G[2] = angular(2, 2) * J[2];
    else
      for (int i = 0; i < 3; ++i) G[3 + i] = angular(i, 0) * J[3] + angular(i, 1) * J[4] + angular(i, 2) * J[5];
  }
}

template <int width, class Rows>
[[gnu::always_inline]] inline void transpose(const double* __restrict J, Rows rows, double* __restrict JT) {
  for (int r = 0; r < rows; ++r)
    for (int k = 0; k < width; ++k) JT[k * rows + r] = J[r * width + k];
}

// x += Jᵀ λ for the rows of one node.
template <int width, class Rows>
[[gnu::always_inline]] inline void add_transposed(const double* __restrict J, Rows rows, const double* __restrict lambda,
                                                  double* __restrict x) {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < width; ++i) x[i] += J[r * width + i] * lambda[r];
}

// y −= J x for the rows of one node.
template <int width, class Rows>
[[gnu::always_inline]] inline void subtract_times(const double* __restrict J, Rows rows, const double* __restrict x,
                                                  double* __restrict y) {
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int i = 0; i < width; ++i) sum += J[r * width + i] * x[i];
    y[r] -= sum;
  }
}

}  // namespace

ConstraintSystem::ConstraintSystem(Dimension dimension, int bodies, std::vector<const Constraint*> constraints,
                                   const std::vector<char>& held, DrivenBodies driven)
    : dimension_(dimension),
      bodies_(bodies),
      width_(velocity_size(dimension)),
      constraints_(std::move(constraints)) {
  build_nodes(driven);
  place_rows();
  find_hubs();
  build_pattern(held);
}

// Constraints that act on the same bodies in the same order (a joint and its motor) share one block.
void ConstraintSystem::build_nodes(DrivenBodies driven) {
  std::map<std::vector<int>, int> known;
  for (int c = 0; c < count(); ++c) {
    const std::vector<int>& key = constraints_[c]->bodies;
    auto [at, fresh] = known.try_emplace(key, static_cast<int>(nodes_.size()));
    if (fresh) nodes_.push_back({{}, key});
    Node& node = nodes_[at->second];
    node.constraints.push_back(c);
    node.rows += constraints_[c]->rows;
  }
  is_driven_.assign(bodies_, 0);
  if (driven == DrivenBodies::are_eliminated) find_driven();
  for (const Node& node : nodes_) {
    if (node.drives >= 0) continue;
    ++blocks_;
    block_rows_ += node.rows;
  }
}

// From the ground outwards: a joint with one freedom and the motion that takes it, or a joint with none.
void ConstraintSystem::find_driven() {
  const auto leaves_no_freedom = [&](const Node& node) {
    if (node.rows != width_ || node.bodies.size() != 2) return false;
    if (node.constraints.size() == 1) return true;
    if (node.constraints.size() != 2) return false;
    const Constraint *a = constraints_[node.constraints[0]], *b = constraints_[node.constraints[1]];
    return a->drives == b || b->drives == a;
  };
  const auto moves_as_known = [&](int body) { return body == bodies_ || is_driven_[body]; };
  std::vector<Node> chain;
  for (bool found = true; found;) {
    found = false;
    for (Node& node : nodes_) {
      if (node.drives >= 0 || !leaves_no_freedom(node)) continue;
      const bool first = moves_as_known(node.bodies[0]), second = moves_as_known(node.bodies[1]);
      if (first == second) continue;
      node.drives = node.bodies[first ? 1 : 0];
      is_driven_[node.drives] = 1;
      chain.push_back(node);
      found = true;
    }
  }
  std::erase_if(nodes_, [](const Node& node) { return node.drives >= 0; });
  nodes_.insert(nodes_.end(), chain.begin(), chain.end());
}

// Rows, and places for J: one matrix a node and body, the node's constraints below each other.
void ConstraintSystem::place_rows() {
  row_of_.assign(count(), 0);
  jacobian_of_.assign(count(), {});
  of_body_.assign(bodies_, {});
  int offset = 0;
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    Node& node = nodes_[n];
    node.row = rows_;
    Driven driven{node.drives, n, node.row, 0};
    for (int body : node.bodies) {
      const bool ground = body == bodies_;
      int below = 0;
      for (int c : node.constraints) {
        jacobian_of_[c].push_back(ground ? -1 : offset + below * width_);
        below += constraints_[c]->rows;
      }
      if (ground) continue;
      of_body_[body].push_back({n, node.rows, node.row, offset});
      if (body == node.drives)
        driven.j = offset;
      else
        driven.base = body, driven.base_j = offset;
      offset += node.rows * width_;
    }
    if (node.drives >= 0) driven_.push_back(driven);
    int row = node.row;
    for (int c : node.constraints) {
      row_of_[c] = row;
      row += constraints_[c]->rows;
    }
    rows_ += node.rows;
  }
  J_.assign(offset, 0.0);
  G_.assign(offset, 0.0);
  JT_.assign(offset, 0.0);
  phi_.assign(rows_, 0.0);
  phi_t_.assign(rows_, 0.0);
  gamma_.assign(rows_, 0.0);
  compliance_.assign(rows_, 0.0);
  prescribed_.assign(rows_, {});
  for (int c = 0; c < count(); ++c) {
    const int row = row_of_[c];
    ConstraintRows place{phi_.data() + row, phi_t_.data() + row, gamma_.data() + row, {}, compliance_.data() + row,
                         prescribed_.data() + row};
    for (std::size_t slot = 0; slot < jacobian_of_[c].size(); ++slot)
      place.J[slot] = jacobian_of_[c][slot] < 0 ? nullptr : J_.data() + jacobian_of_[c][slot];
    places_.push_back(place);
  }
}

const Constraint& ConstraintSystem::constraint_of_row(int row) const {
  int c = 0;
  while (row < row_of_[c] || row >= row_of_[c] + constraints_[c]->rows) ++c;
  return *constraints_[c];
}

void ConstraintSystem::find_hubs() {
  hub_block_.assign(bodies_, -1);
  for (int b = 0; b < bodies_; ++b) {
    if (is_driven_[b] || static_cast<int>(of_body_[b].size()) < hub_degree) continue;
    hub_block_[b] = blocks_ + static_cast<int>(hubs_.size());
    hubs_.push_back(b);
  }
}

void ConstraintSystem::build_pattern(const std::vector<char>& held) {
  BlockPattern pattern;
  for (int n = 0; n < blocks_; ++n) {
    pattern.size.push_back(nodes_[n].rows);
    pattern.sign.push_back(+1);
  }
  for (int b = 0; b < bodies_; ++b)
    if (hub_block_[b] >= 0) {
      pattern.size.push_back(width_);
      pattern.sign.push_back(-1);
    }
  for (int b = 0; b < bodies_; ++b) {
    if (is_driven_[b]) continue;
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
  auto ordinary = [&](int b) {
    return b != bodies_ && hub_block_[b] < 0 && !is_driven_[b] && (held.empty() || !held[b]);
  };
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
  for (int n = 0; n < blocks_; ++n) {
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
  for (int n = 0; n < blocks_; ++n)
    for (int c : nodes_[n].constraints)
      for (int r = 0; constraints_[c]->compliant && r < constraints_[c]->rows; ++r) {
        const BlockCholesky::Slot slot = cholesky_.slot(n, n);
        const int row = row_of_[c] + r, local = row - nodes_[n].row;
        soft_.emplace_back(row, slot.offset + local * slot.stride + local);
      }

  // Where the products of each body go.
  hub_slots_.assign(bodies_, {});
  for (int b = 0; b < bodies_; ++b) {
    if (is_driven_[b]) continue;
    for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
      const Incidence& left = of_body_[b][m];
      if (hub_block_[b] >= 0) {
        hub_slots_[b].push_back(cholesky_.slot(left.node, hub_block_[b]));
        continue;
      }
      for (std::size_t n = 0; n <= m; ++n) {
        const Incidence& right = of_body_[b][n];
        const BlockCholesky::Slot slot = cholesky_.slot(left.node, right.node);
        // S is symmetric: its transposed block is that of the two nodes the other way round.
        const auto& [first, second] = slot.transposed ? std::pair(right, left) : std::pair(left, right);
        products_.push_back({slot.offset, first.j, second.j, first.rows, second.rows});
      }
    }
    if (hub_block_[b] >= 0) continue;
    for (const Incidence& at : of_body_[b]) ordinary_.push_back({b, at.rows, at.row, at.j});
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

// A hub: J itself couples each joint with the body's block, as far as the body is free to move. Its own block is −mass;
// without inertia (or freedom) a huge one stands for "does not move".
template <int width>
void ConstraintSystem::factor_hub(const InverseMass& mass, int b) {
  constexpr int linear = width == 3 ? 2 : 3;
  constexpr double immovable = 1e30;
  double* const s = cholesky_.values();
  const bool shifts = mass.linear[b] > 0, turns = mass.angular[b](2, 2) > 0;
  for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
    const Incidence& at = of_body_[b][m];
    const BlockCholesky::Slot& slot = hub_slots_[b][m];
    const double* J = J_.data() + at.j;
    for (int r = 0; r < at.rows; ++r)
      for (int i = 0; i < width; ++i)
        s[slot.offset + (slot.transposed ? i * slot.stride + r : r * slot.stride + i)] =
            (i < linear ? shifts : turns) ? J[r * width + i] : 0.0;
  }
  const BlockCholesky::Slot slot = cholesky_.slot(hub_block_[b], hub_block_[b]);
  double* d = s + slot.offset;
  const double heavy = shifts ? 1 / mass.linear[b] : immovable;
  for (int i = 0; i < linear; ++i) d[i * slot.stride + i] = -heavy;
  if constexpr (width == 3) {
    d[2 * slot.stride + 2] = turns ? -1 / mass.angular[b](2, 2) : -immovable;
  } else {
    const Mat3 inertia = turns ? Mat3(mass.angular[b].inverse()) : Mat3(immovable * Mat3::Identity());
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j <= i; ++j) d[(3 + i) * slot.stride + 3 + j] = -inertia(i, j);
  }
}

template <int width>
int ConstraintSystem::factor_bodies(const InverseMass& mass, double threshold) {
  using Square = Eigen::Matrix<double, width, width, Eigen::RowMajor>;
  for (Driven& d : driven_)
    d.inverse.topLeftCorner<width, width>() = Eigen::Map<const Square>(J_.data() + d.j).inverse();
  if (blocks_ == 0) return 0;

  cholesky_.set_zero();
  double* const s = cholesky_.values();
  for (const int hub : hubs_) factor_hub<width>(mass, hub);
  for (const Term& at : ordinary_)
    with_rows<width>(at.rows, [&](auto rows) __attribute__((always_inline)) {
      weigh<width>(J_.data() + at.j, rows, mass.linear[at.body], mass.angular[at.body], G_.data() + at.j);
      transpose<width>(J_.data() + at.j, rows, JT_.data() + at.j);
    });
  for (const Product& p : products_)
    with_rows<width>(p.cols, [&](auto cols) __attribute__((always_inline)) {
      add_product<width>(s + p.target, G_.data() + p.left, p.rows, JT_.data() + p.right, cols);
    });
  for (const auto& [row, place] : soft_) s[place] *= 1 + compliance_[row];
  return cholesky_.factor(threshold);
}

int ConstraintSystem::factor(const InverseMass& mass, double violation) {
  mass_ = &mass;
  const double threshold = std::max(dependence_threshold, violation * violation);
  return width_ == 3 ? factor_bodies<3>(mass, threshold) : factor_bodies<6>(mass, threshold);
}

bool ConstraintSystem::dependent(int row) const {
  for (int n = 0; n < blocks_; ++n)
    if (row >= nodes_[n].row && row < nodes_[n].row + nodes_[n].rows)
      return cholesky_.dropped(n, row - nodes_[n].row);
  return false;
}

// x of the driven bodies, outwards, and what the rest of the mechanism sees of it.
template <int width>
void ConstraintSystem::move_driven(const double* b, double* x, double* rhs) {
  using Vector = Eigen::Matrix<double, width, 1>;
  for (const Driven& d : driven_) {
    Vector wanted = Eigen::Map<const Vector>(b + d.row);
    if (d.base >= 0) subtract_times<width>(J_.data() + d.base_j, width, x + width * d.base, wanted.data());
    Eigen::Map<Vector>(x + width * d.body).noalias() = d.inverse.topLeftCorner<width, width>() * wanted;
    for (const Incidence& at : of_body_[d.body])
      if (at.node < blocks_) subtract_times<width>(J_.data() + at.j, at.rows, x + width * d.body, rhs + at.row);
  }
}

// Multipliers of the driven bodies, inwards, from the equations of motion of these.
template <int width>
void ConstraintSystem::load_driven(const double* f, const double* x, double* lambda) const {
  using Vector = Eigen::Matrix<double, width, 1>;
  for (auto d = driven_.rbegin(); d != driven_.rend(); ++d) {
    const double* const xb = x + width * d->body;
    const double linear = mass_->linear[d->body];
    const Mat3& angular = mass_->angular[d->body];
    Vector force = Vector::Zero();
    for (const Incidence& at : of_body_[d->body])
      if (at.node != d->node) add_transposed<width>(J_.data() + at.j, at.rows, lambda + at.row, force.data());
    if (f) force += Eigen::Map<const Vector>(f + width * d->body);
    Vector inertial;
    if constexpr (width == 3)
      inertial << xb[0] / linear, xb[1] / linear, angular(2, 2) > 0 ? xb[2] / angular(2, 2) : 0.0;
    else
      inertial << Eigen::Map<const Vec3>(xb) / linear,
          angular(2, 2) > 0 ? Vec3(angular.inverse() * Eigen::Map<const Vec3>(xb + 3)) : Vec3::Zero();
    Eigen::Map<Vector>(lambda + d->row).noalias() =
        d->inverse.topLeftCorner<width, width>().transpose() * (inertial - force);
  }
}

template <int width>
void ConstraintSystem::solve_bodies(const double* f, const double* b, double* x, double* lambda) {
  // Right-hand side: b − J W f for the joints, −f for the hubs.
  double* const rhs = x_.data();
  std::copy(b, b + block_rows_, rhs);
  move_driven<width>(b, x, rhs);
  if (f)
    for (const Term& at : ordinary_)
      with_rows<width>(at.rows, [&](auto rows) __attribute__((always_inline)) {
        subtract_times<width>(G_.data() + at.j, rows, f + width * at.body, rhs + at.row);
      });
  for (int body : hubs_) {
    double* r = rhs + cholesky_.first_row(hub_block_[body]);
    for (int i = 0; i < width; ++i) r[i] = f ? -f[width * body + i] : 0.0;
  }

  cholesky_.solve(rhs);
  std::copy(rhs, rhs + block_rows_, lambda);

  // x = W (f + Jᵀ λ); a hub's x was solved for.
  for (int body = 0; body < bodies_; ++body) {
    if (is_driven_[body] || hub_block_[body] >= 0) continue;
    double* xb = x + width * body;
    if (f)
      weigh<width>(f + width * body, std::integral_constant<int, 1>{}, mass_->linear[body], mass_->angular[body], xb);
    else
      std::fill(xb, xb + width, 0.0);
  }
  for (const Term& at : ordinary_)
    with_rows<width>(at.rows, [&](auto rows) __attribute__((always_inline)) {
      add_transposed<width>(G_.data() + at.j, rows, lambda + at.row, x + width * at.body);
    });
  for (int body : hubs_) {
    const double* r = rhs + cholesky_.first_row(hub_block_[body]);
    std::copy(r, r + width, x + width * body);
  }
  load_driven<width>(f, x, lambda);
}

void ConstraintSystem::solve(const double* f, const double* b, double* x, double* lambda) {
  width_ == 3 ? solve_bodies<3>(f, b, x, lambda) : solve_bodies<6>(f, b, x, lambda);
}

}  // namespace tappet
