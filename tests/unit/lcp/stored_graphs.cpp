// Contact graphs of rigid bodies: the geometry is invented here, the solvers see only the numbers.
#include <cmath>
#include <map>
#include <tuple>

#include <Eigen/Geometry>

#include "unit/lcp/stored_problems.hpp"

namespace tappet::lcp::stored {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

constexpr double step = 1e-3, gravity = 9.81;

struct Body {
  Vector3d centre;
  double mass = 1;
  Vector3d inertia = Vector3d::Ones();
};

/// Rows (n, t1, t2) of the velocity of a point of the body, its columns divided by √m and √J.
MatrixXd weighted_rows(const Body& body, const Vector3d& point, const Matrix3d& frame, double sign) {
  const Vector3d arm = point - body.centre;
  MatrixXd rows(3, 6);
  for (int k = 0; k < 3; ++k) {
    const Vector3d axis = frame.col(k);
    rows.row(k).head<3>() = sign / std::sqrt(body.mass) * axis.transpose();
    rows.row(k).tail<3>() = sign * arm.cross(axis).cwiseQuotient(body.inertia.cwiseSqrt()).transpose();
  }
  return rows;
}

Matrix3d frame_of(const Vector3d& normal) {
  Matrix3d frame;
  frame.col(0) = normal.normalized();
  frame.col(1) = frame.col(0).unitOrthogonal();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

/// Normal points from `a` to `b`, u_n > 0 opens; body −1 is the ground.
struct Touch {
  int a = -1, b = -1;
  Vector3d point, normal;
};

ContactGraph assemble(const std::vector<Body>& bodies, const std::vector<Touch>& touches, double mu,
                      double shake, Random& random) {
  ContactGraph graph;
  const int n = static_cast<int>(bodies.size());
  graph.velocity.setZero(6 * n);
  for (int i = 0; i < n; ++i) {
    graph.factor.add_columns(6);
    Vector3d v(shake * random.normal(), shake * random.normal(), -gravity * step + shake * random.normal());
    graph.velocity.segment<3>(6 * i) = std::sqrt(bodies[i].mass) * v;
  }
  for (const Touch& touch : touches) {
    const Matrix3d frame = frame_of(touch.normal);
    graph.factor.add_row(3);
    const int first = std::min(touch.a, touch.b), second = std::max(touch.a, touch.b);
    for (int body : {first, second})
      if (body >= 0)
        graph.factor.add_block(body) =
            weighted_rows(bodies[body], touch.point, frame, body == touch.b ? 1 : -1);
  }
  graph.mu.setConstant(touches.size(), mu);
  graph.b.setZero(graph.factor.rows());
  multiply_add(graph.factor, graph.velocity.data(), graph.b.data());
  return graph;
}

}  // namespace

ContactGraph sphere_lattice(int count, double mu, std::uint64_t seed) {
  Random random(seed);
  const double radius = 0.01, mass = 2500 * 4.0 / 3.0 * M_PI * std::pow(radius, 3);
  const int side = std::max(2, static_cast<int>(std::cbrt(count / 0.9) + 0.5));

  // Hexagonal layers; every tenth place stays empty, so that force chains are irregular.
  std::vector<Body> bodies;
  std::map<std::tuple<int, int, int>, std::vector<int>> cells;
  const auto cell = [&](const Vector3d& p) {
    return std::tuple(static_cast<int>(std::floor(p.x() / (2 * radius))),
                      static_cast<int>(std::floor(p.y() / (2 * radius))),
                      static_cast<int>(std::floor(p.z() / (2 * radius))));
  };
  for (int layer = 0; static_cast<int>(bodies.size()) < count; ++layer)
    for (int row = 0; row < side; ++row)
      for (int place = 0; place < side && static_cast<int>(bodies.size()) < count; ++place) {
        if (random.uniform(0, 1) < 0.1) continue;
        const Vector3d p = radius * Vector3d(1 + 2 * place + (row + layer) % 2,
                                             1 + std::sqrt(3.0) * (row + (layer % 2) / 3.0),
                                             1 + 2 * std::sqrt(6.0) / 3 * layer);
        cells[cell(p)].push_back(static_cast<int>(bodies.size()));
        bodies.push_back({p, mass, Vector3d::Constant(0.4 * mass * radius * radius)});
      }

  std::vector<Touch> touches;
  const double width = radius * (2 * side + 1), depth = radius * (2 + std::sqrt(3.0) * (side - 1 + 1 / 3.0));
  const double reach = 2 * radius * (1 + 1e-6);
  for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
    const Vector3d& p = bodies[i].centre;
    // Floor and walls.
    if (p.z() < radius * 1.0001) touches.push_back({-1, i, Vector3d(p.x(), p.y(), 0), Vector3d::UnitZ()});
    if (p.x() < radius * 1.0001) touches.push_back({-1, i, Vector3d(0, p.y(), p.z()), Vector3d::UnitX()});
    if (p.x() > width - radius * 1.0001)
      touches.push_back({-1, i, Vector3d(width, p.y(), p.z()), -Vector3d::UnitX()});
    if (p.y() < radius * 1.0001) touches.push_back({-1, i, Vector3d(p.x(), 0, p.z()), Vector3d::UnitY()});
    if (p.y() > depth - radius * 1.0001)
      touches.push_back({-1, i, Vector3d(p.x(), depth, p.z()), -Vector3d::UnitY()});
    // Neighbours of a higher number.
    const auto [cx, cy, cz] = cell(p);
    for (int dx = -1; dx <= 1; ++dx)
      for (int dy = -1; dy <= 1; ++dy)
        for (int dz = -1; dz <= 1; ++dz) {
          const auto at = cells.find({cx + dx, cy + dy, cz + dz});
          if (at == cells.end()) continue;
          for (int j : at->second)
            if (j > i && (bodies[j].centre - p).norm() < reach)
              touches.push_back({i, j, 0.5 * (p + bodies[j].centre), bodies[j].centre - p});
        }
  }
  return assemble(bodies, touches, mu, 0.1 * gravity * step, random);
}

ContactGraph box_stack(int count, double mu, double mass_ratio) {
  Random random(7);
  std::vector<Body> bodies;
  std::vector<Touch> touches;
  for (int i = 0; i < count; ++i) {
    // The heaviest is on top.
    const double mass = count > 1 ? std::pow(mass_ratio, static_cast<double>(i) / (count - 1)) : 1;
    bodies.push_back({Vector3d(0, 0, 0.5 + i), mass, Vector3d::Constant(mass / 6)});
    for (double x : {-0.5, 0.5})
      for (double y : {-0.5, 0.5}) touches.push_back({i - 1, i, Vector3d(x, y, i), Vector3d::UnitZ()});
  }
  return assemble(bodies, touches, mu, 0.05 * gravity * step, random);
}

ContactGraph box_wall(int columns, int rows, double mu) {
  Random random(11);
  std::vector<Body> bodies;
  std::vector<Touch> touches;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const double x = i + 0.5 * (j % 2), z = 0.25 + 0.5 * j;
      const int self = static_cast<int>(bodies.size());
      bodies.push_back({Vector3d(x, 0, z), 1, Vector3d(0.04, 0.1, 0.1)});
      // Half a box to the left and half to the right below, two contacts along the depth at each end of the
      // overlap.
      for (int side = 0; side < 2; ++side) {
        const int below = i + (j % 2 ? side : side - 1);
        const int under = j == 0 ? -1 : (below < 0 || below >= columns ? -2 : (j - 1) * columns + below);
        if (under == -2) continue;
        for (double end : {0.0, 0.5})
          for (double y : {-0.25, 0.25})
            touches.push_back(
                {under, self, Vector3d(x - 0.5 + 0.5 * side + end, y, z - 0.25), Vector3d::UnitZ()});
      }
    }
  return assemble(bodies, touches, mu, 0, random);
}

ContactGraph rock_pile(int count, double mu, double mass_ratio, std::uint64_t seed) {
  Random random(seed);
  const int side = static_cast<int>(std::ceil(std::cbrt(count)));
  std::vector<Body> bodies;
  for (int k = 0; k < count; ++k) {
    const double mass = std::pow(mass_ratio, random.uniform(0, 1));
    const Vector3d place(k % side, k / side % side, 0.7 + k / (side * side));
    const Vector3d shift(random.normal(), random.normal(), random.normal());
    const Vector3d inertia(random.uniform(0.05, 0.2), random.uniform(0.05, 0.2), random.uniform(0.05, 0.2));
    bodies.push_back({place + 0.1 * shift, mass, mass * inertia});
  }
  std::vector<Touch> touches;
  const auto face = [&](int a, int b, const Vector3d& middle, const Vector3d& normal) {
    const Matrix3d frame = frame_of(normal);
    for (int corner = 0; corner < 4; ++corner) {
      const double angle = M_PI / 2 * corner;
      const Vector3d point = middle + 0.2 * (std::cos(angle) * frame.col(1) + std::sin(angle) * frame.col(2));
      const Vector3d rough(random.normal(), random.normal(), random.normal());
      touches.push_back({a, b, point, frame.col(0) + 0.02 * rough});
    }
  };
  for (int i = 0; i < count; ++i) {
    const Vector3d& p = bodies[i].centre;
    if (p.z() < 1.2) face(-1, i, Vector3d(p.x(), p.y(), 0), Vector3d::UnitZ());
    for (int j = i + 1; j < count; ++j)
      if (const Vector3d d = bodies[j].centre - p; d.norm() < 1.15)
        face(i, j, 0.5 * (p + bodies[j].centre), d);
  }
  return assemble(bodies, touches, mu, 0.1 * gravity * step, random);
}

ContactGraph random_graph(int body_count, int contacts, double mu, double mass_ratio, std::uint64_t seed) {
  Random random(seed);
  std::vector<Body> bodies;
  for (int i = 0; i < body_count; ++i) {
    const double mass = std::pow(mass_ratio, random.uniform(0, 1));
    const Vector3d inertia =
        mass * Vector3d(random.uniform(0.05, 0.2), random.uniform(0.05, 0.2), random.uniform(0.05, 0.2));
    bodies.push_back({Vector3d(random.uniform(), random.uniform(), random.uniform(0, 2)), mass, inertia});
  }
  std::vector<Touch> touches;
  for (int c = 0; c < contacts; ++c) {
    int a = c % 3 == 0 ? -1 : random.below(body_count), b = random.below(body_count);
    while (a == b) b = random.below(body_count);
    // Normals lean upwards from the lower to the higher, so that opening everything is possible.
    if (a >= 0 && bodies[a].centre.z() > bodies[b].centre.z()) std::swap(a, b);
    const Vector3d normal(0.4 * random.normal(), 0.4 * random.normal(), 1);
    const Vector3d point =
        bodies[b].centre - 0.5 * normal.normalized() + 0.2 * Vector3d(random.normal(), random.normal(), 0);
    touches.push_back({a, b, point, normal});
  }
  return assemble(bodies, touches, mu, gravity * step, random);
}

ConeProblem gram_form(const ContactGraph& graph) {
  ConeProblem out;
  out.W = Gram{graph.factor};
  out.b = graph.b;
  out.mu = graph.mu;
  return out;
}

ConeProblem sparse_form(const ContactGraph& graph) {
  ConeProblem out = gram_form(graph);
  out.W = gram(graph.factor);
  return out;
}

ConeProblem dense_form(const ContactGraph& graph) {
  ConeProblem out = gram_form(graph);
  out.W = gram(graph.factor).dense();
  return out;
}

namespace {

/// The first `keep` rows of each contact, dense.
std::pair<MatrixXd, VectorXd> first_rows(const ContactGraph& graph, int keep) {
  const MatrixXd whole = graph.factor.dense();
  const int contacts = static_cast<int>(graph.mu.size());
  MatrixXd rows(keep * contacts, whole.cols());
  VectorXd b(keep * contacts);
  for (int c = 0; c < contacts; ++c) {
    rows.middleRows(keep * c, keep) = whole.middleRows(3 * c, keep);
    b.segment(keep * c, keep) = graph.b.segment(3 * c, keep);
  }
  return {rows * rows.transpose(), b};
}

}  // namespace

Lcp frictionless(const ContactGraph& graph) {
  const auto [w, b] = first_rows(graph, 1);
  return {w, b};
}

ConeProblem planar(const ContactGraph& graph) {
  const auto [w, b] = first_rows(graph, 2);
  ConeProblem out;
  out.dimension = 2;
  out.W = w;
  out.b = b;
  out.mu = graph.mu;
  return out;
}

}  // namespace tappet::lcp::stored
