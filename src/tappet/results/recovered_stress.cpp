#include "tappet/results/recovered_stress.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/fem/flexible_fields.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {
namespace {

std::size_t column_of(const ResultFile& result, const std::string& name) {
  const auto& all = result.columns();
  for (std::size_t c = 0; c < all.size(); ++c)
    if (all[c].name == name) return c;
  refuse(result.path(),
         fmt::format("'{}' was not recorded, and stress needs it: let `output.signals` name it, "
                     "or leave that key out",
                     name));
}

}  // namespace

StressRecovery::StressRecovery(const ResultFile& result, const std::string& body) : result_(result) {
  Diagnostics diagnostics;
  model_ = compile(spec_from_text(result.header().model_text, result.header().model_file), diagnostics);
  diagnostics.throw_if_errors();
  const bool planar = model_->mechanism.dimension == Dimension::planar;
  std::vector<std::string> names;
  for (const FlexibleBody& one : model_->mechanism.flexible.bodies) {
    if (!one.mesh) continue;
    names.push_back(one.name);
    if (!body.empty() && one.name != body) continue;
    Columns columns{&one, {}, {}};
    for (const char* part : {"x", "y", "z", "angle", "qw", "qx", "qy", "qz"})
      if (const std::string name = part; planar == (name == "angle") || (name == "x" || name == "y"))
        columns.pose.push_back(column_of(result, one.name + "." + name));
    for (Eigen::Index k = 0; k < one.given.rows(); ++k)
      columns.coordinates.push_back(column_of(result, fmt::format("{}.q{}", one.name, k + 1)));
    bodies_.push_back(std::move(columns));
  }
  if (names.empty()) refuse(result.path(), "has no flexible body with a mesh, whose stress could be told");
  if (bodies_.empty())
    refuse(result.path(),
           fmt::format("there is no flexible body '{}' with a mesh; there are: {}", body, join_names(names)));
  width_ = result.columns().size();
  std::vector<std::size_t> all(width_);
  std::iota(all.begin(), all.end(), std::size_t{0});
  rows_ = result.read_all(0, result.rows(), all);
  if (rows_.empty()) refuse(result.path(), "holds no samples");
}

RecoveredStress StressRecovery::recover(const Columns& columns, const double* row) const {
  const FlexibleBody& body = *columns.body;
  const Mechanism& m = model_->mechanism;
  std::vector<double> q = model_->q0, u(static_cast<std::size_t>(m.u_size()), 0.0);
  const std::size_t size = static_cast<std::size_t>(position_size(m.dimension));
  for (std::size_t i = 0; i < size; ++i)
    q[size * static_cast<std::size_t>(body.body) + i] = row[columns.pose[i]];
  Eigen::VectorXd given(body.given.rows());
  for (Eigen::Index k = 0; k < given.size(); ++k)
    given[k] = row[columns.coordinates[static_cast<std::size_t>(k)]];
  const Eigen::VectorXd normal = body.given.fullPivLu().solve(given);
  std::copy(normal.begin(), normal.end(), q.begin() + m.q_size() - m.flexible.modes + body.first);
  Kinematics k;
  resize(k, m);
  update_kinematics(k, row[0], q.data(), u.data(), nullptr);

  RecoveredStress out;
  out.body = body.name;
  out.time = row[0];
  out.mesh = fem::field_mesh(body);
  fem::flexible_fields(body, k, out.fields);
  out.fields.velocity.clear(), out.fields.contact_force.clear();  // not known here
  for (std::size_t e = 0; e < out.mesh.element_count(); ++e) {
    const double* of = out.fields.stress.data() + fem::stress_numbers * e;
    const auto principal = fem::principal_stresses(of + 1);
    out.high = e == 0 ? principal[0] : std::max(out.high, principal[0]);
    out.low = e == 0 ? principal[2] : std::min(out.low, principal[2]);
    if (e > 0 && of[0] <= out.von_mises) continue;
    out.von_mises = of[0], out.element = static_cast<int>(e);
  }
  // What is uniaxial has no second principal stress but rounding.
  for (double* one : {&out.high, &out.low})
    if (std::abs(*one) < 1e-12 * out.von_mises) *one = 0;
  const auto& cells = out.mesh.cells;
  const int first = out.element > 0 ? out.mesh.ends[static_cast<std::size_t>(out.element) - 1] : 0,
            end = out.mesh.ends[static_cast<std::size_t>(out.element)];
  for (int c = first; c < end; ++c)
    out.place += Eigen::Map<const Vec3>(out.mesh.nodes.data() + 3 * cells[static_cast<std::size_t>(c)]) /
                 (end - first);
  return out;
}

std::vector<RecoveredStress> StressRecovery::at(double t) const {
  const double *const end = rows_.data() + rows_.size(), *nearest = end - width_;
  for (const double* row = rows_.data(); row < end && std::isfinite(t); row += width_)
    if (std::abs(row[0] - t) < std::abs(nearest[0] - t)) nearest = row;
  std::vector<RecoveredStress> out;
  for (const Columns& body : bodies_) out.push_back(recover(body, nearest));
  return out;
}

std::vector<RecoveredStress> StressRecovery::at_impact(std::size_t impact) const {
  const std::vector<Impact> all = result_.impacts();
  if (impact < 1 || impact > all.size())
    refuse(result_.path(), fmt::format("has no impact {}; its impact table has {} rows", impact, all.size()));
  const Impact& one = all[impact - 1];
  const double until = std::isfinite(one.end) ? one.end : rows_[rows_.size() - width_];
  std::vector<RecoveredStress> out;
  for (const Columns& body : bodies_) {
    std::optional<RecoveredStress> most;
    for (const double *row = rows_.data(), *const end = row + rows_.size(); row < end; row += width_) {
      if (row[0] < one.start) continue;
      if (row[0] > until && most) break;  // the next row after an impact that has none of its own
      RecoveredStress now = recover(body, row);
      if (!most || now.von_mises > most->von_mises) most = std::move(now);
    }
    if (most) out.push_back(std::move(*most));
  }
  if (out.empty()) refuse(result_.path(), fmt::format("has no row at or after impact {}", impact));
  return out;
}

}  // namespace tappet
