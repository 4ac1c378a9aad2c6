#include "tappet/multibody/pressed_arc.hpp"

#include <algorithm>
#include <cmath>

namespace tappet {
namespace {

/// A peak this near behind the end of a step, of its length, may be missed by the next one, which sees the acceleration anew.
constexpr double near_end = 0.1;

}  // namespace

double PressedArc::depth(double theta) const {
  const double s = 1 - theta;
  return s * s * ((1 + 2 * theta) * first_.depth + theta * h_ * first_.rate) +
         theta * theta * ((1 + 2 * s) * last_.depth - s * h_ * last_.rate);
}

double PressedArc::rate(double theta) const {
  const double s = 1 - theta;
  return 6 * theta * s * (last_.depth - first_.depth) / h_ + s * (1 - 3 * theta) * first_.rate +
         theta * (1 - 3 * s) * last_.rate;
}

double PressedArc::deepest() const {
  if (!(first_.rate > 0 && last_.rate < 0)) return 0;
  double in = 0, out = 1;
  while (out - in > 1e-12) {
    const double middle = 0.5 * (in + out);
    (rate(middle) > 0 ? in : out) = middle;
  }
  return 0.5 * (in + out);
}

double PressedArc::force(double theta) const {
  const double depth_there = depth(theta);
  if (!(depth_there > 0)) return 0;
  try {
    return (first_.slope + theta * (last_.slope - first_.slope)) *
           law_->evaluate({.depth = depth_there,
                           .rate = rate(theta),
                           .impact_rate = impact_rate_,
                           .inputs = last_.inputs})
               .force;
  } catch (const LawDomainError&) {
    return 0;  // whether the motion itself goes there, who follows it will say
  }
}

double PressedArc::rise_first() const {
  const double acceleration = (6 * (last_.depth - first_.depth) / h_ - 4 * first_.rate - 2 * last_.rate) / h_;
  return first_.stiffness * first_.rate + first_.damping * acceleration;
}

double PressedArc::rise_last() const {
  const double acceleration =
      (-6 * (last_.depth - first_.depth) / h_ + 2 * first_.rate + 4 * last_.rate) / h_;
  return last_.stiffness * last_.rate + last_.damping * acceleration;
}

void find_peak(std::span<const PressedArc> together, double a, double b, std::vector<double>& out) {
  double first = 0, last = 0;
  for (const PressedArc& arc : together) first += arc.rise_first(), last += arc.rise_last();
  if (!(first > 0)) return;
  if (last > 0) {
    if (last < near_end * (first - last)) out.push_back(b);
    return;
  }
  const auto force = [&](double theta) {
    double sum = 0;
    for (const PressedArc& arc : together) sum += arc.force(theta);
    return sum;
  };
  // By the golden section; at the peak itself the force is flat.
  constexpr double part = 0.6180339887498949;
  double low = 0, high = 1, left = high - part, right = low + part, at_left = force(left),
         at_right = force(right);
  while (high - low > 1e-5) {
    if (at_left < at_right) {
      low = left, left = right, at_left = at_right;
      right = low + part * (high - low), at_right = force(right);
    } else {
      high = right, right = left, at_right = at_left;
      left = high - part * (high - low), at_left = force(left);
    }
  }
  const double theta = 0.5 * (low + high);
  out.push_back(a + theta * (b - a));
  if (theta > 1 - near_end) out.push_back(b);
}

void choose(std::vector<double>& instants, std::size_t most) {
  std::sort(instants.begin(), instants.end());
  instants.erase(std::unique(instants.begin(), instants.end()), instants.end());
  if (instants.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) instants[i] = instants[i * (instants.size() - 1) / (most - 1)];
  instants.resize(most);
}

}  // namespace tappet
