// Every registered joint: its Jacobian and γ are the derivatives of its Φ.
//
// With u̇ = 0 the positions move as q ⊕ h u, so  J u = dΦ/dh  and  −γ = d(J u)/dh, by central differences at
// random poses. A joint added later is tested by being registered.
#include "tappet/multibody/joint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/random_poses.hpp"
#include "support/run_model.hpp"
#include "tappet/multibody/constraint_system.hpp"

namespace tappet::testing::joint_test {
namespace {

struct Case {
  std::string type;
  Dimension dimension;
  std::string bodies;  // "a, b"
  friend std::ostream& operator<<(std::ostream& out, const Case& c) {
    return out << c.type << (c.dimension == Dimension::planar ? " planar " : " spatial ") << c.bodies;
  }
};

// Two curves touch nowhere at most poses, and the directions across a curve in space turn with the place on it, which counts in proportion
// to Φ: what these rows are is told by motions on them (analytic/joint_curves_test).
bool only_where_it_holds(const JointType& type, Dimension d) {
  return type.name == "curve-on-curve" || (type.name == "point-on-curve" && d == Dimension::spatial);
}

std::vector<Case> cases(bool couplings) {
  std::vector<Case> out;
  for (const JointType& type : JointRegistry::instance().entries()) {
    if (type.couples != couplings) continue;
    for (Dimension d : {Dimension::planar, Dimension::spatial}) {
      if (!(d == Dimension::planar ? type.table.planar : type.table.spatial)) continue;
      if (only_where_it_holds(type, d)) continue;
      if (couplings)
        out.push_back({type.name, d, ""});
      else
        for (const char* bodies : {"a, b", "ground, b", "a, ground"}) out.push_back({type.name, d, bodies});
    }
  }
  return out;
}

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  std::string name = ::testing::PrintToString(info.param);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

// A model with the joint `test`; parameters are filled in by their names, so that new joints need nothing
// here.
std::shared_ptr<const Model> model_with(const Case& c) {
  const bool planar = c.dimension == Dimension::planar;
  const JointType& type = *JointRegistry::instance().find(c.type);
  std::string test = fmt::format("{{type: {}", c.type);
  for (const Parameter& p : type.table.parameters) {
    if (p.name == "bodies") {
      test += fmt::format(", bodies: [{}]", c.bodies);
    } else if (p.name == "points") {
      test +=
          planar ? ", points: [[0.3, -0.2], [0.1, 0.4]]" : ", points: [[0.3, -0.2, 0.5], [0.1, 0.4, -0.3]]";
    } else if (p.name == "axis") {
      if (c.type != "universal") test += planar ? ", axis: [0.6, 0.8]" : ", axis: [0.5, 0.7, -0.4]";
    } else if (p.name == "axes" && p.required) {
      test +=
          c.type == "parallel" ? ", axes: [[1, 0, 0], [0.8, 0.6, 0]]" : ", axes: [[1, 0, 0], [0, 0.6, 0.8]]";
    } else if (p.name == "point") {
      test += ", point: [0.3, -0.2]";
    } else if (p.name == "curve") {
      test += ", curve: [[0, 0], [1, 0.3], [2, -0.5], [3, 0.4]]";
    } else if (p.name == "joints") {
      test += c.type == "rack"      ? ", joints: [turn, slide]"
              : c.type == "coupler" ? ", joints: [feed, slide]"
                                    : ", joints: [turn, other]";
    } else if (p.name == "backlash" || (p.name == "radius" && c.type == "gear")) {
      continue;  // contacts in place of the constraint
    } else if (p.kind == Kind::number) {
      test += fmt::format(", {}: 0.7", p.name);
    }
  }
  test += "}";
  std::string text = fmt::format(R"(tappet: 1
dimension: {}
gravity: {}
bodies:
  a: {{mass: 1, inertia: {}, position: {}}}
  b: {{mass: 2, inertia: {}, position: {}}}
joints:
)",
                                 planar ? "planar" : "spatial", planar ? "[0, 0]" : "[0, 0, 0]",
                                 planar ? "1" : "[1, 2, 2.5]", planar ? "[0.1, 0.2]" : "[0.1, 0.2, 0.3]",
                                 planar ? "2" : "[2, 2, 3]", planar ? "[1, 0.5]" : "[1, 0.5, -0.4]");
  if (type.couples && planar)
    text += R"(  turn: {type: revolute, bodies: [ground, a], points: [[0, 0], [-0.1, -0.2]]}
  other: {type: revolute, bodies: [a, b], points: [[0.5, 0], [-0.4, 0.3]]}
  slide: {type: translational, bodies: [a, b], points: [[0, 0], [0, 0]], axis: [1, 2]}
  feed: {type: translational, bodies: [ground, a], points: [[0, 0], [0, 0]], axis: [3, 1]}
)";
  if (type.couples && !planar)
    text +=
        R"(  turn: {type: revolute, bodies: [ground, a], points: [[0, 0, 0], [-0.1, -0.2, 0]], axis: [1, 2, 3]}
  other: {type: revolute, bodies: [a, b], points: [[0.5, 0, 0], [-0.4, 0.3, 0]], axis: [0, 1, 1]}
  slide: {type: translational, bodies: [a, b], points: [[0, 0, 0], [0, 0, 0]], axis: [1, 2, 0]}
  feed: {type: translational, bodies: [ground, a], points: [[0, 0, 0], [0, 0, 0]], axis: [3, 0, 1]}
)";
  text += "  test: " + test + "\nsimulation: {duration: 1}\n";
  return model_of_text(text);
}

// The joint's rows alone, anywhere.
class Rows {
 public:
  explicit Rows(const Model& model)
      : m_(model.mechanism),
        c_(m_.joints.back().constraint.get()),
        system_(m_.dimension, m_.body_count(), {c_}) {
    resize(k_, m_.dimension, m_.body_count());
    z_.assign(m_.aux_size, 0.0);
    exact_rows_ = system_.rows();
    // A screw turns about an axis that both bodies have: the row of its thread is exact where the others hold (joint_types_test).
    if (c_->aux_count() == 2 && exact_rows_ == 5) exact_rows_ = 4;
  }
  void start_at(const std::vector<double>& q, const std::vector<double>& u) {
    update_kinematics(k_, 0, q.data(), u.data(), z_.data());
    if (c_->aux_offset >= 0) c_->start_aux(k_, z_.data() + c_->aux_offset);
  }
  const ConstraintSystem& at(const std::vector<double>& q, const std::vector<double>& u) {
    update_kinematics(k_, 0, q.data(), u.data(), z_.data());
    system_.evaluate(k_);
    return system_;
  }
  std::vector<double> phi(const std::vector<double>& q, const std::vector<double>& u) {
    return at(q, u).phi();
  }
  std::vector<double> rate(const std::vector<double>& q, const std::vector<double>& u) {
    std::vector<double> out(system_.rows());
    at(q, u).times(u.data(), out.data());
    return out;
  }

  /// J u and γ at (q, u) against differences along u.
  void expect_derivatives(const std::vector<double>& q, const std::vector<double>& u) {
    const double h = 1e-5;
    const std::vector<double> forward = moved(m_, q, u, h), back = moved(m_, q, u, -h);
    const std::vector<double> rate_here = rate(q, u), gamma = at(q, u).gamma();
    const std::vector<double> phi_1 = phi(forward, u), phi_0 = phi(back, u);
    const std::vector<double> rate_1 = rate(forward, u), rate_0 = rate(back, u);
    for (int r = 0; r < exact_rows_; ++r) {
      EXPECT_NEAR(rate_here[r], (phi_1[r] - phi_0[r]) / (2 * h), 1e-8) << "J, row " << r;
      EXPECT_NEAR(-gamma[r], (rate_1[r] - rate_0[r]) / (2 * h), 1e-8) << "gamma, row " << r;
    }
  }

 private:
  int exact_rows_ = 0;
  const Mechanism& m_;
  const Constraint* c_;
  ConstraintSystem system_;
  Kinematics k_;
  std::vector<double> z_;
};

class JointDerivatives : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, JointDerivatives, ::testing::ValuesIn(cases(false)), name_of);

TEST_P(JointDerivatives, JacobianAndGammaAreThoseOfPhi) {
  const auto model = model_with(GetParam());
  const Mechanism& m = model->mechanism;
  Rows rows(*model);
  RandomPoses random(7);
  for (int pose = 0; pose < 20; ++pose) {
    const std::vector<double> q = random.positions(m);
    rows.expect_derivatives(q, random.velocities(m));
    // Each column of J on its own.
    for (int i = 0; i < m.u_size(); ++i) {
      std::vector<double> u(m.u_size(), 0.0);
      u[i] = 1;
      rows.expect_derivatives(q, u);
    }
  }
}

// A coupling's angle is defined only where the joints that it couples hold, so the bodies move as those
// allow.
class CouplingDerivatives : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, CouplingDerivatives, ::testing::ValuesIn(cases(true)), name_of);

TEST_P(CouplingDerivatives, JacobianAndGammaAreThoseOfPhiOnTheJoints) {
  const auto model = model_with(GetParam());
  const Mechanism& m = model->mechanism;
  const bool rack = GetParam().type == "rack", coupler = GetParam().type == "coupler";
  const Joint &turn = m.joints[0], &other_turn = m.joints[1], &slide = m.joints[2], &feed = m.joints[3];
  const Coordinate& first = coupler ? *feed.displacement : *turn.angle;
  const Coordinate& second = rack || coupler ? *slide.displacement : *other_turn.angle;
  const Constraint* held[] = {(coupler ? feed : turn).constraint.get(),
                              (rack || coupler ? slide : other_turn).constraint.get()};
  Rows rows(*model);

  // Assemble, then give both coordinates a speed and let the coupled joints supply the accelerations.
  Kinematics k;
  resize(k, m.dimension, m.body_count());
  std::vector<double> q = model->q0, u(m.u_size()), z(m.aux_size, 0.0), none(m.u_size(), 0.0);
  ConstraintSystem joints(m.dimension, m.body_count(), {held[0], held[1]});
  std::vector<double> lambda(joints.rows()), b(joints.rows()), d(m.u_size()), a(m.u_size());
  auto correct = [&](std::vector<double>& at) {
    for (int n = 0; n < 8; ++n) {
      update_kinematics(k, 0, at.data(), u.data(), z.data());
      joints.evaluate(k);
      joints.factor(m.inverse_mass);
      for (int r = 0; r < joints.rows(); ++r) b[r] = -joints.phi()[r];
      joints.solve(nullptr, b.data(), d.data(), lambda.data());
      displace(m.dimension, m.body_count(), at.data(), d.data());
    }
  };
  correct(q);
  rows.start_at(q, none);
  RandomPoses random(11);
  for (int pose = 0; pose < 10; ++pose) {
    // Any velocity, made consistent with the joints.
    u = random.velocities(m);
    update_kinematics(k, 0, q.data(), u.data(), z.data());
    joints.evaluate(k);
    joints.factor(m.inverse_mass);
    joints.times(u.data(), b.data());
    for (double& x : b) x = -x;
    joints.solve(nullptr, b.data(), d.data(), lambda.data());
    for (int i = 0; i < m.u_size(); ++i) u[i] += d[i];
    update_kinematics(k, 0, q.data(), u.data(), z.data());
    joints.evaluate(k);
    joints.solve(none.data(), joints.gamma().data(), a.data(), lambda.data());

    // The coupled row against the coordinates: Φ̇ and Φ̈ = J u̇ − γ.
    const CoordinateValue c0 = first.evaluate(k), c1 = second.evaluate(k);
    const double sign = rack ? -0.7 : 1, other = rack ? 1 : -0.7;
    EXPECT_NEAR(rows.rate(q, u)[0], sign * c0.rate + other * c1.rate, 1e-12);

    // Second-order motion on the joints, and central differences along it.
    const double h = 1e-4;
    auto at = [&](double s) {
      std::vector<double> v(u);
      for (int i = 0; i < m.u_size(); ++i) v[i] += 0.5 * s * a[i];
      std::vector<double> out = moved(m, q, v, s);
      correct(out);
      return out;
    };
    const double forward = rows.phi(at(h), none)[0], here = rows.phi(q, none)[0],
                 back = rows.phi(at(-h), none)[0];
    EXPECT_NEAR(rows.rate(q, u)[0], (forward - back) / (2 * h), 1e-6);
    double acceleration = -rows.at(q, u).gamma()[0];
    std::vector<double> Ja(1);
    rows.at(q, u).times(a.data(), Ja.data());
    acceleration += Ja[0];
    EXPECT_NEAR(acceleration, (forward - 2 * here + back) / (h * h), 1e-5);
    q = at(0.02);
  }
}

}  // namespace
}  // namespace tappet::testing::joint_test
