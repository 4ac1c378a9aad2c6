#include <algorithm>
#include <cmath>
#include <memory>
#include <random>

#include <fmt/format.h>

#include "tappet/geometry/pair.hpp"
#include "tappet/geometry/placement.hpp"
#include "tappet/spec/object.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

struct Sample {
  const char* yaml;
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

std::shared_ptr<Shape> make(const Sample& sample) {
  Diagnostics diagnostics;
  const ReadContext context{sample.dimension, &diagnostics};
  const Object object = read_object(read_yaml_text(sample.yaml, "works"), shape_family(), context);
  diagnostics.throw_if_errors();
  return make_shape(object.parameters(), sample.dimension, diagnostics);
}

/// About half of them overlap a shape of size 1 at the origin.
std::vector<Pose> random_poses(Dimension dimension, double reach) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Pose> out(64);
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

}  // namespace

std::vector<Work> pair_works() {
  std::vector<Work> out;
  std::vector<std::shared_ptr<Shape>> shapes;
  for (const Sample& sample : samples) shapes.push_back(make(sample));
  for (std::size_t i = 0; i < shapes.size(); ++i)
    for (std::size_t j = i; j < shapes.size(); ++j) {
      const Dimension dimension = samples[i].dimension;
      if (samples[j].dimension != dimension || !Pair(*shapes[i], *shapes[j])) continue;
      std::string name = fmt::format("pair {} {}", shapes[i]->kind(), shapes[j]->kind());
      if (dimension == Dimension::planar) name += " in the plane";
      out.push_back({name, [first = shapes[i], second = shapes[j], poses = random_poses(dimension, 1.2)] {
                       const Pair pair(*first, *second);
                       std::vector<Proximity> places(pair.candidates());
                       double sum = 0;
                       for (const Pose& pose : poses) {
                         pair.evaluate({}, pose, places);
                         double gap = 1;
                         for (const Proximity& one : places) gap = std::min(gap, one.gap);
                         sum += gap;
                       }
                       return sum;
                     }});
    }
  return out;
}

}  // namespace tappet::bench
