// The slider-crank with a dry clearance joint, twenty revolutions: Tappet against a program written by hand
// for this one mechanism.
//
// The hand-written program has two coordinates, the rod's angle φ and the slider's place x; the crank turns
// as θ = ωt.
//
//   e = A + L u(φ) − (x, 0)         A = r (cos ωt, sin ωt),  u = (cos φ, sin φ),  n = e/|e|,  δ = |e| − c
//   N = K δ^1.5 (1 + h δ̇/δ̇⁽⁻⁾)      Lankarani–Nikravesh, h = ¾ (1 − c_r²)
//   F = −N n + T t                   on the rod at A + L u + R_J n; T by Ambrósio's friction law
//   (I + m l²) φ̈ = (L u + R_J n) × F − m l u′·Ä
//   m_s ẍ = −F_x
//
// It is what an expert would write: everything inline on four numbers, no virtual calls, Dormand–Prince pairs
// with dense output and PI control, contacts located on the dense output, errors held to the clearance in
// flight and to the expected penetration in contact. Both programs run at the loosest tolerance from which on
// down the eighth impact time is good to 1e-6, with the better of their two Runge–Kutta pairs.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/ode/schemes/dop853_tableau.hpp"
#include "tappet/ode/schemes/dopri5_tableau.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace {

using State = std::array<double, 4>;  // φ, x, φ̇, ẋ

// ---------------------------------------------------------------------------------------------- the
// mechanism by hand

constexpr double omega = 5000 * 2 * std::numbers::pi / 60, t_end = 0.24;
constexpr double r = 0.05, L = 0.12, l = 0.06, m = 0.21, I = 2.5e-4, m_s = 0.14, J = I + m * l * l;
constexpr double R_B = 0.010, R_J = 0.0095, c = R_B - R_J;
constexpr double E = 207e9, nu = 0.3, c_r = 0.9, h_n = 0.75 * (1 - c_r * c_r);
constexpr double mu = 0.03, v0 = 1e-3, v1 = 1e-2;
const double K = 4 / (3 * 2 * (1 - nu * nu) / E) / std::sqrt(1 / R_J - 1 / R_B);

struct Geometry {
  double cp, sp;              // cos φ, sin φ
  double size, nx, ny, rate;  // |e|, its direction, d|e|/dt
};

template <bool rubs>
struct HandWritten {
  bool touching = false;
  double impact_rate = 0;
  long evaluations = 0;

  static Geometry geometry(double ca, double sa, const State& y) {
    Geometry g;
    g.cp = std::cos(y[0]), g.sp = std::sin(y[0]);
    const double ex = r * ca + L * g.cp - y[1], ey = r * sa + L * g.sp;
    const double vx = -r * omega * sa - L * g.sp * y[2] - y[3], vy = r * omega * ca + L * g.cp * y[2];
    g.size = std::sqrt(ex * ex + ey * ey);
    // Centres that coincide, as at the start, have no direction.
    const double inverse = g.size > 0 ? 1 / g.size : 0;
    g.nx = ex * inverse, g.ny = ey * inverse;
    g.rate = g.nx * vx + g.ny * vy;
    return g;
  }
  static Geometry geometry(double t, const State& y) {
    return geometry(std::cos(omega * t), std::sin(omega * t), y);
  }

  State operator()(double t, const State& y) {
    ++evaluations;
    const double ca = std::cos(omega * t), sa = std::sin(omega * t);
    const double pull = m * l * omega * omega * r;
    if (!touching) {
      const double cp = std::cos(y[0]), sp = std::sin(y[0]);
      return {y[2], y[3], pull * (cp * sa - sp * ca) / J, 0};
    }
    const Geometry g = geometry(ca, sa, y);
    double moment = pull * (g.cp * sa - g.sp * ca), fx = 0;
    const double depth = g.size - c;
    if (depth > 0) {
      const double N = K * depth * std::sqrt(depth) * std::max(0.0, 1 + h_n * g.rate / impact_rate);
      double Fx = -N * g.nx, Fy = -N * g.ny;
      double ax = L * g.cp, ay = L * g.sp;
      if constexpr (rubs) {
        ax += R_J * g.nx, ay += R_J * g.ny;
        const double vx = -r * omega * sa - ay * y[2] - y[3], vy = r * omega * ca + ax * y[2];
        const double slip = -g.ny * vx + g.nx * vy, speed = std::abs(slip);
        const double share = std::clamp((speed - v0) / (v1 - v0), 0.0, 1.0);
        const double T = -std::copysign(mu * share * N, slip);
        Fx -= T * g.ny, Fy += T * g.nx;
      }
      moment += ax * Fy - ay * Fx;
      fx = -Fx;
    }
    return {y[2], y[3], moment / J, fx / m_s};
  }
};

// Σ_j w_j k_j, the zero weights left out by the compiler.
template <class Weights, std::size_t rows>
inline State combine(Weights, const std::array<State, rows>& k) {
  State out{};
  [&]<std::size_t... j>(std::index_sequence<j...>) {
    auto add = [&]<std::size_t n>() {
      constexpr double w = Weights{}()[n];
      if constexpr (w != 0)
        for (int i = 0; i < 4; ++i) out[i] += w * k[n][i];
    };
    (add.template operator()<j>(), ...);
  }
  (std::make_index_sequence<rows>{});
  return out;
}

template <class Weights, std::size_t rows>
inline State advance(Weights weights, const State& y, double h, const std::array<State, rows>& k) {
  State out = combine(weights, k);
  for (int i = 0; i < 4; ++i) out[i] = y[i] + h * out[i];
  return out;
}

template <class T, class F>
class Stepper {
 public:
  F f;
  double t = 0, h = 1e-6, tolerance = 1e-8, depth_scale = c;
  State y{};
  std::vector<double> starts;
  long steps = 0;

  void run() {
    k_[0] = f(t, y);
    while (t < t_end) step();
  }

 private:
  static constexpr std::size_t end = T::stages, terms = 3 + T::dense.size();
  std::array<State, T::rows> k_{};
  std::array<State, terms> dense_{};
  double flight_step_ = 0, last_error_ = 1e-4;

  // The new point of a step.
  State stages(double dt) {
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      ((k_[j + 1] = f(t + T::c[j + 1] * dt, advance([] { return T::a[j + 1]; }, y, dt, k_))), ...);
    }
    (std::make_index_sequence<T::stages - 1>{});
    return advance([] { return T::a[end]; }, y, dt, k_);
  }

  void step() {
    for (bool rejected = false;; rejected = true) {
      const double dt = std::min(h, t_end - t);
      const State next = stages(dt);
      if constexpr (T::error_needs_end) k_[end] = f(t + dt, next);
      const double size = error(t + dt, next, dt);
      if (!(size <= 1)) {
        h = dt * std::max(0.2, T::safety * std::pow(size, -T::exponent));
        continue;
      }
      if constexpr (!T::error_needs_end) k_[end] = f(t + dt, next);
      const double factor =
          T::safety * std::pow(last_error_, T::beta) * std::pow(std::max(size, 1e-12), -T::exponent);
      h = dt * std::clamp(factor, 0.2, rejected ? 1.0 : 10.0);
      last_error_ = std::max(size, 1e-4);
      ++steps;
      accept(next, dt);
      return;
    }
  }

  double error(double time, const State& next, double dt) const {
    // The gap's error against its scale, and the velocities' against the crank's.
    const Geometry g = F::geometry(time, next);
    const double gap_phi = L * (-g.sp * g.nx + g.cp * g.ny);
    auto measure = [&](const State& e) {
      const double gap =
          std::abs(gap_phi * e[0] - g.nx * e[1]) / (f.touching ? std::max(depth_scale, g.size - c) : c);
      const double places = std::max(std::abs(e[0]), std::abs(e[1]) / L);
      const double speeds = std::max(L * std::abs(e[2]), std::abs(e[3])) / (omega * r);
      return std::max({gap, places, speeds}) * dt / tolerance;
    };
    double size = measure(combine([] { return T::error; }, k_));
    if constexpr (T::has_low_error) {
      const double low = measure(combine([] { return T::low_error; }, k_));
      if (size > 0) size /= std::sqrt(1 + 0.01 * (low / size) * (low / size));
    }
    return size;
  }

  void prepare_dense(const State& next, double dt) {
    if constexpr (T::rows > T::stages + 1) {
      [&]<std::size_t... j>(std::index_sequence<j...>) {
        ((k_[end + 1 + j] =
              f(t + T::c[end + 1 + j] * dt, advance([] { return T::a[end + 1 + j]; }, y, dt, k_))),
         ...);
      }
      (std::make_index_sequence<T::rows - T::stages - 1>{});
    }
    for (int i = 0; i < 4; ++i) {
      dense_[0][i] = next[i] - y[i];
      dense_[1][i] = dt * k_[0][i] - dense_[0][i];
      dense_[2][i] = dense_[0][i] - dt * k_[end][i] - dense_[1][i];
    }
    [&]<std::size_t... j>(std::index_sequence<j...>) {
      ((dense_[3 + j] = combine([] { return T::dense[j]; }, k_)), ...);
    }
    (std::make_index_sequence<T::dense.size()>{});
    for (std::size_t d = 3; d < terms; ++d)
      for (double& x : dense_[d]) x *= dt;
  }
  State at(double theta) const {
    State out;
    for (int i = 0; i < 4; ++i) {
      double sum = dense_[terms - 1][i];
      for (std::size_t d = terms - 1; d-- > 0;) sum = dense_[d][i] + (d % 2 == 0 ? 1 - theta : theta) * sum;
      out[i] = y[i] + theta * sum;
    }
    return out;
  }

  // Does the contact change in this step? Then the step ends there.
  void accept(const State& next, double dt) {
    const Geometry g0 = F::geometry(t, y), g1 = F::geometry(t + dt, next);
    const double p0 = g0.size - c, p1 = g1.size - c;
    double a = 0, b = 0;
    bool prepared = false;
    if (!f.touching && p1 > 0) {
      b = 1;
    } else if (!f.touching && g0.rate > 0 && g1.rate < 0) {
      // Inside at both ends: the parabola of the rates tells whether they may have touched.
      const double where = g0.rate / (g0.rate - g1.rate);
      if (p0 + 0.6 * g0.rate * where * dt > 0) {
        prepare_dense(next, dt);
        prepared = true;
        if (F::geometry(t + where * dt, at(where)).size > c) b = where;
      }
    } else if (f.touching && p1 < 0) {
      b = 1;
    }
    if (b == 0) {
      t += dt, y = next, k_[0] = k_[end];
      return;
    }
    if (!prepared) prepare_dense(next, dt);
    // Newton on the dense output, kept inside the bracket.
    const double sense = f.touching ? -1 : 1;
    double theta = 0.5 * (a + b);
    State s{};
    Geometry g{};
    for (int n = 0; n < 60; ++n) {
      s = at(theta);
      g = F::geometry(t + theta * dt, s);
      const double p = sense * (g.size - c);
      (p > 0 ? b : a) = theta;
      double better = theta - p / (sense * g.rate * dt);
      if (!(better > a && better < b)) better = 0.5 * (a + b);
      if (std::abs(better - theta) < 1e-15 || std::abs(p) < 1e-18) break;
      theta = better;
    }
    // The step is taken again to end there, since a step is more accurate than its dense output.
    double cut = theta * dt;
    for (int n = 0; n < 2; ++n) {
      s = stages(cut);
      g = F::geometry(t + cut, s);
      if (n == 0 && std::abs(g.rate) > 1e-6) cut -= std::clamp((g.size - c) / g.rate, -0.1 * cut, 0.1 * cut);
    }
    t += cut, y = s;
    last_error_ = 1e-4;
    if (f.touching) {
      f.touching = false;
      h = flight_step_;
    } else {
      flight_step_ = dt;
      f.touching = true;
      f.impact_rate = std::max(g.rate, 1e-300);
      starts.push_back(t);
      const double arm = L * (-g.sp * g.nx + g.cp * g.ny), mobility = g.nx * g.nx / m_s + arm * arm / J;
      depth_scale = std::pow(1.25 * f.impact_rate * f.impact_rate / (mobility * K), 0.4);
      h = 2.94 * depth_scale / f.impact_rate / 16;
    }
    k_[0] = f(t, y);
  }
};

// ------------------------------------------------------------------------------------------------------ the
// comparison

struct Result {
  double seconds = 0, eighth = 0;
  long evaluations = 0, steps = 0, impacts = 0;
};

// Processor time of this process: what else the machine does is not counted.
double now() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class T, bool rubs>
Result by_hand(double tolerance) {
  const double begin = now();
  Stepper<T, HandWritten<rubs>> s;
  s.tolerance = tolerance;
  // As assembled: everything on one line, centres together, the slider as fast as an ideal joint makes it.
  s.y = {0, r + L, -omega * r / L, 0};
  s.starts.reserve(1000);
  s.run();
  return {now() - begin, s.starts.size() < 8 ? NAN : s.starts[7], s.f.evaluations, s.steps,
          static_cast<long>(s.starts.size())};
}

struct Impacts final : tappet::Observer {
  std::vector<double> starts;
  void sample(std::span<const double>) override {}
  void impact(const tappet::Impact& i) override { starts.push_back(i.start); }
};

Result by_tappet(bool rubs, const char* integrator, double tolerance) {
  std::vector<std::string> settings = {fmt::format("simulation.integrator={}", integrator),
                                       fmt::format("simulation.tolerance={}", tolerance), "output.step=0.24",
                                       "output.signals=[slider.x]"};
  if (!rubs) settings.push_back("joints.wrist.clearance.friction={law: none}");
  tappet::Diagnostics diagnostics;
  const auto model = tappet::compile(
      tappet::load_spec(std::string(TAPPET_SOURCE_DIR) + "/examples/slider_crank/clearance.yaml", settings),
      diagnostics);
  const double begin = now();
  tappet::Simulation simulation(*model);
  Impacts out;
  const tappet::RunSummary summary = simulation.run(out);
  const double seconds = now() - begin;
  if (!summary.completed) fmt::print("Tappet stopped: {}\n", summary.stop_reason);
  return {seconds, out.starts.size() < 8 ? NAN : out.starts[7], summary.evaluations, summary.steps,
          static_cast<long>(out.starts.size())};
}

struct Best {
  Result result;
  double tolerance = 0;
  std::string integrator;
};

// Tolerances from tight to loose; the last before the first that misses.
template <class Run>
void search(const std::string& integrator, double reference, Run run, Best& best) {
  double good = 0;
  for (int n = 0; n <= 27; ++n) {
    const double tolerance = std::pow(10, -11 + n / 3.0);
    const Result trial = run(tolerance);
    if (!(std::abs(trial.eighth - reference) <= 1e-6 * reference)) break;
    good = tolerance;
  }
  if (good == 0) return fmt::print("  {}: no tolerance gives the eighth impact\n", integrator);
  Result result = run(good);
  for (int n = 0; n < 6; ++n) {
    const Result again = run(good);
    if (again.seconds < result.seconds) result = again;
  }
  fmt::print("    {:<7} tolerance {:8.1e}  {:9.3f} ms\n", integrator, good, 1e3 * result.seconds);
  if (best.tolerance == 0 || result.seconds < best.result.seconds) best = {result, good, integrator};
}

void print(const char* who, const Best& b) {
  fmt::print(
      "  {:<13} {:<7} tolerance {:8.1e}  {:9.3f} ms  {:7d} evaluations  {:6d} steps  {:4d} impacts  {:7.1f} "
      "ns/evaluation\n",
      who, b.integrator, b.tolerance, 1e3 * b.result.seconds, b.result.evaluations, b.result.steps,
      b.result.impacts, 1e9 * b.result.seconds / static_cast<double>(b.result.evaluations));
}

template <bool rubs>
double compare(const char* title) {
  using tappet::Dop853Tableau, tappet::Dopri5Tableau;
  const double reference = by_hand<Dop853Tableau, rubs>(1e-13).eighth,
               tight = by_tappet(rubs, "dop853", 1e-12).eighth;
  fmt::print("{}\n  eighth impact at {:.12e} s by hand, {:.12e} s by Tappet\n", title, reference, tight);
  Best hand, tappet;
  search("dopri5", reference, by_hand<Dopri5Tableau, rubs>, hand);
  search("dop853", reference, by_hand<Dop853Tableau, rubs>, hand);
  for (const char* integrator : {"dopri5", "dop853"})
    search(
        integrator, reference, [&](double tolerance) { return by_tappet(rubs, integrator, tolerance); },
        tappet);
  print("by hand", hand);
  print("Tappet", tappet);
  const double ratio = tappet.result.seconds / hand.result.seconds;
  fmt::print("  RATIO {:.2f} (wanted: at most 3)\n", ratio);
  std::fflush(stdout);
  return ratio;
}

}  // namespace

int main() {
  const double without = compare<false>("0.5 mm clearance, Lankarani-Nikravesh, no friction");
  const double with = compare<true>("0.5 mm clearance, Lankarani-Nikravesh, Ambrosio friction 0.03");
  return without <= 3 && with <= 3 ? 0 : 1;
}
