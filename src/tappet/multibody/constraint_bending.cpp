// Flexible bodies in the system of constraints. Of one, with Λ̂ the mass of its elastic coordinates (1, or what a step that takes
// them implicitly makes of it),
//
//   M = [ M_rr  B ; Bᵀ  Λ̂ ],   M_rr − B Λ̂⁻¹ Bᵀ = C Cᵀ,   V = [ C⁻ᵀ  0 ; −Λ̂⁻¹ Bᵀ C⁻ᵀ  Λ̂^-½ ],   M⁻¹ = V Vᵀ
//
// so that J V = [ (J_r − J_q Λ̂⁻¹ Bᵀ) C⁻ᵀ   J_q Λ̂^-½ ] costs a few products with B: linear in the number of modes.
#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/multibody/constraint_system.hpp"

namespace tappet {
namespace {

using Mat6 = Eigen::Matrix<double, 6, 6>;

// Cholesky's factor of the first n rows and columns, then its inverse in place; false: not positive definite.
bool invert_root(Mat6& a, int n) {
  for (int j = 0; j < n; ++j) {
    double pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= a(j, k) * a(j, k);
    if (!(pivot > 0)) return false;
    a(j, j) = std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= a(i, k) * a(j, k);
      a(i, j) = sum / a(j, j);
    }
  }
  for (int j = 0; j < n; ++j) {
    a(j, j) = 1 / a(j, j);
    for (int i = j + 1; i < n; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum -= a(i, k) * a(k, j);
      a(i, j) = sum / a(i, i);
    }
  }
  return true;
}

}  // namespace

void ConstraintSystem::list_flexible(const FlexibleBodies* flexible) {
  if (!flexible || flexible->bodies.empty()) return;
  ground_ = outer_ + flexible->carried;
  for (const FlexibleBody& body : flexible->bodies) {
    bending_.emplace_back(body);
    Bending& b = bending_.back();
    b.first = bodies_;
    b.count = 1 + (body.modes + width_ - 1) / width_;
    bodies_ += b.count;
    b.root.setZero();
    b.B.setZero(6, body.modes);
    b.elastic.setOnes(body.modes);
    for (std::size_t n = 0; n < body.interfaces.size(); ++n) interfaces_.emplace_back(body);
  }
  f_unit_.assign(width_ * bodies_, 0.0);
  x_unit_.assign(width_ * bodies_, 0.0);
}

// Each once, the ground included.
std::vector<int> ConstraintSystem::bodies_of(const std::vector<int>& frames) const {
  std::vector<int> out;
  const auto add = [&](int body) {
    if (std::find(out.begin(), out.end(), body) == out.end() || body == bodies_) out.push_back(body);
  };
  for (int frame : frames) {
    if (frame == ground_)
      add(bodies_);
    else if (frame < outer_)
      out.push_back(frame);
    else
      for (const Bending& b : bending_)
        if (frame >= b.body.interface &&
            frame < b.body.interface + static_cast<int>(b.body.interfaces.size()))
          for (int n = 0; n < b.count; ++n) add(b.first + n);
  }
  return out;
}

void ConstraintSystem::place_bent(int n, int& offset) {
  const Node& node = nodes_[n];
  for (int f = 0; f < static_cast<int>(bending_.size()); ++f) {
    const Bending& b = bending_[f];
    if (std::find(node.bodies.begin(), node.bodies.end(), b.first) == node.bodies.end()) continue;
    const int raw = static_cast<int>(raw_.size());
    bent_.push_back({f, node.rows, node.row, offset, raw});
    raw_.resize(raw_.size() + node.rows * (width_ + b.body.modes), 0.0);
    for (int k = 0; k < b.count; ++k) {
      of_body_[b.first + k].push_back({n, node.rows, node.row, offset});
      offset += node.rows * width_;
    }
    const int last = b.body.interface + static_cast<int>(b.body.interfaces.size());
    for (Carried& c : carried_)
      if (c.row == node.row && c.frame >= b.body.interface && c.frame < last) c.flexible = f, c.raw = raw;
  }
}

void ConstraintSystem::carry_rows(const Kinematics& k) {
  kinematics_ = &k;
  instants_fresh_ = false;
  for (const Bending& b : bending_)
    for (std::size_t n = 0; n < b.body.interfaces.size(); ++n)
      evaluate_carried(b.body, b.body.interfaces[n], k, interfaces_[b.body.interface - outer_ + n]);
  std::fill(raw_.begin(), raw_.end(), 0.0);
  for (const Carried& c : carried_) {
    const CarriedInstant& at = interfaces_[c.frame - outer_];
    const double* J = J_.data() + c.j;
    add_carried_rows(at, k, bending_[c.flexible].body.body, c.rows, J, raw_.data() + c.raw);
    for (int r = 0; r < c.rows; ++r) gamma_[c.row + r] -= drift_along(at, dimension_, J + r * width_);
  }
}

const InverseMass& ConstraintSystem::factor_bending(const InverseMass& mass) {
  unit_ = mass;
  unit_.linear.resize(bodies_);
  unit_.angular.resize(bodies_, Mat3::Identity());
  const int linear = width_ == 3 ? 2 : 3;
  for (Bending& b : bending_) {
    const int body = b.body.body, m = b.body.modes;
    if (mass.elastic >= 0) {
      b.root.setZero();
      b.B.setZero();
      for (int i = 0; i < linear; ++i) b.root(i, i) = std::sqrt(mass.linear[body]);
      if (width_ == 3)
        b.root(2, 2) = std::sqrt(mass.angular[body](2, 2));
      else
        b.root.bottomRightCorner<3, 3>() = mass.angular[body].cwiseSqrt();  // a multiple of 1
      b.elastic.setConstant(std::sqrt(mass.elastic * b.body.mass));
    } else {
      if (!instants_fresh_) evaluate_flexible(b.body, *kinematics_, Vec3::Zero(), false, b.instant);
      b.B = b.instant.B;
      b.elastic.setOnes();
      if (elastic_step_ > 0) {
        const double h = elastic_step_;
        for (int n = 0; n < m; ++n) {
          const double heavy = 1 + 0.5 * h * b.body.damping[n] + 0.25 * h * h * b.body.stiffness[n];
          b.B.col(n) /= heavy;
          b.elastic[n] = 1 / std::sqrt(heavy);
        }
      }
      b.root.setZero();
      for (int i = 0; i < width_; ++i)
        for (int j = 0; j <= i; ++j) {
          double sum = b.instant.rigid(i, j);
          for (int n = 0; n < m; ++n) sum -= b.B(i, n) * b.instant.B(j, n);
          b.root(i, j) = sum;
        }
      if (!invert_root(b.root, width_))
        throw SimulationError(
            kinematics_->t,
            fmt::format(
                "the mass matrix of flexible body '{}' is not positive definite: its integrals do not fit "
                "together, or it is bent beyond what they hold for; in `frame: mean` it may be bent further",
                b.body.name));
    }
    for (int n = 0; n < b.count; ++n) {
      unit_.linear[b.first + n] = 1;
      unit_.angular[b.first + n].setIdentity();
    }
  }
  instants_fresh_ = mass.elastic < 0;
  for (const Bent& at : bent_)
    take_to_unit(bending_[at.flexible], at.rows, raw_.data() + at.raw, J_.data() + at.j);
  return unit_;
}

// J V, in blocks of rows × width one after the other.
void ConstraintSystem::take_to_unit(const Bending& b, int rows, const double* raw, double* blocks) const {
  const int m = b.body.modes, size = rows * width_;
  for (int r = 0; r < rows; ++r) {
    const double* J = raw + r * (width_ + m);
    double* out = blocks + r * width_;
    double rest[6];
    for (int i = 0; i < width_; ++i) {
      rest[i] = J[i];
      for (int n = 0; n < m; ++n) rest[i] -= b.B(i, n) * J[width_ + n];
    }
    for (int i = 0; i < width_; ++i) {
      double sum = 0;
      for (int j = 0; j <= i; ++j) sum += b.root(i, j) * rest[j];
      out[i] = sum;
    }
    for (int n = 0; n < width_ * (b.count - 1); ++n)
      out[(1 + n / width_) * size + n % width_] = n < m ? b.elastic[n] * J[width_ + n] : 0.0;
  }
}

const BlockCsr& ConstraintSystem::rows_of_unit(const BlockCsr& H) {
  unit_rows_.clear();
  for (int b = 0; b < bodies_; ++b) unit_rows_.add_columns(width_);
  for (int i = 0; i < H.block_rows(); ++i) {
    const int rows = H.row_size(i);
    unit_rows_.add_row(rows);
    for (int k = H.row_ptr[i]; k < H.row_ptr[i + 1] && H.col[k] < outer_; ++k)
      unit_rows_.add_block(H.col[k]) = H.block(i, k);
    for (const Bending& b : bending_) {
      const int last = b.body.interface + static_cast<int>(b.body.interfaces.size());
      bent_rows_.assign(rows * (width_ + b.body.modes), 0.0);
      bool any = false;
      for (int k = H.row_ptr[i]; k < H.row_ptr[i + 1]; ++k) {
        if (H.col[k] < b.body.interface || H.col[k] >= last) continue;
        add_carried_rows(interfaces_[H.col[k] - outer_], *kinematics_, b.body.body, rows,
                         H.value.data() + H.value_start[k], bent_rows_.data());
        any = true;
      }
      if (!any) continue;
      const int first = unit_rows_.value_start.back();
      for (int n = 0; n < b.count; ++n) unit_rows_.add_block(b.first + n);
      take_to_unit(b, rows, bent_rows_.data(), unit_rows_.value.data() + first);
    }
  }
  return unit_rows_;
}

void ConstraintSystem::to_bodies(double* f) const {
  if (bending_.empty()) return;
  const int carried = ground_ - outer_;
  of_interfaces_.assign(f + width_ * outer_, f + width_ * ground_);
  for (const Bending& b : bending_) {
    double* const elastic = f + width_ * outer_ + b.body.first;
    std::fill(elastic, elastic + b.body.modes, 0.0);
  }
  for (const Bending& b : bending_)
    for (int n = 0; n < static_cast<int>(b.body.interfaces.size()); ++n) {
      const int at = b.body.interface - outer_ + n;
      if (at >= carried) continue;
      add_carried_force(interfaces_[at], *kinematics_, b.body.body, of_interfaces_.data() + width_ * at,
                        f + width_ * b.body.body, f + width_ * outer_ + b.body.first);
    }
}

void ConstraintSystem::frame_velocities(const double* u, double* out) const {
  std::copy_n(u, width_ * outer_, out);
  for (const Bending& b : bending_)
    for (int n = 0; n < static_cast<int>(b.body.interfaces.size()); ++n) {
      const int frame = b.body.interface + n;
      carried_velocity(interfaces_[frame - outer_], *kinematics_, b.body.body, u + width_ * b.body.body,
                       u + width_ * outer_ + b.body.first, out + width_ * frame);
    }
}

void ConstraintSystem::times_bent(const double* u, double* out) const {
  for (const Bent& at : bent_) {
    const FlexibleBody& body = bending_[at.flexible].body;
    const double *const rigid = u + width_ * body.body, *const elastic = u + width_ * outer_ + body.first;
    const double* J = raw_.data() + at.raw;
    for (int r = 0; r < at.rows; ++r) {
      double sum = 0;
      for (int i = 0; i < width_; ++i) sum += *J++ * rigid[i];
      for (int n = 0; n < body.modes; ++n) sum += *J++ * elastic[n];
      out[at.row + r] += sum;
    }
  }
}

void ConstraintSystem::solve_bent(const double* f, const double* b, double* x, double* lambda) {
  // Vᵀ f.
  if (f) {
    std::copy_n(f, width_ * outer_, f_unit_.begin());
    for (const Bending& at : bending_) {
      const double *const rigid = f + width_ * at.body.body, *const elastic =
                                                                 f + width_ * outer_ + at.body.first;
      double *const out = f_unit_.data() + width_ * at.first, *const own =
                                                                  f_unit_.data() + width_ * at.body.body;
      double rest[6];
      for (int i = 0; i < width_; ++i) {
        rest[i] = rigid[i];
        for (int n = 0; n < at.body.modes; ++n) rest[i] -= at.B(i, n) * elastic[n];
      }
      for (int i = 0; i < width_; ++i) {
        out[i] = 0;
        for (int j = 0; j <= i; ++j) out[i] += at.root(i, j) * rest[j];
      }
      for (int n = 0; n < at.body.modes; ++n) out[width_ + n] = at.elastic[n] * elastic[n];
      std::fill(own, own + width_, 0.0);
    }
  }
  const double* const forces = f ? f_unit_.data() : nullptr;
  solve_plain(forces, b, x_unit_.data(), lambda);

  // V x̂.
  std::copy_n(x_unit_.begin(), width_ * outer_, x);
  for (const Bending& at : bending_) {
    const double* const unit = x_unit_.data() + width_ * at.first;
    double *const rigid = x + width_ * at.body.body, *const elastic = x + width_ * outer_ + at.body.first;
    for (int i = 0; i < width_; ++i) {
      double sum = 0;
      for (int j = i; j < width_; ++j) sum += at.root(j, i) * unit[j];
      rigid[i] = sum;
    }
    for (int n = 0; n < at.body.modes; ++n) {
      double sum = at.elastic[n] * unit[width_ + n];
      for (int i = 0; i < width_; ++i) sum -= at.B(i, n) * rigid[i];
      elastic[n] = sum;
    }
  }
}

}  // namespace tappet
