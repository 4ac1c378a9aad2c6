// Random positions and velocities of a model's bodies, the same in every run.
#pragma once

#include <random>
#include <vector>

#include "tappet/multibody/mechanism.hpp"

namespace tappet::testing {

class RandomPoses {
 public:
  explicit RandomPoses(unsigned seed) : engine_(seed) {}

  double number() { return uniform_(engine_); }  ///< in (−1, 1)
  Vec3 vector() { return {number(), number(), number()}; }

  std::vector<double> positions(const Mechanism& m) {
    std::vector<double> q;
    for (int b = 0; b < m.body_count(); ++b) {
      if (m.dimension == Dimension::planar) {
        q.insert(q.end(), {number(), number(), 3 * number()});
        continue;
      }
      Eigen::Vector4d e(number(), number(), number(), number());
      e.normalize();
      q.insert(q.end(), {number(), number(), number(), e[0], e[1], e[2], e[3]});
    }
    return q;
  }
  std::vector<double> velocities(const Mechanism& m) {
    std::vector<double> u(m.u_size());
    for (double& x : u) x = number();
    return u;
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

/// q moved along constant u for the time h (spatial: ω′ constant).
inline std::vector<double> moved(const Mechanism& m, std::vector<double> q, const std::vector<double>& u, double h) {
  std::vector<double> d(u);
  for (double& x : d) x *= h;
  displace(m.dimension, m.body_count(), q.data(), d.data());
  return q;
}

}  // namespace tappet::testing
