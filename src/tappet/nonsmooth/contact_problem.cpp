#include "tappet/nonsmooth/contact_problem.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include <Eigen/Cholesky>

#include "tappet/lcp/matrix.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

BlockCsr& gram_factor(lcp::Matrix& m) {
  if (!std::holds_alternative<lcp::Gram>(m)) m = lcp::Gram{};
  return std::get<lcp::Gram>(m).factor;
}

/// W_ang = J⁻¹ of a body as L⁻ᵀ L⁻¹: the weight of its angular columns. Zero for a point mass.
Mat3 angular_weight(const Mat3& inverse_inertia) {
  if (inverse_inertia.isZero(0)) return Mat3::Zero();
  return Eigen::LLT<Mat3>(inverse_inertia).matrixL();
}

}  // namespace

ContactProblem::ContactProblem(const Mechanism& mechanism, const ContactSolverOptions& options)
    : mechanism_(mechanism),
      dimension_(mechanism.dimension == Dimension::planar ? 2 : 3),
      width_(velocity_size(mechanism.dimension)),
      solver_(options) {
  lcp::SolverOptions settings;
  settings.check = false;  // W = H M⁻¹ Hᵀ is symmetric as it is made
  settings.tolerance = 1;  // of the gap that counts as nothing
  settings.warm_start = false;
  opener_ = lcp::make_solver(std::string("auto"), settings);
  // Many contacts of free bodies: some cheap sweeps; what they leave is left to the next step.
  settings.max_iterations = 20;
  sweeping_opener_ = lcp::make_solver(std::string("pgs"), settings);

  for (const Constraint* c : mechanism.constraints) dense_ = dense_ || c->rows > 0;
  dense_ = dense_ || mechanism.flexible.modes > 0;

  // M⁻¹ = w wᵀ, block by block: its factor is constant, since inertia is kept in body axes.
  for (int b = 0; b < mechanism.body_count(); ++b) {
    weight_.push_back(std::sqrt(mechanism.inverse_mass.linear[b]));
    const Mat3& inverse = mechanism.inverse_mass.angular[b];
    const Mat3 w =
        dimension_ == 2 ? Mat3(Mat3::Identity() * std::sqrt(inverse(2, 2))) : angular_weight(inverse);
    weight_.insert(weight_.end(), w.data(), w.data() + 9);
  }
}

void ContactProblem::clear(const Kinematics& k, const ConstraintSystem* constraints) {
  constraints_ = mechanism_.flexible.modes > 0 ? constraints : nullptr;
  contacts_.clear();
  couples_.clear();
  own_.clear();
  stops_.clear();
  bearings_.clear();
  kinematics_ = &k;
  BlockCsr& rows = dense_ ? h_ : gram_factor(problem_.W);
  rows.clear();
  sides_.resize(mechanism_.frame_count() + 1);
  for (int b = 0; b < mechanism_.frame_count(); ++b) {
    rows.add_columns(width_);
    BodyColumns& side = sides_[b];
    if (dimension_ == 2)
      side.r.head<2>() = k.planar[b].r;
    else
      side.r = k.spatial[b].r, side.R = k.spatial[b].R;
    side.angular = side.R.transpose();
    if (dense_) continue;
    // G = H L⁻ᵀ: the same columns, weighted.
    side.linear = weight_[10 * b];
    side.angular = Eigen::Map<const Mat3>(weight_.data() + 10 * b + 1).transpose() * side.angular;
  }
}

void ContactProblem::add(const ProblemContact& contact) {
  contacts_.push_back(contact);
  if (contact.along) {
    contacts_.back().row = static_cast<int>(stops_.size());
    contact.along->row(*kinematics_, 0, stops_.emplace_back());
    return add_blocks(&stops_.back(), 0, 1);
  }
  BlockCsr& rows = dense_ ? h_ : gram_factor(problem_.W);
  rows.add_row(dimension_);
  // Velocity of the second body's material point against the first's; blocks in the order of the bodies.
  const int i = contact.bodies[0], j = contact.bodies[1];
  add_side(rows, std::min(i, j), i < j ? -1 : 1, contact);
  add_side(rows, std::max(i, j), i < j ? 1 : -1, contact);
}

// A block row of H, whose rows from `first` on are these; there are joints, so that W is dense.
void ContactProblem::add_blocks(const CoordinateRow* rows, int first, int count) {
  h_.add_row(dimension_);
  for (int body = 0; body < mechanism_.frame_count(); ++body) {
    double* block = nullptr;
    for (int r = 0; r < count; ++r)
      for (int n = 0; n < rows[r].count; ++n) {
        if (rows[r].bodies[n] != body) continue;
        if (!block) block = h_.add_block(body).data();
        std::copy(rows[r].J[n], rows[r].J[n] + width_, block + (first + r) * width_);
      }
  }
}

void ContactProblem::add_bearing(const ContactPoint& contact) {
  Bearing& own = bearings_.emplace_back(Bearing{.contact = &contact, .rows = {}});
  const int directions = contact.sliding_directions();
  for (int r = 0; r < directions; ++r) contact.row(*kinematics_, 1 + r, own.rows[r]);
  add_blocks(own.rows, 1, directions);
}

double ContactProblem::rate(const CoordinateRow& row, const double* u) const {
  double sum = 0;
  for (int n = 0; n < row.count; ++n)
    for (int i = 0; row.bodies[n] != mechanism_.ground() && i < width_; ++i)
      sum += row.J[n][i] * u[width_ * row.bodies[n] + i];
  return sum;
}

void ContactProblem::push(const CoordinateRow& row, double impulse, double* f) const {
  ForceSum sum{f, mechanism_.ground(), {}};
  add_along(row, dimension_ == 2, impulse, sum);
}

void ContactProblem::add_side(BlockCsr& rows, int body, double sign, const ProblemContact& contact) {
  if (body == mechanism_.ground()) return;
  double* row = rows.add_block(body).data();
  const BodyColumns& side = sides_[body];
  const Vec3 arm = sign * (contact.touch.at - side.r);
  const double linear = sign * side.linear;
  const Vec3* axes[3] = {&contact.touch.normal, &contact.tangents.t1, &contact.tangents.t2};
  for (int r = 0; r < dimension_; ++r, row += width_) {
    const Vec3& axis = *axes[r];
    if (dimension_ == 2) {
      row[0] = linear * axis.x(), row[1] = linear * axis.y();
      row[2] = side.angular(2, 2) * cross(Vec2(arm.head<2>()), axis.head<2>());
    } else {
      Eigen::Map<Vec3>{row} = linear * axis;
      Eigen::Map<Vec3>{row + 3} = side.angular * arm.cross(axis);
    }
  }
}

void ContactProblem::add_couples() {
  for (int i = 0; i < count(); ++i)
    if (contacts_[i].resists)
      for_each_couple(*contacts_[i].resists, i, contacts_[i].length, dimension_ == 2,
                      contacts_[i].touch.normal, contacts_[i].tangents,
                      [&](const Couple& couple) { couples_.push_back(couple); });
  BlockCsr& rows = dense_ ? h_ : gram_factor(problem_.W);
  for (const Couple& couple : couples_) {
    // The contact's own response makes a measure for the couple's.
    double c = 0;
    for (int k = rows.row_ptr[couple.contact]; !dense_ && k < rows.row_ptr[couple.contact + 1]; ++k)
      c += rows.block(couple.contact, k).row(0).squaredNorm();
    own_.push_back(c > 0 ? c : 1);
    rows.add_row(dimension_);
    const int i = contacts_[couple.contact].bodies[0], j = contacts_[couple.contact].bodies[1];
    add_side(rows, std::min(i, j), i < j ? -1 : 1, couple);
    add_side(rows, std::max(i, j), i < j ? 1 : -1, couple);
    if (dense_) continue;
    rows.add_columns(width_);
    auto own = rows.add_block(rows.block_cols() - 1);
    own(0, 0) = std::sqrt(own_.back());
    if (couple.spins) own(2, 1) = std::sqrt(own_.back());
  }
}

void ContactProblem::add_side(BlockCsr& rows, int body, double sign, const Couple& couple) {
  if (body == mechanism_.ground()) return;
  double* row = rows.add_block(body).data() + width_;
  const BodyColumns& side = sides_[body];
  for (int r = 1; r < dimension_; ++r, row += width_) {
    const Vec3 turn = sign * couple.length * (side.angular * couple.axis[r - 1]);
    if (dimension_ == 2)
      row[2] = turn.z();
    else
      Eigen::Map<Vec3>{row + 3} = turn;
  }
}

// Both velocities go side by side, in the two lanes of each number.
void ContactProblem::velocities(const double* u, const double* v, VectorXd& of_u, VectorXd& of_v) const {
  const int bodies = mechanism_.frame_count();
  if (constraints_) {
    for (auto& frames : of_frames_) frames.resize(width_ * bodies);
    constraints_->frame_velocities(u, of_frames_[0].data());
    constraints_->frame_velocities(v, of_frames_[1].data());
    u = of_frames_[0].data(), v = of_frames_[1].data();
  }
  motions_.assign(bodies + 1, {});
  const double *all_u = u, *all_v = v;
  for (int b = 0; b < bodies; ++b, u += width_, v += width_) {
    Motion& body = motions_[b];
    if (dimension_ == 2) {
      for (int k = 0; k < 2; ++k) body.v[k] = Two{u[k], v[k]};
      body.w[2] = Two{u[2], v[2]};
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      body.v[k] = Two{u[k], v[k]};
      for (int l = 0; l < 3; ++l) body.w[k] += sides_[b].R(k, l) * Two{u[3 + l], v[3 + l]};
    }
  }
  of_u.resize(dimension_ * blocks());
  of_v.resize(dimension_ * blocks());
  for (int i = 0; i < count(); ++i) {
    const ProblemContact& contact = contacts_[i];
    if (contact.row >= 0) {
      of_u.segment(dimension_ * i, dimension_).setZero();
      of_v.segment(dimension_ * i, dimension_).setZero();
      of_u[dimension_ * i] = rate(stops_[contact.row], all_u);
      of_v[dimension_ * i] = rate(stops_[contact.row], all_v);
      continue;
    }
    Two relative[3] = {};
    for (int side = 1; side >= 0; --side) {
      const Motion& body = motions_[contact.bodies[side]];
      const Vec3 arm = contact.touch.at - sides_[contact.bodies[side]].r;
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        const Two own = body.v[k] + body.w[l] * arm[m] - body.w[m] * arm[l];
        relative[k] = side == 1 ? own : relative[k] - own;
      }
    }
    const Vec3* axes[3] = {&contact.touch.normal, &contact.tangents.t1, &contact.tangents.t2};
    for (int r = 0; r < dimension_; ++r) {
      const Vec3& axis = *axes[r];
      const Two rate = relative[0] * axis[0] + relative[1] * axis[1] + relative[2] * axis[2];
      of_u[dimension_ * i + r] = rate[0], of_v[dimension_ * i + r] = rate[1];
    }
  }
  for (std::size_t n = 0; n < couples_.size(); ++n) {
    const Couple& couple = couples_[n];
    const int first = row(static_cast<int>(n)), *on = contacts_[couple.contact].bodies;
    of_u[first] = of_v[first] = 0;
    for (int r = 1; r < dimension_; ++r) {
      Two rate = {};
      for (int k = 0; k < 3; ++k)
        rate += (motions_[on[1]].w[k] - motions_[on[0]].w[k]) * (couple.length * couple.axis[r - 1][k]);
      of_u[first + r] = rate[0], of_v[first + r] = rate[1];
    }
  }
  for (int n = 0; n < bearings(); ++n) {
    const int first = dimension_ * (first_bearing() + n);
    of_u[first] = of_v[first] = 0;
    for (int r = 1; r < dimension_; ++r) {
      of_u[first + r] = rate(bearings_[n].rows[r - 1], all_u);
      of_v[first + r] = rate(bearings_[n].rows[r - 1], all_v);
    }
  }
}

// Contacts of the same two bodies follow each other: their impulses are summed up first, at the place of the first of them.
void ContactProblem::add_impulses(const VectorXd& P, double* all) const {
  double* f = all;
  if (constraints_) {
    of_frames_[0].assign(mechanism_.frame_force_size(), 0.0);
    f = of_frames_[0].data();
  }
  add_impulses_on_frames(P, f);
  if (!constraints_) return;
  constraints_->to_bodies(f);
  for (int i = 0; i < mechanism_.u_size(); ++i) all[i] += f[i];
}

void ContactProblem::add_impulses_on_frames(const VectorXd& P, double* f) const {
  for (int i = 0; i < count();) {
    const ProblemContact& contact = contacts_[i];
    if (contact.row >= 0) {
      push(stops_[contact.row], P[dimension_ * i++], f);
      continue;
    }
    Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
    for (; i < count() && contacts_[i].row < 0 && std::equal(bodies(i), bodies(i) + 2, contact.bodies); ++i) {
      const Vec3 own = impulse(i, P);
      push += own;
      turn += (contacts_[i].touch.at - contact.touch.at).cross(own);
    }
    for (int side = 0; side < 2; ++side) {
      const int body = contact.bodies[side];
      if (body == mechanism_.ground()) continue;
      const double sign = side == 0 ? -1 : 1;
      const Vec3 moment = turn + (contact.touch.at - sides_[body].r).cross(push);
      double* own = f + width_ * body;
      if (dimension_ == 2) {
        own[0] += sign * push.x(), own[1] += sign * push.y(), own[2] += sign * moment.z();
      } else {
        Eigen::Map<Vec3>{own} += sign * push;
        Eigen::Map<Vec3>{own + 3} += sign * (sides_[body].R.transpose() * moment);
      }
    }
  }
  if (P.size() < dimension_ * blocks()) return;
  for (std::size_t n = 0; n < couples_.size(); ++n)
    for (int side = 0; side < 2; ++side) {
      const int body = contacts_[couples_[n].contact].bodies[side];
      if (body == mechanism_.ground()) continue;
      const Vec3 turn = (side == 0 ? -1 : 1) * couple(static_cast<int>(n), P);
      double* own = f + width_ * body;
      if (dimension_ == 2)
        own[2] += turn.z();
      else
        Eigen::Map<Vec3>{own + 3} += sides_[body].R.transpose() * turn;
    }
  for (int n = 0; n < bearings(); ++n)
    for (int r = 1; r < dimension_; ++r)
      push(bearings_[n].rows[r - 1], P[dimension_ * (first_bearing() + n) + r], f);
}

void ContactProblem::set_impulse(int i, const Vec3& impulse, double* P) const {
  const Tangential friction = contacts_[i].tangents.components(impulse);
  P[0] = std::max(0.0, impulse.dot(contacts_[i].touch.normal));
  for (int k = 1; k < dimension_; ++k) P[k] = friction[k - 1];
}

void ContactProblem::prepare(ConstraintSystem& constraints) {
  problem_.dimension = dimension_;
  every_.resize(count());
  std::iota(every_.begin(), every_.end(), 0);
  problem_.mu.resize(blocks());
  for (int i = 0; i < count(); ++i) problem_.mu[i] = contacts_[i].friction;
  for (std::size_t n = 0; n < couples_.size(); ++n) problem_.mu[count() + n] = couples_[n].law().friction;
  for (int n = 0; n < bearings(); ++n)
    problem_.mu[first_bearing() + n] = bearings_[n].contact->rigid->friction;
  assert(dense_ == (constraints.rows() > 0 || constraints_));
  choose_order();
  if (!dense_) return;
  if (!std::holds_alternative<MatrixXd>(problem_.W)) problem_.W = MatrixXd();
  auto& W = std::get<MatrixXd>(problem_.W);
  constraints.response(h_, W);
  for (std::size_t n = 0; n < couples_.size(); ++n) {
    const int first = row(static_cast<int>(n)), of = dimension_ * couples_[n].contact;
    if (W(of, of) > 0) own_[n] = W(of, of);
    W(first, first) = own_[n];
    if (couples_[n].spins) W(first + 2, first + 2) = own_[n];
  }
  // What has no direction responds to itself alone.
  for (int i = 0; i < count(); ++i)
    for (int r = 1; contacts_[i].row >= 0 && r < dimension_; ++r)
      W(dimension_ * i + r, dimension_ * i + r) = W(dimension_ * i, dimension_ * i);
  for (int n = 0; n < bearings(); ++n) {
    const int first = dimension_ * (first_bearing() + n);
    if (W(first + 1, first + 1) > 0) bearings_[n].own = W(first + 1, first + 1);
    W(first, first) = bearings_[n].own;
    for (int r = 1; r < dimension_; ++r)
      if (!(W(first + r, first + r) > 0)) W(first + r, first + r) = bearings_[n].own;
  }
}

// Sweeps go over the first place of every two bodies, then over the second ones, and so on: faces that lie on each other share their
// load among all corners from the beginning. A wall of boxes needs half as many sweeps as with one face after the other.
void ContactProblem::choose_order() {
  rounds_.resize(count());
  room_.assign(2, 0);  // where each round begins, one place on
  for (int i = 0; i < count(); ++i) {
    const bool same = i > 0 && std::equal(bodies(i), bodies(i) + 2, bodies(i - 1));
    rounds_[i] = same ? rounds_[i - 1] + 1 : 0;
    if (rounds_[i] + 2 > static_cast<int>(room_.size())) room_.push_back(0);
    ++room_[rounds_[i] + 1];
  }
  std::partial_sum(room_.begin(), room_.end(), room_.begin());
  problem_.order.resize(count());
  for (int i = 0; i < count(); ++i) problem_.order[room_[rounds_[i]]++] = i;
  for (int i = count(); i < blocks(); ++i) problem_.order.push_back(i);
}

void ContactProblem::respond(const VectorXd& P, VectorXd& gamma) {
  zero_.setZero(P.size());
  lcp::multiply(problem_.W, P, zero_, gamma, inner_);
}

lcp::Result ContactProblem::solve(const VectorXd& b, double unit, VectorXd& P) {
  problem_.b = b;
  problem_.unit = unit;
  return solver_.solve(problem_, P);
}

void ContactProblem::open_gaps(const std::vector<int>& chosen, const VectorXd& gap, double small,
                               VectorXd& P) {
  problem_.b.setZero(dimension_ * blocks());
  for (int i : chosen) problem_.b[dimension_ * i] = gap[i];
  problem_.unit = small;
  normals_of(problem_, chosen, normals_);
  z_.setZero(static_cast<int>(chosen.size()));
  lcp::Solver& solver = opens_roughly() ? *sweeping_opener_ : *opener_;
  solver.solve(normals_, z_);
  P.setZero(dimension_ * count());
  for (std::size_t n = 0; n < chosen.size(); ++n) P[dimension_ * chosen[n]] = z_[static_cast<int>(n)];
  lift_ = solver.velocity() - normals_.q;
}

}  // namespace tappet
