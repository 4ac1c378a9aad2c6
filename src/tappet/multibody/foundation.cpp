#include "tappet/multibody/foundation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tappet/multibody/rows.hpp"

namespace tappet {
namespace {

// ∫ p ḋ: a place of the journal between two of its nodes gets deeper as both do, to which its neighbours contribute as well.
class WornAway {
 public:
  explicit WornAway(double part) : near_(1 - part), far_(part) {}

  void add(int n, double pressure, double bearing, double journal) {
    const Pressed here{n, pressure, journal};
    sum_ += pressure * (bearing + (near_ * near_ + far_ * far_) * journal);
    if (last_.node == n - 1) join(last_, here);
    if (first_.node < 0) first_ = here;
    last_ = here;
  }
  double power(int nodes) {
    if (first_.node == 0 && last_.node == nodes - 1) join(last_, first_);
    return sum_;
  }

 private:
  struct Pressed {
    int node = -2;
    double pressure = 0, rate = 0;
  };
  void join(const Pressed& a, const Pressed& b) {
    sum_ += near_ * far_ * (a.pressure * b.rate + b.pressure * a.rate);
  }
  double near_, far_, sum_ = 0;
  Pressed first_, last_;
};

}  // namespace

double Foundation::node_area() const {
  return radius * length * 2 * std::numbers::pi / nodes;
}

double Foundation::depth(const double* z, int side, int node) const {
  if (!wears(side)) return 0;
  return z[aux_offset + (side == 1 && wears(0) ? nodes : 0) + node];
}

double Foundation::deepest(const double* z, int side) const {
  double most = 0;
  for (int n = 0; n < nodes; ++n) most = std::max(most, depth(z, side, n));
  return most;
}

double Foundation::worn_volume(const double* z, int side) const {
  double sum = 0;
  for (int n = 0; n < nodes; ++n) sum += depth(z, side, n);
  return sum * node_area();
}

bool Foundation::has_life() const {
  return wear && !std::isnan(wear->schedule.life);
}

int Foundation::aux_count() const {
  const int own = depths();
  if (own == 0) return 0;
  return (leader ? 3 : 1) * own + (has_life() ? life_size : 0) + (leader == this ? cycle_size : 0);
}

double Foundation::pace_at(const double* z) const {
  return leader ? z[leader->cycle_offset() + pace] : wear->schedule.extrapolate;
}

// Sums over the nodes of the bearing. Where one is pressed, visit(node, journal node before it, share of the journal node after that, p, |v|).
template <class Visit>
FoundationInstant Foundation::over_nodes(const Kinematics& k, const Visit& visit) const {
  const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
  const PlanarPoint Pi(fi, pi), Pj(fj, pj);
  FoundationInstant out;
  out.offset = Pj.r - Pi.r;
  const Vec2 e = out.offset, v = Pj.v - Pi.v;
  const Vec2 drift(v.x() + fi.w * e.y(), v.y() - fi.w * e.x());  // ė − ω_b ẑ×e
  const double spin = fj.w - fi.w, step = 2 * std::numbers::pi / nodes, area = node_area();
  // How far the journal's nodes are turned against the bearing's.
  const double turned = (fj.theta - fi.theta) / step;
  const double whole = std::floor(turned), part = turned - whole;
  const int shift = static_cast<int>(std::fmod(whole, nodes) + 2 * nodes) % nodes;
  WornAway worn(part);
  const double m = wear && depths() > 0 ? pace_at(k.z) : 1;
  // The nodes follow each other by one rotation.
  const double co = std::cos(step), si = std::sin(step);
  Vec2 u(fi.c, fi.s);
  const double reach = e.norm() * (1 + 1e-12);
  for (int n = 0; n < nodes; ++n, u = Vec2(co * u.x() - si * u.y(), si * u.x() + co * u.y())) {
    if (reach < clearance) break;
    const double in = e.dot(u) - clearance;
    if (in <= 0) continue;
    // The journal's node n − turned lies between two of its own.
    const int after = (n - shift + nodes) % nodes, before = (after + nodes - 1) % nodes;
    const double d_after = depth(k.z, 1, after), d_before = depth(k.z, 1, before);
    const double pressed = in - depth(k.z, 0, n) - (1 - part) * d_after - part * d_before;
    if (pressed <= 0) continue;
    const double slope = (d_after - d_before) / step;  // of d_j along α
    const Vec2 t(-u.y(), u.x());
    const double rate = u.dot(drift) + spin * slope;
    const double elastic = stiffness * pressed, p = std::max(0.0, elastic + damping * rate);
    const double sliding = radius * spin + t.dot(drift), speed = std::abs(sliding);
    const double rubbing = friction ? p * friction->evaluate(speed).ratio * sliding : 0;
    out.force -= area * (p * u + rubbing * t);
    out.load += area * p;
    out.peak_pressure = std::max(out.peak_pressure, p);
    out.friction_moment -= area * rubbing * radius;
    out.moment -= area * (rubbing * radius + p * slope);
    out.friction_power += area * rubbing * sliding;
    out.normal_power += area * (p - elastic) * rate;
    out.energy += 0.5 * area * stiffness * pressed * pressed;
    ++out.touching;
    if (wear) {
      const auto rates = wear->depth_rates(p, speed);
      worn.add(n, elastic, rates[0], rates[1]);
      visit(n, after, before, part, m * rates[0], m * rates[1]);
    }
  }
  if (wear) out.wear_power = area * m * worn.power(nodes);
  return out;
}

FoundationInstant Foundation::instant(const Kinematics& k) const {
  return over_nodes(k, [](int, int, int, double, double, double) {});
}

void Foundation::apply(const Kinematics& k, ForceSum& sum) const {
  const FoundationInstant now = instant(k);
  if (now.touching == 0) return;
  const PlanarFrame &fi = k.planar[bodies[0]], &fj = k.planar[bodies[1]];
  const Vec2 at = fj.point(pj);
  sum.add(fj, bodies[1], at, now.force);
  sum.add(fi, bodies[0], at, -now.force);
  sum.add_torque(bodies[1], now.moment);
  sum.add_torque(bodies[0], -now.moment);
  sum.powers.friction += now.friction_power;
  sum.powers.normal += now.normal_power;
  sum.powers.wear += now.wear_power;
}

double Foundation::potential(const Kinematics& k) const {
  return instant(k).energy;
}

void Foundation::start_aux(const Kinematics&, double* z) const {
  std::fill(z, z + aux_count(), 0.0);
  if (has_life() && depths() > 0) {
    double* life = z + (life_offset() - aux_offset);
    life[life_time] = life[life_revolutions] = -1;
  }
  if (leader == this) z[cycle_offset() - aux_offset + pace] = 1;
}

void Foundation::aux_rates(const Kinematics& k, double* zdot) const {
  std::fill(zdot, zdot + aux_count(), 0.0);
  if (leader == this) zdot[cycle_offset() - aux_offset + revolutions] = pace_at(k.z) * counts / period;
  double* first = zdot;
  double* second = zdot + (wears(0) ? nodes : 0);
  over_nodes(k, [&](int n, int after, int before, double part, double bearing, double journal) {
    if (wears(0)) first[n] += bearing;
    if (wears(1)) second[after] += (1 - part) * journal, second[before] += part * journal;
  });
}

}  // namespace tappet
