#include "tappet/structures/turning_step.hpp"

#include <algorithm>

#include <Eigen/Core>

namespace tappet {

using fem::TurnedShape;

TurningStep::TurningStep(const fem::Structure& s, const SymmetricCsr& M)
    : s_(s), M_(M), elements_(s), turning_of_(s.mesh.nodes.size(), -1) {
  for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n) {
    if (s.node_unknowns[n] != 6) continue;
    Turning t{.node = n, .at = {}, .J = Mat3::Zero()};
    for (int d = 0; d < 3; ++d) t.at[d] = s.free_unknown(n, 3 + d);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (t.at[i] >= 0 && t.at[j] >= 0) t.J(i, j) = M.value[M.find(t.at[i], t.at[j])];
    turning_of_[n] = static_cast<int>(turning_.size());
    turning_.push_back(t);
  }
  work_.assign(s.free, 0.0);
}

Vec3 TurningStep::pick(const Turning& t, const double* x) {
  Vec3 out;
  for (int d = 0; d < 3; ++d) out[d] = t.at[d] < 0 ? 0 : x[t.at[d]];
  return out;
}

void TurningStep::put(const Turning& t, const Vec3& v, double* x) {
  for (int d = 0; d < 3; ++d)
    if (t.at[d] >= 0) x[t.at[d]] = v[d];
}

void TurningStep::begin(const double* q, const double* u, double h, double theta) {
  h_ = h, theta_ = theta;
  from_ = elements_.shape(fem::spread(s_, q));
  u_.assign(u, u + s_.free);
}

TurnedShape TurningStep::moved(const double* v, double time) const {
  TurnedShape out;
  out.x = from_.x, out.R = from_.R;
  for (int n = 0; n < static_cast<int>(out.x.size()); ++n)
    for (int d = 0; d < 3; ++d)
      if (const int k = s_.free_unknown(n, d); k >= 0) out.x[n][d] += time * v[k];
  for (const Turning& t : turning_) out.R[t.node] = from_.R[t.node] * fem::cayley(time * pick(t, v));
  elements_.deform(out);
  return out;
}

void TurningStep::add_tangent(const double* v, bool with_load, SymmetricCsr& out) const {
  // The middle of a straight way is no shape of the structure: its nodes are too near to each other. What is stretched is known as the step
  // begins.
  TurnedShape at = moved(v, 0.5 * h_);
  at.d = from_.d;
  const double by_place = theta_ * theta_ * h_ * h_, by_rate = theta_ * h_;
  // Which node's rotation an unknown is the first of; −1: none.
  std::vector<int> rotation(s_.unknowns, -1);
  for (const Turning& t : turning_) rotation[s_.first_unknown[t.node] + 3] = t.node;
  elements_.each_tangent(at, by_place, by_rate, with_load,
                         [&](const std::vector<int>& places, Eigen::MatrixXd& T) {
                           const int size = static_cast<int>(places.size());
                           for (int i = 0; i < size; ++i)
                             if (const int n = rotation[places[i]]; n >= 0) {
                               T.middleRows(i, 3) = (from_.R[n].transpose() * T.middleRows(i, 3)).eval();
                               T.middleCols(i, 3) = (T.middleCols(i, 3) * from_.R[n]).eval();
                             }
                           for (int i = 0; i < size; ++i) {
                             const int fi = s_.free_of[places[i]];
                             if (fi < 0) continue;
                             for (int j = 0; j <= i; ++j) {
                               const int fj = s_.free_of[places[j]];
                               if (fj < 0) continue;
                               const double twice = fi == fj && i != j ? 2 : 1;
                               out.value[out.find(fi, fj)] += twice * 0.5 * (T(i, j) + T(j, i));
                             }
                           }
                         });
  const double by_mass = by_rate * s_.mass_damping;
  if (by_mass != 0)
    for (std::size_t k = 0; k < out.value.size(); ++k) out.value[k] += by_mass * M_.value[k];
}

void TurningStep::forces(const double* v, const double* change, double* out) {
  const TurnedShape to = moved(v, h_);
  const std::vector<double> all = elements_.forces(from_, to, theta_, h_, &loss_);
  for (int i = 0; i < s_.unknowns; ++i)
    if (s_.free_of[i] >= 0) out[s_.free_of[i]] = all[i];
  to_nodes(out);
  if (s_.mass_damping != 0) {
    std::fill(work_.begin(), work_.end(), 0.0);
    multiply_add(M_, s_.mass_damping, v, work_.data());
    for (int i = 0; i < s_.free; ++i) out[i] += work_[i], loss_ += h_ * work_[i] * v[i];
  }
  for (const Turning& t : turning_) {
    const Vec3 before = pick(t, u_.data()), more = pick(t, change), theta = h_ * pick(t, v);
    const Vec3 inertia = (fem::cayley(theta) * (t.J * (before + more)) - t.J * before - t.J * more) / h_;
    for (int d = 0; d < 3; ++d)
      if (t.at[d] >= 0) out[t.at[d]] += inertia[d];
  }
}

void TurningStep::to_nodes(double* f) const {
  for (const Turning& t : turning_) put(t, from_.R[t.node].transpose() * pick(t, f), f);
}

void TurningStep::turn(const double* v, double* q) const {
  for (const Turning& t : turning_)
    put(t, fem::vector_of_rotation(from_.R[t.node] * fem::cayley(h_ * pick(t, v))), q);
}

double TurningStep::energy(const double* q) const {
  return elements_.energy(elements_.shape(fem::spread(s_, q)));
}

void TurningStep::between(const double* q0, const double* q1, double part, double* q) const {
  for (const Turning& t : turning_) {
    const Mat3 from = fem::rotation_of_vector(pick(t, q0)), to = fem::rotation_of_vector(pick(t, q1));
    const Vec3 way = fem::vector_of_rotation(from.transpose() * to);
    put(t, fem::vector_of_rotation(from * fem::rotation_of_vector(part * way)), q);
  }
}

}  // namespace tappet
