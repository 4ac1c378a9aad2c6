#include "tappet/multibody/constraint_system.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/LU>

#include "tappet/linalg/small_blocks.hpp"
#include "tappet/linalg/wide.hpp"
#include "tappet/multibody/constraint_kernels.hpp"

namespace tappet {
namespace {

// A body with this many joints or more stays in the factorisation as a block of its own.
constexpr int hub_degree = 5;

// A pivot this small against its diagonal is a dependent row. Rounding leaves 1e-16…1e-14; the singular positions of the
// N-four-bar are passed at 1e-6 and above.
constexpr double dependence_threshold = 1e-12;

}  // namespace

ConstraintSystem::ConstraintSystem(Dimension dimension, int bodies,
                                   std::vector<const Constraint*> constraints, const std::vector<char>& held,
                                   DrivenBodies driven, const FlexibleBodies* flexible)
    : dimension_(dimension),
      bodies_(bodies),
      width_(velocity_size(dimension)),
      outer_(bodies),
      ground_(bodies),
      constraints_(std::move(constraints)) {
  list_flexible(flexible);
  build_nodes(driven);
  place_rows();
  find_hubs();
  std::vector<char> all_held = held;
  if (!held.empty())
    for (const Bending& b : bending_) all_held.insert(all_held.end(), b.count, held[b.body.body]);
  build_pattern(all_held);
}

// Constraints that act on the same bodies in the same order (a joint and its motor) share one block.
void ConstraintSystem::build_nodes(DrivenBodies driven) {
  std::map<std::vector<int>, int> known;
  for (int c = 0; c < count(); ++c) {
    const std::vector<int>& key = constraints_[c]->bodies;
    auto [at, fresh] = known.try_emplace(key, static_cast<int>(nodes_.size()));
    if (fresh) nodes_.push_back({{}, key, bodies_of(key)});
    Node& node = nodes_[at->second];
    node.constraints.push_back(c);
    node.rows += constraints_[c]->rows;
  }
  is_driven_.assign(bodies_, 0);
  if (driven == DrivenBodies::are_eliminated) find_driven();
  find_alone();
}

// From the ground outwards: a joint with one freedom and the motion that takes it, or a joint with none.
void ConstraintSystem::find_driven() {
  const auto leaves_no_freedom = [&](const Node& node) {
    if (node.rows != width_ || node.bodies.size() != 2) return false;
    for (const int c : node.constraints)
      if (constraints_[c]->with_switch >= 0) return false;
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

// Joints that hold one body which moves, and which no other joint holds.
void ConstraintSystem::find_alone() {
  const auto moves = [&](int body) { return body != bodies_ && !is_driven_[body]; };
  std::vector<int> joints(bodies_, 0);
  for (const Node& node : nodes_)
    for (const int body : node.bodies)
      if (moves(body)) ++joints[body];
  is_alone_.assign(bodies_, 0);
  const auto in_system = [&](const Node& node) {
    const auto held = std::find_if(node.bodies.begin(), node.bodies.end(), moves);
    if (held == node.bodies.end() || joints[*held] > 1 ||
        std::find_if(held + 1, node.bodies.end(), moves) != node.bodies.end())
      return true;
    is_alone_[*held] = 1;
    return false;
  };
  const auto driven =
      std::find_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.drives >= 0; });
  const auto alone = std::stable_partition(nodes_.begin(), driven, in_system);
  blocks_ = static_cast<int>(alone - nodes_.begin());
  undriven_ = static_cast<int>(driven - nodes_.begin());
  for (int n = 0; n < undriven_; ++n) {
    if (n < blocks_) block_rows_ += nodes_[n].rows;
    undriven_rows_ += nodes_[n].rows;
  }
}

// Rows, and places for J: one matrix a node and body, the node's constraints below each other.
void ConstraintSystem::place_rows() {
  row_of_.assign(count(), 0);
  jacobian_of_.assign(count(), {});
  of_body_.assign(bodies_, {});
  alone_of_.assign(bodies_, -1);
  int offset = 0;
  for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
    Node& node = nodes_[n];
    node.row = rows_;
    Driven driven{node.drives, n, node.row, 0};
    for (int body : node.outer) {
      const bool ground = body == ground_;
      int below = 0;
      for (int c : node.constraints) {
        jacobian_of_[c].push_back(ground ? -1 : offset + below * width_);
        below += constraints_[c]->rows;
      }
      if (ground) continue;
      if (body >= outer_) {
        carried_.push_back({body, 0, node.rows, node.row, offset, 0});
        offset += node.rows * width_;
        continue;
      }
      of_body_[body].push_back({n, node.rows, node.row, offset});
      if (body == node.drives)
        driven.j = offset;
      else
        driven.base = body, driven.base_j = offset;
      if (is_alone_[body]) {
        alone_of_[body] = static_cast<int>(alone_.size());
        const int factor = static_cast<int>(alone_factors_.size());
        alone_.push_back({body, node.rows, node.row, offset, factor});
        alone_factors_.resize(factor + node.rows * (node.rows + 2));
      }
      offset += node.rows * width_;
    }
    if (!bending_.empty()) place_bent(n, offset);
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

  // The functions of time of all constraints, one after the other.
  std::vector<const Expression*> functions;
  std::vector<std::size_t> first;
  for (const Constraint* constraint : constraints_) {
    first.push_back(functions.size());
    for (const Expression* f : constraint->functions()) functions.push_back(f);
  }
  functions_ = ExpressionBatch(functions);
  for (int c = 0; c < count(); ++c) {
    const int row = row_of_[c];
    ConstraintRows place{phi_.data() + row,        phi_t_.data() + row,
                         gamma_.data() + row,      {},
                         compliance_.data() + row, functions_.jets().data() + first[c]};
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
    if (is_driven_[b] || is_alone_[b]) continue;
    if (static_cast<int>(of_body_[b].size()) < hub_degree) {
      ordinary_bodies_.push_back(b);
      continue;
    }
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
    if (is_driven_[b] || is_alone_[b]) continue;
    for (std::size_t m = 0; m < of_body_[b].size(); ++m) {
      if (hub_block_[b] >= 0) {
        pattern.couples.emplace_back(of_body_[b][m].node, hub_block_[b]);
        continue;
      }
      for (std::size_t n = 0; n < m; ++n)
        pattern.couples.emplace_back(of_body_[b][m].node, of_body_[b][n].node);
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
    if (is_driven_[b] || is_alone_[b]) continue;
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
  if (kinematics.t != functions_at_ || functions_.uses_inputs())
    functions_.evaluate(functions_at_ = kinematics.t, kinematics.inputs, kinematics.input_rates);
  for (std::size_t c = 0; c < constraints_.size(); ++c) constraints_[c]->evaluate(kinematics, places_[c]);
  for (int c = 0; kinematics.off && c < count(); ++c)
    if (constraints_[c]->with_switch >= 0 && kinematics.off[constraints_[c]->with_switch]) let_go(c);
  if (!bending_.empty()) carry_rows(kinematics);
}

// Rows that ask for nothing depend on others, and get no multiplier.
void ConstraintSystem::let_go(int c) {
  const ConstraintRows& place = places_[c];
  const int rows = constraints_[c]->rows;
  for (double* values : {place.phi, place.phi_t, place.gamma, place.compliance})
    std::fill(values, values + rows, 0.0);
  for (std::size_t slot = 0; slot < jacobian_of_[c].size(); ++slot)
    if (place.J[slot]) std::fill(place.J[slot], place.J[slot] + rows * width_, 0.0);
}

const double* ConstraintSystem::jacobian(int c, int slot) const {
  const int place = jacobian_of_[c][slot];
  return place < 0 ? nullptr : J_.data() + place;
}

template <int width>
TAPPET_WIDE void ConstraintSystem::times_bodies(const double* u, double* out) const {
  std::fill(out, out + rows_, 0.0);
  for (int b = 0; b < outer_; ++b)
    for (const Incidence& at : of_body_[b])
      with_rows<width>(
          at.rows, [&](auto rows) __attribute__((always_inline)) {
            const double *const J = J_.data() + at.j, *const ub = u + width * b;
            for (int r = 0; r < rows; ++r) out[at.row + r] += row_product<width>(J + r * width, ub);
          });
}

void ConstraintSystem::times(const double* u, double* out) const {
  width_ == 3 ? times_bodies<3>(u, out) : times_bodies<6>(u, out);
  if (!bending_.empty()) times_bent(u, out);
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

// G = J W and the factors of S = G Jᵀ.
template <int width, class Rows>
TAPPET_INLINE void ConstraintSystem::factor_alone(Rows rows, const InverseMass& mass, const Alone& at,
                                                  Pivots& pivots) {
  const double* const __restrict J = J_.data() + at.j;
  double* const __restrict G = G_.data() + at.j;
  double* const __restrict s = alone_factors_.data() + at.factor;
  double *const inverse = s + rows * rows, *const diagonal = inverse + rows;
  weigh<width>(J, rows, mass.linear[at.body], mass.angular[at.body], G);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c <= r; ++c) s[r * rows + c] = row_product<width>(G + r * width, J + c * width);
    diagonal[r] = s[r * rows + r] *= 1 + compliance_[at.row + r];
  }
  factor_block(rows, 1, s, diagonal, inverse, pivots);
}

// S of the joints of ordinary bodies.
template <int width>
TAPPET_WIDE void ConstraintSystem::assemble(const InverseMass& mass) {
  double* const s = cholesky_.values();
  for (const Term& at : ordinary_)
    with_rows<width>(
        at.rows, [&](auto rows) __attribute__((always_inline)) {
          weigh<width>(J_.data() + at.j, rows, mass.linear[at.body], mass.angular[at.body], G_.data() + at.j);
          transpose<width>(J_.data() + at.j, rows, JT_.data() + at.j);
        });
  for (const Product& p : products_)
    with_rows<width>(
        p.cols, [&](auto cols) __attribute__((always_inline)) {
          // Joints of one type: both sizes are known to the compiler.
          const double *const G = G_.data() + p.left, *const JT = JT_.data() + p.right;
          if (p.left == p.right)
            add_product<width>(s + p.target, G, cols, JT, cols, true);
          else if (p.rows == p.cols)
            add_product<width>(s + p.target, G, cols, JT, cols, false);
          else
            add_product<width>(s + p.target, G, p.rows, JT, cols, false);
        });
  for (const auto& [row, place] : soft_) s[place] *= 1 + compliance_[row];
}

template <int width>
TAPPET_WIDE int ConstraintSystem::factor_bodies(const InverseMass& mass, double threshold) {
  using Square = Eigen::Matrix<double, width, width, Eigen::RowMajor>;
  for (Driven& d : driven_)
    Eigen::Map<Square>(d.inverse).noalias() = Eigen::Map<const Square>(J_.data() + d.j).inverse();
  Pivots pivots{threshold};
  for (const Alone& at : alone_)
    with_rows<width>(
        at.rows, [&](auto rows)
                     __attribute__((always_inline)) { factor_alone<width>(rows, mass, at, pivots); });
  smallest_pivot_ = pivots.smallest;
  if (blocks_ == 0) return pivots.dropped;

  cholesky_.set_zero();
  for (const int hub : hubs_) factor_hub<width>(mass, hub);
  assemble<width>(mass);
  const int dropped = cholesky_.factor(threshold);
  smallest_pivot_ = std::min(smallest_pivot_, cholesky_.smallest_pivot());
  return pivots.dropped + dropped;
}

int ConstraintSystem::factor(const InverseMass& mass, double violation) {
  mass_ = bending_.empty() ? &mass : &factor_bending(mass);
  const double threshold = std::max(dependence_threshold, violation * violation);
  return width_ == 3 ? factor_bodies<3>(*mass_, threshold) : factor_bodies<6>(*mass_, threshold);
}

bool ConstraintSystem::dependent(int row) const {
  for (int n = 0; n < blocks_; ++n)
    if (row >= nodes_[n].row && row < nodes_[n].row + nodes_[n].rows)
      return cholesky_.dropped(n, row - nodes_[n].row);
  for (const Alone& at : alone_)
    if (row >= at.row && row < at.row + at.rows)
      return alone_factors_[at.factor + at.rows * at.rows + row - at.row] == 0;
  return false;
}

// x of the driven bodies, outwards, and what the rest of the mechanism sees of it, in the right-hand sides that `lambda` holds.
template <int width>
TAPPET_INLINE void ConstraintSystem::move_driven(const double* b, double* x, double* lambda) {
  for (const Driven& d : driven_) {
    double wanted[width];
    for (int i = 0; i < width; ++i) wanted[i] = b[d.row + i];
    if (d.base >= 0) subtract_times<width>(J_.data() + d.base_j, width, x + width * d.base, wanted);
    double* const xb = x + width * d.body;
    for (int r = 0; r < width; ++r) xb[r] = row_product<width>(d.inverse + width * r, wanted);
    for (const Incidence& at : of_body_[d.body])
      if (at.node < undriven_)
        with_rows<width>(
            at.rows, [&](auto rows) __attribute__((always_inline)) {
              subtract_times<width>(J_.data() + at.j, rows, xb, lambda + at.row);
            });
  }
}

// Multipliers of the driven bodies, inwards, from the equations of motion of these.
template <int width>
TAPPET_INLINE void ConstraintSystem::load_driven(const double* f, const double* x, double* lambda) const {
  constexpr int linear = width == 3 ? 2 : 3;
  for (auto d = driven_.rbegin(); d != driven_.rend(); ++d) {
    const double* const xb = x + width * d->body;
    const double weight = mass_->linear[d->body];
    const Mat3& angular = mass_->angular[d->body];

    // What the joint must exert: W⁻¹ x less all other forces.
    double rest[width] = {};
    for (int i = 0; i < linear; ++i) rest[i] = xb[i] / weight;
    if constexpr (width == 3)
      rest[2] = angular(2, 2) > 0 ? xb[2] / angular(2, 2) : 0.0;
    else if (angular(2, 2) > 0)
      Eigen::Map<Vec3>(rest + 3) = angular.inverse() * Eigen::Map<const Vec3>(xb + 3);
    if (f)
      for (int i = 0; i < width; ++i) rest[i] -= f[width * d->body + i];
    for (const Incidence& at : of_body_[d->body]) {
      if (at.node == d->node) continue;
      with_rows<width>(
          at.rows, [&](auto rows) __attribute__((always_inline)) {
            const double* const J = J_.data() + at.j;
            for (int r = 0; r < rows; ++r)
              for (int i = 0; i < width; ++i) rest[i] -= J[r * width + i] * lambda[at.row + r];
          });
    }
    for (int c = 0; c < width; ++c) {
      double sum = d->inverse[c] * rest[0];
      for (int r = 1; r < width; ++r) sum += d->inverse[width * r + c] * rest[r];
      lambda[d->row + c] = sum;
    }
  }
}

template <int width>
TAPPET_WIDE void ConstraintSystem::solve_bodies(const double* f, const double* b, double* x, double* lambda) {
  // Right-hand side, where the solution will be: b − J W f for the joints, −f for the hubs.
  std::copy(b, b + undriven_rows_, lambda);
  move_driven<width>(b, x, lambda);
  for (const Alone& at : alone_)
    with_rows<width>(
        at.rows, [&](auto rows) __attribute__((always_inline)) {
          const int own = width * at.body;
          solve_alone<width>(rows, G_.data() + at.j, alone_factors_.data() + at.factor,
                             mass_->linear[at.body], mass_->angular[at.body], f ? f + own : nullptr, x + own,
                             lambda + at.row);
        });
  // A slider-crank has no block of S and no body that is free.
  if (blocks_ > 0 || !ordinary_bodies_.empty()) solve_blocks<width>(f, x, lambda);
  load_driven<width>(f, x, lambda);
}

template <int width>
TAPPET_WIDE void ConstraintSystem::solve_blocks(const double* f, double* x, double* lambda) {
  double* const rhs = hubs_.empty() ? lambda : x_.data();
  if (!hubs_.empty()) std::copy(lambda, lambda + block_rows_, rhs);
  if (f)
    for (const Term& at : ordinary_)
      with_rows<width>(
          at.rows, [&](auto rows) __attribute__((always_inline)) {
            subtract_times<width>(G_.data() + at.j, rows, f + width * at.body, rhs + at.row);
          });
  for (int body : hubs_) {
    double* r = rhs + cholesky_.first_row(hub_block_[body]);
    for (int i = 0; i < width; ++i) r[i] = f ? -f[width * body + i] : 0.0;
  }

  cholesky_.solve(rhs);
  if (!hubs_.empty()) std::copy(rhs, rhs + block_rows_, lambda);

  // x = W (f + Jᵀ λ); a hub's x was solved for.
  for (const int body : ordinary_bodies_) {
    double* xb = x + width * body;
    if (f)
      weigh<width>(f + width * body, std::integral_constant<int, 1>{}, mass_->linear[body],
                   mass_->angular[body], xb);
    else
      std::fill(xb, xb + width, 0.0);
  }
  for (const Term& at : ordinary_)
    with_rows<width>(
        at.rows, [&](auto rows) __attribute__((always_inline)) {
          add_transposed<width>(G_.data() + at.j, rows, lambda + at.row, x + width * at.body);
        });
  for (int body : hubs_) {
    const double* r = rhs + cholesky_.first_row(hub_block_[body]);
    std::copy(r, r + width, x + width * body);
  }
}

void ConstraintSystem::solve(const double* f, const double* b, double* x, double* lambda) {
  bending_.empty() ? solve_plain(f, b, x, lambda) : solve_bent(f, b, x, lambda);
}

void ConstraintSystem::solve_plain(const double* f, const double* b, double* x, double* lambda) {
  width_ == 3 ? solve_bodies<3>(f, b, x, lambda) : solve_bodies<6>(f, b, x, lambda);
}

}  // namespace tappet
