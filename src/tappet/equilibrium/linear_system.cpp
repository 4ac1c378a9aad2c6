#include "tappet/equilibrium/linear_system.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/equilibrium/dense_matrices.hpp"
#include "tappet/equilibrium/extrapolated_difference.hpp"
#include "tappet/equilibrium/independent.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// First steps of differences: of the mechanism's length, of a radian, of the speeds there are; of the penetration of a contact.
constexpr double first_step = 0.02, of_penetration = 0.25;

[[noreturn]] void refuse(const SourcePos& pos, std::string why) {
  throw InputError({{Severity::error, pos, std::move(why)}});
}

/// An auxiliary variable that is a state of the motion.
struct DynamicAuxiliary {
  int place = 0;  // in z
  std::string name;
  double step = 0;  // first one of differences
};

/// Bristles of contacts that touch, and states of the model's own.
std::vector<DynamicAuxiliary> dynamic_auxiliaries(const Mechanism& m,
                                                  const std::vector<ContactState>& contacts) {
  constexpr double of_length = 1e-3;
  std::vector<DynamicAuxiliary> out;
  for (const auto& contact : m.contacts) {
    const int count = contact->aux_count() - ContactPoint::aux_fixed;
    for (int i = 0; i < count && contacts[contact->index].touching; ++i)
      if (i == 0 || !contact->planar)
        out.push_back({contact->aux_offset + ContactPoint::aux_fixed + i,
                       fmt::format("{}.deflection{}", contact->name,
                                   contact->planar ? ""
                                   : i             ? "_2"
                                                   : "_1"),
                       of_length * m.length});
  }
  for (const StateVariable& state : m.states)
    out.push_back({state.offset, state.name, of_length * state.scale});
  return out;
}

/// Directions that closed rigid contacts hold, as rows of a Jacobian: the normal, and of those that stick the tangents.
MatrixXd rows_of_rigid_contacts(const Mechanism& m, SmoothSystem& system) {
  std::vector<VectorXd> rows;
  std::vector<double> f(m.frame_force_size());
  DynamicsWorkspace& w = system.workspace();
  const auto along = [&](const ContactPoint& contact, const Touch& touch, const Vec3& direction) {
    std::fill(f.begin(), f.end(), 0.0);
    ForceSum sum{f.data(), m.ground(), {}};
    add_opposed(contact.bodies, w.k, touch.at, direction, sum);
    w.constraints.to_bodies(f.data());
    rows.push_back(Eigen::Map<const VectorXd>(f.data(), m.u_size()));
  };
  for (const auto& contact : m.contacts) {
    const ContactState& state = system.contact_states()[contact->index];
    constexpr int idle = 1;
    if (!contact->rigid || !state.touching || state.branch == idle || contact->bearing) continue;
    const Touch touch = contact->touch(w.k);
    if (contact->by_rows) {
      CoordinateRow row;
      contact->row(w.k, 0, row);
      std::fill(f.begin(), f.end(), 0.0);
      ForceSum sum{f.data(), m.ground(), {}};
      add_along(row, contact->planar, 1, sum);
      w.constraints.to_bodies(f.data());
      rows.push_back(Eigen::Map<const VectorXd>(f.data(), m.u_size()));
      continue;
    }
    along(*contact, touch, touch.normal);
    if (!state.stick.sticking) continue;
    const Tangents tangents = contact->tangents(w.k, touch);
    along(*contact, touch, tangents.t1);
    if (!contact->planar) along(*contact, touch, tangents.t2);
  }
  MatrixXd out(rows.size(), m.u_size());
  for (std::size_t r = 0; r < rows.size(); ++r) out.row(r) = rows[r].transpose();
  return out;
}

/// The motion at displaced states.
class Displaced {
 public:
  Displaced(const Model& model, const State& state, const LinearOptions& options)
      : model_(model),
        m_(model.mechanism),
        options_(options),
        system_(model),
        t_(state.t),
        y0_(state.y),
        reach_(reach_of_coordinates(m_)) {
    system_.set_inputs(state.inputs);
    system_.contact_states() = state.contacts;
    inputs_ = state.inputs;
    const Kinematics& k = system_.frames(t_, y0_.data());
    for (PassingContacts* passing : system_.passing()) {
      passing->restore(state.passing_contacts, 0);
      passing->look_around(k, m_.length);
    }
    const DynamicsWorkspace& w = system_.evaluate(t_, y0_.data());
    a0_ = Eigen::Map<const VectorXd>(w.a.data(), m_.u_size());
    mass = dense_mass(m_, w.k);
    MatrixXd J = dense_jacobian(m_, w.constraints);
    const MatrixXd rigid = rows_of_rigid_contacts(m_, system_);
    J.conservativeResize(J.rows() + rigid.rows(), m_.u_size());
    J.bottomRows(rigid.rows()) = rigid;
    coordinates = independent_velocities(J, mass);
    auxiliaries = dynamic_auxiliaries(m_, system_.contact_states());
    for (int i = 0; i < m_.u_size(); ++i) u0_.push_back(y0_[m_.q_size() + i]);
  }

  /// Changes of what moves, one after the other: displacements, velocities, auxiliaries, inputs.
  VectorXd zero() const {
    return VectorXd::Zero(2 * coordinates.count() +
                          static_cast<int>(auxiliaries.size() + options_.inputs.size()));
  }
  /// u, u̇, rates of auxiliaries, outputs, prescribed speeds.
  VectorXd operator()(const VectorXd& change) {
    const int n = coordinates.count(), nq = m_.q_size(), nu = m_.u_size(),
              nz = static_cast<int>(auxiliaries.size());
    y_ = y0_;
    double *q = y_.data(), *u = q + nq, *z = u + nu;
    std::vector<double> inputs = inputs_;
    for (std::size_t i = 0; i < options_.inputs.size(); ++i)
      inputs[options_.inputs[i]] += change[2 * n + nz + static_cast<int>(i)];
    system_.set_inputs(inputs);
    const VectorXd d = coordinates.N * change.head(n), v = coordinates.N * change.segment(n, n);
    displace(m_, q, d.data());
    for (int i = 0; i < nu; ++i) u[i] += v[i];
    for (int i = 0; i < nz; ++i) z[auxiliaries[i].place] += change[2 * n + i];

    DynamicsWorkspace& w = system_.workspace();
    constexpr double rounding = 1e-16;
    if (w.constraints.rows() > 0) {
      project_positions(m_, t_, q, u, z, rounding * m_.length, w);
      project_velocities(m_, u, rounding * model_.usual_speed(), false, w);
    }
    if (RigidContacts* rigid = system_.rigid_contacts(); rigid && rigid->any_closed()) {
      update_kinematics(w.k, t_, q, u, z);
      w.constraints.evaluate(w.k);
      rigid->project(t_, q, u, z);
    }
    system_.evaluate(t_, y_.data());
    const int rows = w.constraints.rows(), outputs = static_cast<int>(options_.outputs.size());
    VectorXd out(2 * nu + nz + outputs + rows);
    out.head(nu) = Eigen::Map<const VectorXd>(u, nu);
    out.segment(nu, nu) = Eigen::Map<const VectorXd>(w.a.data(), nu);
    rates_.assign(m_.aux_size, 0.0);
    if (nz > 0) auxiliary_rates(m_, w, q, rates_.data());
    for (int i = 0; i < nz; ++i) out[2 * nu + i] = rates_[auxiliaries[i].place];
    if (outputs > 0) {
      SignalContext context{.model = model_,
                            .k = w.k,
                            .q = q,
                            .z = z,
                            .w = &w,
                            .kinetic = kinetic_energy(m_, w.k),
                            .potential = stored_energy(m_, w)};
      evaluate_signals(options_.outputs, context, out.data() + 2 * nu + nz);
    }
    for (int r = 0; r < rows; ++r) out[2 * nu + nz + outputs + r] = w.constraints.phi_t()[r];
    system_.set_inputs(inputs_);
    return out;
  }

  /// How far a contact lets bodies move along d until it opens, or closes, as a part of d.
  double room(const VectorXd& d) {
    double out = HUGE_VAL;
    // Gaps' rates at these velocities are linear in them.
    Kinematics k = system_.frames(t_, y0_.data());
    std::vector<double> still(m_.u_size(), 0.0);
    const auto rates = [&](const double* u) {
      std::vector<double> out_rates;
      update_kinematics(k, t_, y0_.data(), u, y0_.data() + m_.q_size() + m_.u_size());
      for (const auto& contact : m_.contacts)
        out_rates.push_back(contact->bearing ? 0 : contact->touch(k).rate);
      return out_rates;
    };
    const std::vector<double> moving = rates(d.data()), rest = rates(still.data());
    for (const auto& contact : m_.contacts) {
      if (contact->bearing || contact->rigid) continue;
      const double rate = std::abs(moving[contact->index] - rest[contact->index]);
      const double gap = std::abs(contact->touch(k).gap);
      if (rate > 0 && gap > 0) out = std::min(out, of_penetration * gap / rate);
    }
    return out;
  }

  /// Size of a displacement or velocity: metres of the largest length, radians by the mechanism's length.
  double size(const VectorXd& d) const { return reach_.cwiseProduct(d.cwiseAbs()).maxCoeff(); }

  const VectorXd& accelerations() const { return a0_; }
  double fastest() const {
    return std::max(size(Eigen::Map<const VectorXd>(u0_.data(), m_.u_size())), model_.usual_speed());
  }
  bool moves() const {
    return std::any_of(u0_.begin(), u0_.end(), [](double x) { return x != 0; });
  }
  SmoothSystem& system() { return system_; }
  const std::vector<double>& y() const { return y0_; }

  Independent coordinates;
  MatrixXd mass;
  std::vector<DynamicAuxiliary> auxiliaries;

 private:
  const Model& model_;
  const Mechanism& m_;
  const LinearOptions& options_;
  SmoothSystem system_;
  double t_;
  std::vector<double> y0_, y_, inputs_, rates_, u0_;
  VectorXd a0_, reach_;
};

/// What turning axes add: W of displacements and of velocities, both in each body's own coordinates of u.
struct Turning {
  MatrixXd displacements, velocities;
};

Mat3 cross_matrix(const Vec3& a) {
  Mat3 out;
  out << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return out;
}

// With S from a body's own axes to f: Sᵀ W S. World axes serve for translation, the body's for turning, so that Ω is written in these.
Turning turning_axes(const Mechanism& m, const Kinematics& k, int axes) {
  Turning out{MatrixXd::Zero(m.u_size(), m.u_size()), MatrixXd::Zero(m.u_size(), m.u_size())};
  if (m.dimension == Dimension::planar) {
    const double omega = axes < 0 ? 0 : k.planar[axes].w;
    for (int b = 0; b < m.body_count(); ++b)
      for (MatrixXd* W : {&out.displacements, &out.velocities})
        (*W)(3 * b, 3 * b + 1) = omega, (*W)(3 * b + 1, 3 * b) = -omega;
    return out;
  }
  const Vec3 omega = axes < 0 ? Vec3(Vec3::Zero()) : k.spatial[axes].w;
  for (int b = 0; b < m.body_count(); ++b) {
    const SpatialFrame& f = k.spatial[b];
    const Vec3 own = f.R.transpose() * omega;
    for (MatrixXd* W : {&out.displacements, &out.velocities}) {
      W->block<3, 3>(6 * b, 6 * b) = -cross_matrix(omega);
      W->block<3, 3>(6 * b + 3, 6 * b + 3) = -cross_matrix(own);
    }
    out.velocities.block<3, 3>(6 * b + 3, 6 * b + 3) += cross_matrix(f.w_body);
  }
  return out;
}

}  // namespace

LinearSystem linearise(const Model& model, const State& state, const LinearOptions& options) {
  const Mechanism& m = model.mechanism;
  if (!model.structures.empty())
    refuse(model.pos,
           "mechanisms with structures are not linearised; `tappet solve --modes N` has the modes "
           "of structures and of bodies that are attached to them");
  Displaced displaced(model, state, options);
  const int n = displaced.coordinates.count(), nz = static_cast<int>(displaced.auxiliaries.size()),
            nu = m.u_size(), ns = static_cast<int>(options.outputs.size()),
            nv = static_cast<int>(options.inputs.size());
  const MatrixXd &N = displaced.coordinates.N, &D = displaced.coordinates.D;

  LinearSystem out;
  out.coordinates = n, out.auxiliaries = nz;
  for (const DynamicAuxiliary& each : displaced.auxiliaries) out.auxiliary_names.push_back(each.name);
  out.shapes = N, out.mass = displaced.mass;
  out.time = state.t, out.moves = displaced.moves();

  // Derivatives by each direction.
  const int directions = 2 * n + nz + nv;
  MatrixXd du(nu, directions), da(nu, directions), dz(nz, directions), ds(ns, directions);
  MatrixXd error(nu, directions);
  for (int i = 0; i < directions; ++i) {
    double step = first_step;
    if (i < n)
      step = std::min(first_step * m.length / displaced.size(N.col(i)), displaced.room(N.col(i)));
    else if (i < 2 * n)
      step = first_step * displaced.fastest() / displaced.size(N.col(i - n));
    else if (i < 2 * n + nz)
      step = displaced.auxiliaries[i - 2 * n].step;
    else
      step = first_step * std::max(1.0, std::abs(state.inputs[options.inputs[i - 2 * n - nz]]));
    VectorXd change = displaced.zero();
    // What laws and bodies bear is known to them: a first step that goes beyond is taken shorter.
    ExtrapolatedDifference by;
    for (int attempt = 0;; ++attempt, step /= 8) try {
        by = extrapolated_difference(
            [&](double x) {
              change[i] = x;
              return displaced(change);
            },
            step);
        break;
      } catch (const SimulationError&) {
        if (attempt == 8) throw;
      }
    du.col(i) = by.value.head(nu), da.col(i) = by.value.segment(nu, nu);
    error.col(i) = by.error.segment(nu, nu);
    dz.col(i) = by.value.segment(2 * nu, nz), ds.col(i) = by.value.segment(2 * nu + nz, ns);
    const auto prescribed = by.value.tail(by.value.size() - 2 * nu - nz - ns);
    if (i >= 2 * n + nz && prescribed.size() > 0 && prescribed.cwiseAbs().maxCoeff() > 0)
      refuse(model.pos,
             fmt::format("the input '{}' prescribes a speed: what depends on it follows at once, and is no "
                         "state that it drives; use inputs of forces",
                         model.inputs[options.inputs[i - 2 * n - nz]].name));
  }

  displaced.system().evaluate(state.t, displaced.y().data());
  const Turning turning = turning_axes(m, displaced.system().workspace().k, options.axes);
  const MatrixXd W = D * turning.displacements * N, V = D * turning.velocities;
  const int size = 2 * n + nz;
  out.A.setZero(size, size);
  // ẏ = w + W y: what du has of y is taken out by D.
  out.A.topLeftCorner(n, n) = W;
  out.A.block(0, n, n, n).setIdentity();
  out.A.middleRows(n, n) = D * da.leftCols(size) + V * du.leftCols(size);
  out.A.bottomRows(nz) = dz.leftCols(size);
  out.B.setZero(size, nv);
  out.B.middleRows(n, n) = D * da.rightCols(nv);
  out.B.bottomRows(nz) = dz.rightCols(nv);
  out.C = ds.leftCols(size);
  out.D = ds.rightCols(nv);

  // Errors of u̇ by displacements and by velocities, each against the largest of its kind.
  const MatrixXd bound = D.cwiseAbs() * error;
  const auto judge = [&](int first, int count) {
    if (count == 0) return;
    const double largest = out.A.block(n, first, n, count).cwiseAbs().maxCoeff();
    const double worst = bound.middleCols(first, count).maxCoeff();
    if (largest > 0) out.derivative_error = std::max(out.derivative_error, worst / largest);
  };
  if (n > 0) judge(0, n), judge(n, n);
  out.accelerations = displaced.accelerations();
  return out;
}

}  // namespace tappet
