#include "tappet/results/joint_loads.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/multibody/kinematics.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet {
namespace {

/// Columns by name; the first that is missing is said.
class LoadColumns {
 public:
  explicit LoadColumns(const ResultFile& result) : result_(result) {}
  bool has(const std::string& name) const {
    const auto& all = result_.columns();
    return std::any_of(all.begin(), all.end(), [&](const Signal& s) { return s.name == name; });
  }
  std::vector<double> operator()(const std::string& name) const {
    if (!has(name))
      refuse(result_.path(),
             fmt::format("'{}' was not recorded, and loads of joints need it: let `output.signals` "
                         "name it, or leave that key out",
                         name));
    return result_.column(name);
  }

 private:
  const ResultFile& result_;
};

/// Rotation and place of a body over the run; the ground has neither.
struct BodyPath {
  std::vector<Mat3> R;
  std::vector<Vec3> r;
};
BodyPath path_of(const LoadColumns& columns, const std::string& body, bool planar, std::size_t rows) {
  BodyPath out{std::vector<Mat3>(rows, Mat3::Identity()), std::vector<Vec3>(rows, Vec3::Zero())};
  if (body == "ground") return out;
  const std::vector<double> x = columns(body + ".x"), y = columns(body + ".y");
  std::vector<double> z(rows, 0.0), angle, q[4];
  if (planar) {
    angle = columns(body + ".angle");
  } else {
    z = columns(body + ".z");
    const char* parts[] = {".qw", ".qx", ".qy", ".qz"};
    for (int i = 0; i < 4; ++i) q[i] = columns(body + parts[i]);
  }
  for (std::size_t n = 0; n < rows; ++n) {
    out.r[n] = {x[n], y[n], z[n]};
    if (planar) {
      const double c = std::cos(angle[n]), s = std::sin(angle[n]);
      out.R[n] << c, -s, 0, s, c, 0, 0, 0, 1;
    } else {
      const double e[] = {q[0][n], q[1][n], q[2][n], q[3][n]};
      out.R[n] = rotation_of(e);
    }
  }
  return out;
}

const Object& joint_named(const ResultFile& result, const Spec& spec, const std::string& name) {
  std::vector<std::string> names;
  for (const Object& joint : spec.joints) {
    if (joint.name == name) return joint;
    names.push_back(joint.name);
  }
  const std::string near = nearest_name(name, names);
  refuse(result.path(),
         fmt::format("there is no joint '{}'{}; joints: {}", name,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), join_names(names)));
}

Vec3 point_of(const Object& joint, int side) {
  Vec3 out = Vec3::Zero();
  if (!joint.has("points")) return out;
  const std::vector<double>& p = joint.points("points")[side];
  for (std::size_t i = 0; i < p.size() && i < 3; ++i) out[static_cast<int>(i)] = p[i];
  return out;
}

JointLoads loads_of(const ResultFile& result, const Object& joint, bool planar, int side) {
  const LoadColumns columns(result);
  const std::string names[] = {joint.names("bodies")[0].text, joint.names("bodies")[1].text};
  const std::string& n = joint.name;
  JointLoads out{
      .joint = n, .body = names[side], .point = point_of(joint, side), .planar = planar, .rows = {}};
  const std::vector<double> time = columns("time"), fx = columns(n + ".fx"), fy = columns(n + ".fy");
  const std::size_t rows = time.size();
  std::vector<double> fz(rows, 0.0), tx(rows, 0.0), ty(rows, 0.0), tz;
  if (planar)
    tz = columns(n + ".torque");
  else
    fz = columns(n + ".fz"), tx = columns(n + ".tx"), ty = columns(n + ".ty"), tz = columns(n + ".tz");
  const BodyPath own = path_of(columns, names[side], planar, rows);
  BodyPath other;
  if (side == 0) other = path_of(columns, names[1], planar, rows);
  for (std::size_t k = 0; k < rows; ++k) {
    Vec3 force(fx[k], fy[k], fz[k]), moment(tx[k], ty[k], tz[k]);
    if (side == 0) {
      const Vec3 arm =
          other.r[k] + other.R[k] * point_of(joint, 1) - own.r[k] - own.R[k] * point_of(joint, 0);
      moment = (-moment - arm.cross(force)).eval(), force = -force;
    }
    force = (own.R[k].transpose() * force).eval(), moment = (own.R[k].transpose() * moment).eval();
    out.rows.push_back({time[k], force.x(), force.y(), force.z(), moment.x(), moment.y(), moment.z()});
  }
  return out;
}

Spec spec_of(const ResultFile& result) {
  return spec_from_text(result.header().model_text, result.header().model_file);
}

}  // namespace

JointLoads joint_loads(const ResultFile& result, const std::string& name, const std::string& body) {
  const Spec spec = spec_of(result);
  const Object& joint = joint_named(result, spec, name);
  if (!joint.has("bodies") || joint.names("bodies").size() != 2)
    refuse(result.path(), fmt::format("joint '{}' couples joints and acts at no point of a body", name));
  const std::string names[] = {joint.names("bodies")[0].text, joint.names("bodies")[1].text};
  int side = names[1] == "ground" ? 0 : 1;
  if (!body.empty()) {
    if (body != names[0] && body != names[1])
      refuse(result.path(), fmt::format("joint '{}' does not join '{}'; its bodies: {}, {}", name, body,
                                        names[0], names[1]));
    side = body == names[1] ? 1 : 0;
  }
  return loads_of(result, joint, spec.dimension == Dimension::planar, side);
}

std::vector<JointLoads> all_joint_loads(const ResultFile& result) {
  const Spec spec = spec_of(result);
  const LoadColumns columns(result);
  std::vector<JointLoads> out;
  for (const Object& joint : spec.joints) {
    if (!joint.has("bodies") || !columns.has(joint.name + ".fx")) continue;
    // A joint with play has a contact's signals, and no moment.
    if (!columns.has(joint.name + (spec.dimension == Dimension::planar ? ".torque" : ".tx"))) continue;
    for (int side = 0; side < 2; ++side)
      if (joint.names("bodies")[side].text != "ground")
        out.push_back(loads_of(result, joint, spec.dimension == Dimension::planar, side));
  }
  return out;
}

std::string loads_text(const JointLoads& loads) {
  std::string out = loads.planar ? "time [s],fx [N],fy [N],mz [N m]\n"
                                 : "time [s],fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m]\n";
  for (const auto& row : loads.rows) {
    if (loads.planar)
      out += fmt::format("{},{},{},{}\n", row[0], row[1], row[2], row[6]);
    else
      out += fmt::format("{},{},{},{},{},{},{}\n", row[0], row[1], row[2], row[3], row[4], row[5], row[6]);
  }
  return out;
}

std::string loads_table(const std::vector<JointLoads>& all) {
  std::string out =
      "joint,body,largest force [N],at [s],largest moment [N m],at [s],rms force [N],rms moment [N m]\n";
  for (const JointLoads& loads : all) {
    double force = 0, moment = 0, at_force = 0, at_moment = 0, sum_force = 0, sum_moment = 0;
    for (const auto& row : loads.rows) {
      const double f = std::hypot(row[1], row[2], row[3]), m = std::hypot(row[4], row[5], row[6]);
      if (f > force) force = f, at_force = row[0];
      if (m > moment) moment = m, at_moment = row[0];
      sum_force += f * f, sum_moment += m * m;
    }
    const double count = static_cast<double>(std::max<std::size_t>(loads.rows.size(), 1));
    out +=
        fmt::format("{},{},{},{},{},{},{},{}\n", csv_field(loads.joint), csv_field(loads.body), force,
                    at_force, moment, at_moment, std::sqrt(sum_force / count), std::sqrt(sum_moment / count));
  }
  return out;
}

}  // namespace tappet
