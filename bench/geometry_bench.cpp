// What geometry costs: nanoseconds a candidate search of each pair, and nanoseconds a sphere and step of the
// broad phase.
//
//   geometry_bench [LARGEST]     LARGEST number of spheres, default 10000
//
// Pairs: all candidates of one pair at random poses, half of them overlapping. Broad phase: spheres that fly
// and bounce in a cube filled to a tenth, each step moving them by a fiftieth of their radius; moving all and
// listing all pairs. Times are those of the processor. The growth exponent is the slope of log(cost of a
// step) between the first and the last n.
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tappet/geometry/broad_phase.hpp"
#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/placement.hpp"
#include "tappet/spec/object.hpp"

namespace {

using namespace tappet;

double seconds_since(std::clock_t begin) {
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

// ---- pairs ----

struct Sample {
  std::string yaml;
  Dimension dimension;
};

const std::vector<Sample> samples = {
    {"sphere: {radius: 1}", Dimension::spatial},
    {"capsule: {radius: 0.5, length: 2}", Dimension::spatial},
    {"box: {size: [2, 1.5, 1]}", Dimension::spatial},
    {"cylinder: {radius: 1, length: 2}", Dimension::spatial},
    {"ellipsoid: {semi_axes: [1, 0.8, 0.6]}", Dimension::spatial},
    {"hull: {points: [[1, 0, 0], [-1, 0.1, 0], [0, 1, 0], [0, -1, 0.2], [0, 0, 1], [0.3, 0, -1]]}",
     Dimension::spatial},
    {"plane: {normal: [0, 0, 1]}", Dimension::spatial},
    {"profile: {points: [[-2, 0], [-1, 0], [-1, 0.2], [0, 0.2], [0, 0.4], [2, 0.4]]}", Dimension::spatial},
    {"circle: {radius: 1}", Dimension::planar},
    {"segment: {points: [[-1, 0], [1, 0.1]]}", Dimension::planar},
    {"polygon: {points: [[1, 0], [0.2, 1], [-1, 0.3], [-0.6, -0.8]]}", Dimension::planar},
    {"curve: {support: 1 + 0.1*cos(2*angle)}", Dimension::planar},
    {"plane: {normal: [0, 1]}", Dimension::planar},
    {"profile: {points: [[-2, 0], [-1, 0], [-1, 0.2], [0, 0.2], [0, 0.4], [2, 0.4]]}", Dimension::planar},
};

std::unique_ptr<Shape> make(const Sample& sample) {
  Diagnostics diagnostics;
  const ReadContext context{sample.dimension, &diagnostics};
  const Object object = read_object(read_yaml_text(sample.yaml, "bench"), shape_family(), context);
  diagnostics.throw_if_errors();
  return make_shape(object, sample.dimension, diagnostics);
}

std::vector<Pose> random_poses(Dimension dimension, double reach) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Pose> out(256);
  for (Pose& pose : out) {
    const double angle = 3 * number(engine), c = std::cos(angle), s = std::sin(angle);
    pose.R << c, -s, 0, s, c, 0, 0, 0, 1;
    pose.r =
        reach * Vec3(number(engine), number(engine), dimension == Dimension::planar ? 0 : number(engine));
    if (dimension == Dimension::planar) continue;
    const double tilt = 3 * number(engine), ct = std::cos(tilt), st = std::sin(tilt);
    Mat3 turn;
    turn << 1, 0, 0, 0, ct, -st, 0, st, ct;
    pose.R = turn * pose.R;
  }
  return out;
}

void time_pair(const Shape& first, const Shape& second, Dimension dimension) {
  const Pair pair(first, second);
  if (!pair) return;
  const std::vector<Pose> poses = random_poses(dimension, 1.2);
  std::vector<Proximity> out(pair.candidates());
  long count = 0, touching = 0;
  double sum = 0;
  const std::clock_t begin = std::clock();
  while (seconds_since(begin) < 0.05)
    for (const Pose& pose : poses) {
      pair.evaluate({}, pose, out);
      double gap = out[0].gap;
      for (const Proximity& one : out) gap = std::min(gap, one.gap);
      touching += gap < 0;
      sum += std::min(gap, 1.0);
      ++count;
    }
  fmt::print("{:<10} {:<10} {:<8} {:>3} candidates {:>9.0f} ns   {:3.0f} % touch\n", first.kind(),
             second.kind(), dimension == Dimension::planar ? "plane" : "space", pair.candidates(),
             seconds_since(begin) / count * 1e9, 100.0 * touching / count);
  if (std::isnan(sum)) fmt::print("not a number\n");
}

void time_pairs() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (const Sample& sample : samples) shapes.push_back(make(sample));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i; j < shapes.size(); ++j)
      if (samples[i].dimension == samples[j].dimension)
        time_pair(*shapes[i], *shapes[j], samples[i].dimension);
}

// ---- broad phase ----

/// Seconds a step.
double time_spheres(int n) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> number(-1, 1);
  const double side = std::cbrt(n * 4.0 / 3 * 3.141592653589793 / 0.1);  // radius 1
  std::vector<Vec3> at(n), v(n);
  BroadPhase tree;
  const auto box = [&](int i) { return Bounds{at[i] - Vec3::Ones(), at[i] + Vec3::Ones()}; };
  for (int i = 0; i < n; ++i) {
    at[i] = side / 2 * Vec3(number(engine), number(engine), number(engine));
    v[i] = 0.02 * Vec3(number(engine), number(engine), number(engine)).normalized();
    tree.insert(box(i));
  }
  const auto step = [&] {
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 3; ++k)
        if (std::abs(at[i][k] + v[i][k]) > side / 2) v[i][k] = -v[i][k];
      at[i] += v[i];
      tree.move(i, box(i));
    }
    return tree.pairs().size();
  };
  for (int i = 0; i < 30; ++i) step();
  int steps = 0;
  std::size_t pairs = 0;
  const std::clock_t begin = std::clock();
  do {
    pairs += step();
    ++steps;
  } while (seconds_since(begin) < 0.5);
  const double seconds = seconds_since(begin) / steps;
  fmt::print("{:>6} spheres: {:6.0f} ns a sphere and step, {:.2f} pairs a sphere, tree height {}\n", n,
             seconds / n * 1e9, static_cast<double>(pairs) / steps / n, tree.height());
  return seconds;
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 10000;
  time_pairs();
  double first = 0, last = 0;
  for (int n = 100; n <= largest; n *= 10) {
    last = time_spheres(n);
    if (n == 100) first = last;
  }
  if (largest > 100)
    fmt::print("growth exponent {:.2f} (n log n: {:.2f})\n",
               std::log(last / first) / std::log(largest / 100.0),
               1 + std::log(std::log(largest) / std::log(100.0)) / std::log(largest / 100.0));
}
