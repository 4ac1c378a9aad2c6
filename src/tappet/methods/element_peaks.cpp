#include "tappet/methods/element_peaks.hpp"

#include <algorithm>
#include <cmath>

#include "tappet/multibody/film.hpp"
#include "tappet/multibody/foundation.hpp"

namespace tappet {
namespace {

/// Of a step's length: a peak is looked for so far about that of a parabola, which may lie a little beyond the step's ends.
constexpr double about = 0.25, beyond = 0.1;
/// Of a step's length. The load is flat at its peak: it errs with the square of this.
constexpr double sharp = 1e-6;

}  // namespace

double ElementPeaks::load(int element, const Kinematics& k) const {
  const auto films = static_cast<int>(mechanism_.films.size());
  return element < films ? mechanism_.films[element]->instant(k).force.norm()
                         : mechanism_.foundations[element - films]->instant(k).load;
}

void ElementPeaks::find(StepMotion& motion, std::vector<double>& out) {
  const auto count = static_cast<int>(mechanism_.films.size() + mechanism_.foundations.size());
  const double a = motion.from(), h = motion.to() - a;
  if (count == 0 || !(h > 0)) return;
  const auto loads = [&](double t, std::vector<double>& into) {
    const Kinematics& k = motion.at(t);
    into.resize(count);
    for (int i = 0; i < count; ++i) into[i] = load(i, k);
  };
  loads(a, first_);
  loads(a + 0.5 * h, middle_);
  loads(motion.to(), last_);
  for (int i = 0; i < count; ++i) {
    // L = L_m + (L_b − L_a)(θ − ½) + 2 c (θ − ½)²
    const double c = first_[i] - 2 * middle_[i] + last_[i];
    if (!(c < 0)) continue;
    const double peak = 0.5 - (last_[i] - first_[i]) / (4 * c);
    if (peak < -beyond || peak > 1 + beyond) continue;
    const auto at = [&](double theta) { return load(i, motion.at(a + theta * h)); };
    constexpr double part = 0.6180339887498949;
    double low = std::clamp(peak - about, 0.0, 1.0), high = std::clamp(peak + about, 0.0, 1.0);
    double left = high - part * (high - low), right = low + part * (high - low);
    double at_left = at(left), at_right = at(right);
    while (high - low > sharp) {
      if (at_left < at_right) {
        low = left, left = right, at_left = at_right;
        right = low + part * (high - low), at_right = at(right);
      } else {
        high = right, right = left, at_right = at_left;
        left = high - part * (high - low), at_left = at(left);
      }
    }
    out.push_back(a + 0.5 * (low + high) * h);
  }
}

}  // namespace tappet
