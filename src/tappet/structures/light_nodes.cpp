// Nodes without mass in a step of structures (newmark_moreau.hpp): their equilibrium, what their contacts do to the other side, energy.
#include <algorithm>
#include <cmath>
#include <utility>

#include "tappet/structures/newmark_moreau.hpp"

namespace tappet {

bool NewmarkMoreau::is_light(const NodeTouch& touch) const {
  for (int k = 0; k < touch.count; ++k)
    for (int d = 0; d < 3; ++d) {
      const int unknown = system_.unknown(touch.structures[k], touch.nodes[k], d);
      if (unknown >= 0 && system_.is_light(unknown)) return true;
    }
  return false;
}

// The right-hand side of c rows: −θh [K (q_A + h v)]_c, of which forces_ holds K (q_A + θh v). They carry no loads.
void NewmarkMoreau::balance_light(double h, const double* v) {
  const double theta = options_.theta;
  for (const auto& [unknown, stiffness] : system_.light()) {
    double moved = 0;
    for (const auto& [column, value] : stiffness) moved += value * v[column];
    change_[unknown] = -theta * h * (forces_[unknown] + (1 - theta) * h * moved);
  }
  for (int i = 0; i < system_.size(); ++i) change_[i] += (1 - theta) * h * light_loads_.nodes[i];
}

// Impulses (1−θ) h λ_A on rigid bodies, in world axes.
void NewmarkMoreau::push_by_light_loads(double h, RigidPart* rigid) {
  body_push_ = light_loads_.bodies;
  for (double& each : body_push_) each *= (1 - options_.theta) * h;
  if (!rigid) body_push_.clear();
}

// After the step: forces λ_E, and where the energy of c's contacts went.
void NewmarkMoreau::settle_light(double h, double* u, const RigidPart* rigid, double* z) {
  const double theta = options_.theta;
  std::vector<double> last = std::move(light_loads_.points);
  light_loads_.points.assign(last.size(), 0.0);
  std::fill(light_loads_.nodes.begin(), light_loads_.nodes.end(), 0.0);
  std::fill(light_loads_.bodies.begin(), light_loads_.bodies.end(), 0.0);
  kick_.assign(system_.size(), 0.0);
  double missing = 0;     // energy that contacts which opened or closed took
  std::size_t shown = 0;  // among impulses_
  for (int i = 0; i < static_cast<int>(touches_.size()); ++i) {
    const NodeTouch& touch = touches_[i];
    while (shown < impulses_.size() && impulses_[shown].touch < i) ++shown;
    if (!places_[i].light) continue;
    const int at = 3 * contacts_.point(touch.contact, touch.number);
    const Mat3 axes = touch.axes();
    const Vec3 before = axes.transpose() * Eigen::Map<const Vec3>(last.data() + at),
               now = P_.segment<3>(3 * i) / (theta * h), push = h * ((1 - theta) * before + theta * now);
    Eigen::Map<Vec3>(light_loads_.points.data() + at) = axes * now;

    // The mean relative velocity; what the ground's motion puts in.
    Vec3 mean;
    for (int k = 0; k < 3; ++k) mean[k] = compliance_.dot(rows_[3 * i + k], free_.data());
    const double lift = (1 - theta) * touch.lift_before + theta * touch.lift_after;
    mean[0] -= lift;
    z[ledger_input] += push[0] * lift;
    if (touch.body >= 0) {
      const auto rows = body_rows_.middleCols(3 * i, 3);
      const Eigen::Map<const Eigen::VectorXd> end(rigid->u, body_rows_.rows());
      mean += rows.transpose() * ((1 - theta) * body_start_ + theta * end);
      const SpatialFrame& f = rigid->workspace.k.spatial[touch.body];
      const Vec3 force = touch.body_side * (axes * now);
      Eigen::Map<Vec3>(light_loads_.bodies.data() + 6 * touch.body) += force;
      Eigen::Map<Vec3>(light_loads_.bodies.data() + 6 * touch.body + 3) += (touch.at - f.r).cross(force);
    }
    for (int k = 0; k < 3; ++k) compliance_.push(rows_[3 * i + k], now[k], light_loads_.nodes.data());

    // Friction, and the normal where the contact opened or closed.
    ImpactLoss loss = impact_loss(3, push.data(), mean.data());
    if ((before[0] > 0) != (now[0] > 0)) {
      compliance_.push(rows_[3 * i], std::abs(loss.normal), kick_.data());
      missing += loss.normal;
      loss.normal = 0;
    }
    z[ledger_normal] += loss.normal, z[ledger_friction] += loss.friction;
    if (shown < impulses_.size() && impulses_[shown].touch == i)
      impulses_[shown].normal_loss = loss.normal, impulses_[shown].friction_loss = loss.friction;
  }
  for (const auto& each : system_.light()) light_loads_.nodes[each.unknown] = 0;
  if (missing != 0) z[ledger_normal] += together_ ? missing : missing - kick(missing, u);
}

// Puts so much energy into the velocities, along what impulses kick_ do to unknowns with mass; returns how much it was.
double NewmarkMoreau::kick(double missing, double* u) {
  const int n = system_.size();
  system_.begin(kick_.data());
  system_.peek(kick_.data());
  system_.finish(kick_.data());
  for (const auto& each : system_.light()) kick_[each.unknown] = 0;
  for (const auto& each : system_.driven()) kick_[each.unknown] = 0;
  std::fill(work_.begin(), work_.end(), 0.0);
  system_.add_mass(1, kick_.data(), work_.data());
  double a = 0, b = 0;
  for (int i = 0; i < n; ++i) a += 0.5 * kick_[i] * work_[i], b += u[i] * work_[i];
  if (!(a > 0)) return 0;
  // ½ α² kᵀMk + α uᵀMk = missing: the small root; if too much is asked to be taken, all that this direction holds.
  const double root = b * b + 4 * a * missing;
  const double alpha = root >= 0 ? 2 * missing / (b + std::copysign(std::sqrt(root), b)) : -b / (2 * a);
  for (int i = 0; i < n; ++i) u[i] += alpha * kick_[i];
  return a * alpha * alpha + b * alpha;
}

}  // namespace tappet
