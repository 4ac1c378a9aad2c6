#include "tappet/results/deformation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>

#include <Eigen/Dense>
#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "tappet/results/base64.hpp"
#include "tappet/results/rigid_fit.hpp"

namespace tappet {
namespace {

using Json = nlohmann::ordered_json;
using Eigen::MatrixXd;

/// Records that are looked at; more are left out evenly.
constexpr std::size_t most_records = 400;
/// Largest part of the largest displacement that a drawn node may be off.
constexpr double accepted = 2e-3;

/// Corners of the faces of VTK's solids, outwards.
const std::vector<std::vector<int>>& faces_of(int vtk_type) {
  static const std::vector<std::vector<int>> none,
      tetrahedron = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}},
      hexahedron = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
      triangle = {{0, 1, 2}}, quadrangle = {{0, 1, 2, 3}};
  switch (vtk_type) {
    case 5:
    case 22:
      return triangle;
    case 9:
      return quadrangle;
    case 10:
    case 24:
      return tetrahedron;
    case 12:
      return hexahedron;
    default:
      return none;
  }
}

}  // namespace

DrawnPart drawn_part(const fem::FieldMesh& mesh) {
  std::map<std::array<int, 4>, std::pair<int, std::array<int, 4>>> met;
  std::vector<std::array<int, 2>> lines;
  for (std::size_t e = 0; e < mesh.element_count(); ++e) {
    const int* own = mesh.cells.data() + (e > 0 ? mesh.ends[e - 1] : 0);
    if (mesh.types[e] == 3 || mesh.types[e] == 21) lines.push_back({own[0], own[1]});
    for (const std::vector<int>& corners : faces_of(mesh.types[e])) {
      std::array<int, 4> face{};
      for (std::size_t k = 0; k < 4; ++k) face[k] = own[corners[std::min(k, corners.size() - 1)]];
      std::array<int, 4> key = face;
      std::sort(key.begin(), key.end());
      auto& entry = met[key];
      ++entry.first;  // a face inside a solid is met twice
      entry.second = face;
    }
  }
  DrawnPart out;
  std::vector<int> number(mesh.node_count(), -1);
  const auto add = [&](int node) {
    if (number[node] < 0) {
      number[node] = static_cast<int>(out.nodes.size());
      out.nodes.push_back(node);
    }
    return static_cast<std::uint32_t>(number[node]);
  };
  for (const auto& [key, entry] : met)
    if (entry.first == 1)
      for (int n : entry.second) out.faces.push_back(add(n));
  for (const auto& line : lines)
    for (int n : line) out.lines.push_back(add(n));
  return out;
}

std::vector<double> node_stress(const fem::FieldMesh& mesh, const std::vector<double>& stress) {
  std::vector<double> sum(mesh.node_count(), 0.0), count(mesh.node_count(), 0.0);
  for (std::size_t e = 0; e < mesh.element_count(); ++e)
    for (int k = e > 0 ? mesh.ends[e - 1] : 0; k < mesh.ends[e]; ++k) {
      sum[mesh.cells[k]] += stress[fem::stress_numbers * e];
      count[mesh.cells[k]] += 1;
    }
  for (std::size_t n = 0; n < sum.size(); ++n) sum[n] /= std::max(count[n], 1.0);
  return sum;
}

namespace {

/// Shapes of 16 bits a number, and how much of each is in each record.
struct Shapes {
  std::vector<std::int16_t> shape;  ///< one after the other
  std::vector<float> amount;        ///< records × shapes
  int count = 0;
  double error = 0;  ///< largest, against the largest displacement
};

Shapes find_shapes(MatrixXd X, int most) {
  Shapes out;
  const double largest = X.size() > 0 ? X.cwiseAbs().maxCoeff() : 0;
  if (!(largest > 0)) return out;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(X.transpose() * X);
  std::vector<Eigen::VectorXd> amounts;
  double left = largest;
  for (int k = static_cast<int>(X.cols()) - 1; k >= 0 && out.count < most && left > accepted * largest; --k) {
    Eigen::VectorXd shape = X * eigen.eigenvectors().col(k);  // what is left of X: rounding is taken along
    const double high = shape.cwiseAbs().maxCoeff();
    if (!(high > 0)) break;
    for (Eigen::Index i = 0; i < shape.size(); ++i) {
      const double rounded = std::round(shape[i] / high * 32767);
      out.shape.push_back(static_cast<std::int16_t>(rounded));
      shape[i] = rounded;
    }
    amounts.push_back(X.transpose() * shape / shape.squaredNorm());
    X.noalias() -= shape * amounts.back().transpose();
    left = X.cwiseAbs().maxCoeff();
    ++out.count;
  }
  for (Eigen::Index f = 0; f < X.cols(); ++f)
    for (const Eigen::VectorXd& amount : amounts) out.amount.push_back(static_cast<float>(amount[f]));
  out.error = left / largest;
  return out;
}

std::uint8_t byte_of(double v, double highest) {
  return static_cast<std::uint8_t>(highest > 0 ? std::lround(255 * v / highest) : 0);
}

Json mesh_json(const fem::FieldMesh& mesh, const DrawnPart& drawn) {
  std::vector<float> nodes;
  for (int node : drawn.nodes)
    for (int d = 0; d < 3; ++d) nodes.push_back(static_cast<float>(mesh.nodes[3 * node + d]));
  return {{"name", mesh.name},
          {"nodes", base64(nodes)},
          {"faces", base64(drawn.faces)},
          {"lines", base64(drawn.lines)}};
}

/// From here on a structure has turned too far for its shapes to say so well, rad.
constexpr double turned_far = 0.05;

/// Columns that say where the frame of a body of this name is: x, y, angle, or x, y, z and a quaternion. Empty: not recorded.
std::vector<std::size_t> pose_columns(const ResultFile& result, const std::string& name) {
  for (const std::vector<const char*>& parts :
       {std::vector<const char*>{"x", "y", "angle"}, {"x", "y", "z", "qw", "qx", "qy", "qz"}}) {
    std::vector<std::size_t> out;
    for (const char* part : parts)
      for (std::size_t c = 0; c < result.columns().size(); ++c)
        if (result.columns()[c].name == name + "." + part) out.push_back(c);
    if (out.size() == parts.size()) return out;
  }
  return {};
}

RigidFit pose_of(std::span<const double> row) {
  RigidFit out;
  if (row.size() == 3) {
    out.to = Vec3(row[0], row[1], 0);
    out.R = Eigen::AngleAxisd(row[2], Vec3::UnitZ()).toRotationMatrix();
  } else {
    out.to = Vec3(row[0], row[1], row[2]);
    out.R = Eigen::Quaterniond(row[3], row[4], row[5], row[6]).normalized().toRotationMatrix();
  }
  return out;
}

/// Takes the rigid motion out of displacements X, a column per record, of nodes that turn far: those of a body whose frame is
/// recorded by that, others by the rigid motion that comes nearest. Returns a pose per record, p and a quaternion, such that a
/// node is at p + R (x + u); none where nothing turns far.
std::vector<float> take_poses(const ResultFile& result, const fem::FieldMesh& mesh,
                              const std::vector<std::size_t>& rows, const std::vector<double>& nodes,
                              MatrixXd& X) {
  const std::vector<std::size_t> columns =
      mesh.carried ? pose_columns(result, mesh.name) : std::vector<std::size_t>{};
  std::vector<RigidFit> poses;
  Mat3 near = Mat3::Identity();
  double most = 0;
  for (Eigen::Index f = 0; f < X.cols(); ++f) {
    poses.push_back(columns.empty() ? rigid_fit(nodes, {X.col(f).data(), nodes.size()}, near)
                                    : pose_of(result.read(rows[static_cast<std::size_t>(f)], 1, columns)));
    near = poses.back().R;
    most = std::max(most, Eigen::AngleAxisd(near).angle());
  }
  std::vector<float> out;
  if (!mesh.carried && most < turned_far) return out;
  for (Eigen::Index f = 0; f < X.cols(); ++f) {
    const RigidFit& pose = poses[static_cast<std::size_t>(f)];
    for (Eigen::Index i = 0; i < X.rows(); i += 3)
      X.block<3, 1>(i, f) = pose.left(Eigen::Map<const Vec3>(nodes.data() + i), Vec3(X.block<3, 1>(i, f)));
    const Vec3 p = pose.to - pose.R * pose.from;
    const Eigen::Quaterniond turn(pose.R);
    for (const double one : {p.x(), p.y(), p.z(), turn.w(), turn.x(), turn.y(), turn.z()})
      out.push_back(static_cast<float>(one));
  }
  return out;
}

Json one_structure(const ResultFile& result, std::size_t s, std::size_t bytes) {
  const fem::FieldMesh& mesh = result.header().structures[s];
  const DrawnPart drawn = drawn_part(mesh);
  const std::size_t n = drawn.nodes.size(), total = result.field_count();
  const std::size_t records = std::min(total, most_records);
  if (n == 0 || records == 0) return {};

  // Four characters hold three bytes. What the mesh leaves is shared by shapes and stress.
  const double fixed =
      12.0 * static_cast<double>(n) + 4.0 * static_cast<double>(drawn.faces.size() + drawn.lines.size());
  const double room = std::max(0.0, 0.75 * static_cast<double>(bytes) - fixed), size = static_cast<double>(n);
  const int most_shapes = std::max(3, static_cast<int>(0.65 * room / (6 * size)));
  const std::size_t moments =
      std::clamp<std::size_t>(static_cast<std::size_t>(0.35 * room / size), 2, records);

  MatrixXd X(3 * n, records);
  std::vector<double> time;
  std::vector<std::size_t> rows;
  std::vector<std::vector<double>> stress;
  std::vector<std::uint32_t> stress_at;
  const std::size_t time_column = 0;
  double highest = 0;
  for (std::size_t f = 0; f < records; ++f) {
    const std::size_t record = records > 1 ? f * (total - 1) / (records - 1) : 0;
    const fem::Fields fields = result.fields(s, record);
    rows.push_back(record * result.header().field_samples);
    time.push_back(result.read(rows.back(), 1, {&time_column, 1})[0]);
    for (std::size_t i = 0; i < n; ++i)
      for (int d = 0; d < 3; ++d) {
        const double u = fields.displacement[3 * drawn.nodes[i] + d];
        X(3 * i + d, f) = std::isfinite(u) ? u : 0;
      }
    // Evenly spread over the records, first and last included.
    if (moments < records && f != stress.size() * (records - 1) / (moments - 1)) continue;
    const std::vector<double> at_nodes = node_stress(mesh, fields.stress);
    stress.emplace_back();
    stress_at.push_back(static_cast<std::uint32_t>(f));
    for (int node : drawn.nodes) {
      stress.back().push_back(std::isfinite(at_nodes[node]) ? at_nodes[node] : 0);
      highest = std::max(highest, stress.back().back());
    }
  }

  std::vector<double> nodes;
  for (const int node : drawn.nodes)
    nodes.insert(nodes.end(), &mesh.nodes[3 * node], &mesh.nodes[3 * node] + 3);
  const std::vector<float> poses = take_poses(result, mesh, rows, nodes, X);

  // A structure that something holds still has a node that never moves; the others are drawn about their
  // mean.
  bool held = !poses.empty();
  for (std::size_t i = 0; i < n && !held; ++i) held = X.middleRows(3 * i, 3).isZero(0);
  std::vector<float> mean(3 * records, 0.0F);
  if (!held)
    for (std::size_t f = 0; f < records; ++f)
      for (int d = 0; d < 3; ++d) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += X(3 * i + d, f);
        const auto c = static_cast<float>(sum / size);
        mean[3 * f + d] = c;
        for (std::size_t i = 0; i < n; ++i) X(3 * i + d, f) -= static_cast<double>(c);
      }
  const Shapes shapes = find_shapes(std::move(X), most_shapes);

  std::vector<std::uint8_t> colour;
  for (const auto& moment : stress)
    for (double v : moment) colour.push_back(byte_of(v, highest));
  Json out = mesh_json(mesh, drawn);
  if (!poses.empty()) out.update({{"pose", base64(poses)}, {"carried", mesh.carried}});
  out.update({{"time", base64(time)},
              {"mean", base64(mean)},
              {"shapes", shapes.count},
              {"shape", base64(shapes.shape)},
              {"amount", base64(shapes.amount)},
              {"error", shapes.error},
              {"records", total},
              {"stress_high", highest},
              {"stress_at", base64(stress_at)},
              {"stress", base64(colour)}});
  return out;
}

}  // namespace

Json deformation_json(const ResultFile& result, std::size_t bytes) {
  Json out = Json::array();
  const auto& structures = result.header().structures;
  if (result.field_count() == 0) return out;
  double all = 0;
  for (const fem::FieldMesh& mesh : structures) all += static_cast<double>(mesh.node_count());
  for (std::size_t s = 0; s < structures.size(); ++s) {
    const double share = static_cast<double>(structures[s].node_count()) / std::max(all, 1.0);
    Json one = one_structure(result, s, static_cast<std::size_t>(share * static_cast<double>(bytes)));
    if (!one.is_null()) out.push_back(std::move(one));
  }
  return out;
}

Json drawn_mesh_json(const fem::FieldMesh& mesh) {
  return mesh_json(mesh, drawn_part(mesh));
}

Json drawn_fields_json(const fem::FieldMesh& mesh, const fem::Fields& fields) {
  const DrawnPart drawn = drawn_part(mesh);
  const std::vector<double> at_nodes = node_stress(mesh, fields.stress);
  double largest = 0, highest = 0;
  for (int node : drawn.nodes) {
    highest = std::max(highest, at_nodes[node]);
    for (int d = 0; d < 3; ++d) largest = std::max(largest, std::abs(fields.displacement[3 * node + d]));
  }
  std::vector<std::int16_t> shape;
  std::vector<std::uint8_t> colour;
  for (int node : drawn.nodes) {
    colour.push_back(byte_of(at_nodes[node], highest));
    for (int d = 0; d < 3; ++d)
      shape.push_back(static_cast<std::int16_t>(
          largest > 0 ? std::lround(fields.displacement[3 * node + d] / largest * 32767) : 0));
  }
  return {
      {"shape", base64(shape)}, {"largest", largest}, {"stress", base64(colour)}, {"stress_high", highest}};
}

}  // namespace tappet
