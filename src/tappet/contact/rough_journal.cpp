#include "tappet/contact/rough_journal.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tappet {
namespace {

// Sums around the joint: U, F and −F′.
struct Around {
  double stored = 0, force = 0, stiffness = 0;
};

Around around(const GreenwoodTripp& s, double area, double clearance, double gap) {
  const double e = clearance - gap;
  // Summits meet where h − g < 12 σ or so: nodes go no further than that.
  const double reach = 14 * s.sigma + std::max(0.0, -gap);
  const double cosine = 1 - reach / e;
  const double end = cosine > -1 ? std::acos(cosine) : std::numbers::pi;
  constexpr int nodes = 128;
  Around out;
  for (int n = 0; n <= nodes; ++n) {
    const double alpha = end * n / nodes, c = std::cos(alpha), h = clearance - e * c;
    // Simpson's rule over one half, twice.
    const double weight = 2 * area * end / nodes * (n == 0 || n == nodes ? 1 : n % 2 ? 4 : 2) / 3;
    const auto [stored, pressure, stiffness] = s.at(h);
    out.stored += weight * stored;
    out.force += weight * c * pressure;
    out.stiffness += weight * c * c * stiffness;
  }
  return out;
}

}  // namespace

RoughJournal::RoughJournal(const GreenwoodTripp& surface, double radius, double length, double clearance)
    : sigma_(surface.sigma) {
  const int count = static_cast<int>((to_ - from_) / step_) + 1;
  for (int n = 0; n < count; ++n) {
    const Around a = around(surface, radius * length, clearance, sigma_ * (from_ + n * step_));
    const double slope = -a.force / a.stored, bend = a.stiffness / a.stored - slope * slope;
    const double unit = sigma_ * step_;
    nodes_.push_back({std::log(a.stored), slope * unit, bend * unit * unit});
  }
}

RoughJournal::Push RoughJournal::at(double gap) const {
  const double x = gap / sigma_;
  if (x >= to_) return {};
  if (x < from_) {
    const Push last = at(from_ * sigma_);
    return {last.force, last.stored + last.force * (from_ * sigma_ - gap)};
  }
  const double place = (x - from_) / step_;
  const std::size_t i = std::min(static_cast<std::size_t>(place), nodes_.size() - 2);
  const double u = place - static_cast<double>(i);
  const Node &a = nodes_[i], &b = nodes_[i + 1];
  // A quintic from value, slope and bend at u = 0 and what is missing at u = 1.
  const double v = b.value - (a.value + a.slope + 0.5 * a.bend), s = b.slope - (a.slope + a.bend),
               d = b.bend - a.bend;
  const double c3 = 10 * v - 4 * s + 0.5 * d, c4 = -15 * v + 7 * s - d, c5 = 6 * v - 3 * s + 0.5 * d;
  const double value = a.value + u * (a.slope + u * (0.5 * a.bend + u * (c3 + u * (c4 + u * c5))));
  const double slope = a.slope + u * (a.bend + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)));
  const double stored = std::exp(value);
  return {-stored * slope / (sigma_ * step_), stored};
}

}  // namespace tappet
