#include "tappet/fem/corotational.hpp"

#include <array>

#include <Eigen/Geometry>

namespace tappet::fem {
namespace {

constexpr std::size_t most_nodes = 20;

std::vector<Vec3> start_of(const Structure& s, const Element& e) {
  std::vector<Vec3> x;
  for (int n : s.nodes_of(e)) x.push_back(s.mesh.nodes[n]);
  return x;
}

Vec3 part_of(const Structure& s, int node, int first, const std::vector<double>& all) {
  if (s.node_unknowns[node] <= first) return Vec3::Zero();
  return Eigen::Map<const Vec3>(all.data() + s.first_unknown[node] + first);
}

ElementFrame frame_of(const Element& e, const std::vector<Vec3>& x) {
  return {x, dimension(e.type->shape), e.type->dofs};
}

}  // namespace

Corotational::Corotational(const Structure& s) : structure_(s) {
  ElementMatrices m;
  for (std::size_t k = 0; k < s.elements.size(); ++k) {
    const Element& e = s.elements[k];
    if (e.type->shape == CellShape::point) continue;
    const std::vector<Vec3> x = start_of(s, e);
    m.C.resize(0, 0);
    e.type->matrices({x, s.materials[e.material], s.sections[e.section]}, m);
    Part part{.frame = frame_of(e, x), .K = m.K, .C = m.C, .nodes = {}, .places = {}};
    if (s.stiffness_damping != 0) {
      if (part.C.size() == 0) part.C = Eigen::MatrixXd::Zero(m.K.rows(), m.K.cols());
      part.C += s.stiffness_damping * m.K;
    }
    damped_ = damped_ || part.C.size() > 0;
    for (int n : s.nodes_of(e)) {
      part.nodes.push_back(n);
      for (int d = 0; d < e.type->dofs; ++d) part.places.push_back(s.first_unknown[n] + d);
    }
    part.number = parts_.size(), part.first = numbers_;
    numbers_ += part.places.size();
    parts_.push_back(std::move(part));
  }
}

/// Of one element.
struct Corotational::Gathered {
  std::array<Vec3, most_nodes> x;
  std::array<Mat3, most_nodes> R;
  Gathered(const TurnedShape& shape, const std::vector<int>& nodes) {
    for (std::size_t a = 0; a < nodes.size(); ++a) x[a] = shape.x[nodes[a]], R[a] = shape.R[nodes[a]];
  }
  NodePlaces places() const { return {x.data(), R.data()}; }
};

TurnedShape Corotational::shape(const std::vector<double>& all) const {
  const Structure& s = structure_;
  TurnedShape out;
  out.x = s.mesh.nodes;
  out.R.assign(out.x.size(), Mat3::Identity());
  for (int n = 0; n < static_cast<int>(out.x.size()); ++n) {
    out.x[n] += part_of(s, n, 0, all);
    if (s.node_unknowns[n] == 6) out.R[n] = rotation_of_vector(part_of(s, n, 3, all));
  }
  deform(out);
  return out;
}

void Corotational::deform(TurnedShape& shape) const {
  shape.frames.resize(parts_.size()), shape.d.resize(numbers_);
  for (const Part& part : parts_) {
    const Gathered at(shape, part.nodes);
    shape.frames[part.number] = part.frame.rotation(at.places());
    part.frame.deformation(at.places(), shape.frames[part.number], shape.d.data() + part.first);
  }
}

double Corotational::energy(const TurnedShape& shape) const {
  double sum = 0;
  for (const Part& part : parts_) {
    const Eigen::Map<const Eigen::VectorXd> d(shape.d.data() + part.first, part.K.rows());
    sum += 0.5 * d.dot(part.K * d);
  }
  return sum;
}

std::vector<double> Corotational::forces(const TurnedShape& from, const TurnedShape& to, double theta,
                                         double h, double* loss) const {
  std::vector<double> out(structure_.unknowns, 0.0);
  Eigen::VectorXd s, f;
  if (loss) *loss = 0;
  for (const Part& part : parts_) {
    const auto size = part.K.rows();
    const Eigen::Map<const Eigen::VectorXd> d0(from.d.data() + part.first, size),
        d1(to.d.data() + part.first, size);
    s = part.K * ((1 - theta) * d0 + theta * d1);
    if (part.C.size() > 0) {
      f = part.C * (d1 - d0) / h;
      s += f;
      if (loss) *loss += f.dot(d1 - d0);
    }
    f.resize(size);
    const Gathered at0(from, part.nodes), at1(to, part.nodes);
    part.frame.pull_back(at0.places(), from.frames[part.number], at1.places(), to.frames[part.number],
                         s.data(), f.data());
    for (std::size_t i = 0; i < part.places.size(); ++i)
      out[part.places[i]] += f[static_cast<Eigen::Index>(i)];
  }
  return out;
}

std::vector<double> Corotational::forces(const TurnedShape& at) const {
  return forces(at, at, 0.5, 1, nullptr);
}

void Corotational::element_tangent(const Part& part, const TurnedShape& at, double stiffness, double damping,
                                   bool with_load, Eigen::MatrixXd& T) const {
  const Gathered places(at, part.nodes);
  const Mat3& R = at.frames[part.number];
  Eigen::MatrixXd B;
  part.frame.gradient(places.places(), R, B);
  const Eigen::MatrixXd KB = part.K * B;
  if (with_load) {
    const Eigen::VectorXd s =
        part.K * Eigen::Map<const Eigen::VectorXd>(at.d.data() + part.first, part.K.rows());
    part.frame.tangent(places.places(), R, s.data(), KB, T);
    T *= stiffness;
  } else {
    T = stiffness * (B.transpose() * KB);
  }
  if (damping != 0 && part.C.size() > 0) T += damping * (B.transpose() * (part.C * B));
}

Mat3 turned_element(const Structure& s, const Element& e, const std::vector<double>& all,
                    std::vector<double>& d) {
  const std::vector<Vec3> start = start_of(s, e);
  std::array<Vec3, most_nodes> x;
  std::array<Mat3, most_nodes> R;
  for (int a = 0; a < e.count; ++a) {
    const int n = s.nodes_of(e)[a];
    x[a] = start[a] + part_of(s, n, 0, all);
    R[a] = e.type->dofs == 6 ? rotation_of_vector(part_of(s, n, 3, all)) : Mat3(Mat3::Identity());
  }
  const ElementFrame frame = frame_of(e, start);
  const Mat3 turn = frame.rotation({x.data(), R.data()});
  d.resize(frame.unknowns());
  frame.deformation({x.data(), R.data()}, turn, d.data());
  return turn;
}

}  // namespace tappet::fem
