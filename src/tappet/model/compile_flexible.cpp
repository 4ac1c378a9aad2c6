#include "tappet/model/compile_flexible.hpp"

#include <cmath>
#include <filesystem>
#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <fmt/format.h>

#include "tappet/fem/body_reader.hpp"
#include "tappet/fem/flexible_reduction.hpp"
#include "tappet/model/flexible_arrays.hpp"
#include "tappet/model/flexible_surfaces.hpp"
#include "tappet/model/method.hpp"
#include "tappet/model/model.hpp"

namespace tappet {
namespace {

constexpr const char* component[3] = {"x", "y", "z"};
/// Of a body given by its integrals: some thirty matrices with as many rows and columns.
constexpr Eigen::Index most_coordinates = 1000;

/// Reads the integrals of one body; faults name the array.
class IntegralsReader {
 public:
  IntegralsReader(const std::string& body, const FlexibleArrays& arrays, bool planar,
                  Diagnostics& diagnostics)
      : body_(body), arrays_(arrays), planar_(planar), diagnostics_(diagnostics) {}

  bool good() const { return good_; }

  FlexibleIntegrals read() {
    const auto stiffness = arrays_.find("stiffness");
    if (!stiffness) {
      fault("stiffness", "is not there; it is needed, with `mass`, `inertia` and `S`");
      return {};
    }
    // Before anything is made as large.
    if (stiffness->rows() != stiffness->cols() || stiffness->rows() < 1 ||
        stiffness->rows() > most_coordinates) {
      fault("stiffness",
            fmt::format(
                "is {} × {}; it must be square, with one row for each coordinate, of which there may be {}",
                stiffness->rows(), stiffness->cols(), most_coordinates));
      return {};
    }
    m_ = static_cast<int>(stiffness->rows());
    FlexibleIntegrals out = FlexibleIntegrals::zero(m_);
    out.stiffness = square("stiffness").value_or(out.stiffness);
    read_rigid(out);
    if (const auto p = array("p", axes(), m_)) out.p.topRows(axes()) = *p;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const std::string pair = std::string(component[i]) + component[j];
        if (const auto x = array("X/" + pair, 1, m_))
          in_plane("X/" + pair, i, j), out.X[i][j] = x->row(0).transpose();
        if (const auto s = square("S/" + pair)) in_plane("S/" + pair, i, j), out.S[i][j] = *s;
      }
    complete_S(out);
    if (const auto rotary = square("rotary")) out.rotary = *rotary;
    if (const auto damping = square("damping")) out.damping = *damping;
    read_second_order(out);
    return out;
  }

  std::vector<FlexibleInterface> read_interfaces(int m) {
    std::vector<FlexibleInterface> out;
    for (const std::string& name : arrays_.interfaces()) {
      const std::string at = "interfaces/" + name + "/";
      FlexibleInterface interface;
      interface.name = name;
      if (const auto x = array(at + "position", 1, axes()))
        interface.position.head(axes()) = x->row(0).transpose();
      if (planar_) {
        if (const auto angle = array(at + "angle", 1, 1)) interface.angle = (*angle)(0, 0);
      } else if (const auto e = array(at + "orientation", 1, 4)) {
        const Eigen::Vector4d unit = e->row(0).transpose().normalized();
        interface.orientation = rotation_of(unit.data());
      }
      interface.translation = Eigen::MatrixXd::Zero(3, m);
      interface.rotation = Eigen::MatrixXd::Zero(3, m);
      if (const auto phi = array(at + "translation", axes(), m))
        interface.translation.topRows(axes()) = *phi;
      else
        fault(at + "translation", "is not there: which way each coordinate moves the interface");
      if (const auto theta = array(at + "rotation", planar_ ? 1 : 3, m))
        interface.rotation.bottomRows(planar_ ? 1 : 3) = *theta;
      for (int i = 0; i < 3; ++i) {
        if (const auto c = symmetric(at + "shift/" + component[i])) interface.shift[i] = *c;
        if (const auto d = symmetric(at + "turn/" + component[i])) interface.turn[i] = *d;
      }
      out.push_back(std::move(interface));
    }
    return out;
  }

 private:
  int axes() const { return planar_ ? 2 : 3; }

  void fault(const std::string& path, const std::string& what) {
    good_ = false;
    diagnostics_.error(arrays_.where(path), fmt::format("`{}` of flexible body '{}' {}", path, body_, what));
  }
  std::optional<Eigen::MatrixXd> array(const std::string& path, int rows, int columns) {
    const auto found = arrays_.find(path);
    if (!found) return found;
    if (found->rows() != rows || found->cols() != columns || !found->allFinite()) {
      fault(path, found->rows() == rows && found->cols() == columns
                      ? std::string("has a row that is too short, or an entry that is no number")
                      : fmt::format("is {} × {}; it must be {} × {}: the body has {} coordinates",
                                    found->rows(), found->cols(), rows, columns, m_));
      return std::nullopt;
    }
    return found;
  }
  std::optional<Eigen::MatrixXd> square(const std::string& path) { return array(path, m_, m_); }
  std::optional<Eigen::MatrixXd> symmetric(const std::string& path) {
    auto found = square(path);
    if (found && (*found - found->transpose()).cwiseAbs().maxCoeff() > 1e-9 * found->cwiseAbs().maxCoeff())
      fault(path, "is not symmetric");
    return found;
  }
  void in_plane(const std::string& path, int i, int j) {
    if (planar_ && (i == 2 || j == 2)) fault(path, "has no meaning in a planar model");
  }

  void read_rigid(FlexibleIntegrals& out) {
    if (const auto mass = array("mass", 1, 1))
      out.mass = (*mass)(0, 0);
    else
      fault("mass", "is not there");
    if (!(out.mass > 0)) fault("mass", fmt::format("is {:g} kg; it must be > 0", out.mass));
    if (const auto s = array("first_moment", 1, axes())) out.first.head(axes()) = s->row(0).transpose();
    const auto J = arrays_.find("inertia");
    Mat3 inertia = Mat3::Zero();
    if (!J) {
      fault("inertia", "is not there");
      return;
    }
    if (J->size() == 1 && planar_)
      inertia(2, 2) = (*J)(0, 0);
    else if (J->size() == 9 && !planar_)
      inertia = Eigen::Map<const Mat3>(J->data());
    else
      return fault("inertia", planar_ ? "must be one number in the plane" : "must be 3 × 3");
    // J⁰ = tr(Y) 1 − Y; in the plane only its last entry counts, Y_xx + Y_yy.
    out.second = planar_ ? Mat3(Vec3(inertia(2, 2), 0, 0).asDiagonal())
                         : Mat3(0.5 * inertia.trace() * Mat3::Identity() - inertia);
  }

  // S^{ba} is the transpose of S^{ab}: one of the two is enough.
  void complete_S(FlexibleIntegrals& out) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < i; ++j) {
        const std::string lower = std::string("S/") + component[i] + component[j],
                          upper = std::string("S/") + component[j] + component[i];
        const bool has_lower = arrays_.find(lower).has_value(), has_upper = arrays_.find(upper).has_value();
        if (has_lower && !has_upper) out.S[j][i] = out.S[i][j].transpose();
        if (has_upper && !has_lower) out.S[i][j] = out.S[j][i].transpose();
        const double size = out.S[i][j].size() ? out.S[i][j].cwiseAbs().maxCoeff() : 0;
        if (has_lower && has_upper &&
            (out.S[i][j] - out.S[j][i].transpose()).cwiseAbs().maxCoeff() > 1e-9 * size)
          fault(lower, fmt::format("is not the transpose of `{}`", upper));
      }
  }

  void read_second_order(FlexibleIntegrals& out) {
    bool any = false;
    std::array<Eigen::MatrixXd, 3> C;
    std::array<std::array<Eigen::MatrixXd, 3>, 3> X2;
    for (int i = 0; i < 3; ++i) {
      const auto c = symmetric(std::string("C/") + component[i]);
      any = any || c.has_value();
      C[i] = c.value_or(Eigen::MatrixXd(Eigen::MatrixXd::Zero(m_, m_)));
      for (int j = 0; j < 3; ++j) {
        const auto x = symmetric(std::string("X2/") + component[i] + component[j]);
        any = any || x.has_value();
        X2[i][j] = x.value_or(Eigen::MatrixXd(Eigen::MatrixXd::Zero(m_, m_)));
      }
    }
    if (any) out.C = C, out.X2 = X2;
  }

  const std::string& body_;
  const FlexibleArrays& arrays_;
  bool planar_;
  Diagnostics& diagnostics_;
  int m_ = 0;
  bool good_ = true;
};

// Damping ratios and Rayleigh's, beside what the arrays say.
void read_damping(const Object& o, FlexibleBody& body, Diagnostics& diagnostics) {
  if (!o.has("damping")) return;
  const Object& d = o.object("damping");
  const double alpha = d.number("mass"), beta = d.number("stiffness");
  if (d.given("ratio") && (d.given("mass") || d.given("stiffness")))
    diagnostics.error(
        d.where("ratio"),
        fmt::format("`damping` of flexible body '{}' has `ratio` beside Rayleigh's; give one of them",
                    body.name));
  if (body.damping.size() > 0 && body.damping.maxCoeff() > 0)
    diagnostics.error(
        d.pos,
        fmt::format("flexible body '{}' has a damping matrix already; leave `damping` out", body.name));
  for (int k = 0; k < body.modes; ++k) body.damping[k] = alpha + beta * body.stiffness[k];
  if (!d.has("ratio")) return;
  const std::vector<double>& ratio = d.vector("ratio");
  if (ratio.size() != 1 && static_cast<int>(ratio.size()) != body.modes)
    diagnostics.error(
        d.where("ratio"),
        fmt::format("`ratio` of flexible body '{}' has {} numbers; it needs one, or one for each of the "
                    "{} modes",
                    body.name, ratio.size(), body.modes));
  for (int k = 0; k < body.modes; ++k) {
    const double zeta = ratio[std::min<std::size_t>(k, ratio.size() - 1)];
    if (zeta < 0)
      diagnostics.error(
          d.where("ratio"),
          fmt::format("`ratio` of flexible body '{}' is {:g}; it must be >= 0", body.name, zeta));
    body.damping[k] = 2 * zeta * std::sqrt(body.stiffness[k]);
  }
}

// What is given in the user's coordinates, in normal ones.
void read_start(const Object& o, const char* key, const FlexibleBody& body, std::vector<double>& out,
                Diagnostics& diagnostics) {
  Eigen::VectorXd normal = Eigen::VectorXd::Zero(body.modes);
  if (o.has(key)) {
    const std::vector<double>& given = o.vector(key);
    if (static_cast<Eigen::Index>(given.size()) != body.given.rows())
      diagnostics.error(o.where(key),
                        fmt::format("`{}` of flexible body '{}' has {} numbers; it has {} coordinates", key,
                                    body.name, given.size(), body.given.rows()));
    else
      normal =
          body.given.fullPivLu().solve(Eigen::Map<const Eigen::VectorXd>(given.data(), body.given.rows()));
  }
  out.insert(out.end(), normal.data(), normal.data() + normal.size());
}

// The undeformed body must have a mass matrix.
void check_mass(const FlexibleBody& body, const Object& o, bool planar, Diagnostics& diagnostics) {
  FlexibleBodies alone;
  alone.bodies = {body};
  alone.bodies[0].body = alone.bodies[0].first = 0;
  alone.bodies[0].interface = 1;
  alone.modes = body.modes;
  alone.carried = static_cast<int>(body.interfaces.size());
  Kinematics k;
  resize(k, planar ? Dimension::planar : Dimension::spatial, 1, alone);
  FlexibleInstant at(body);
  evaluate_flexible(alone.bodies[0], k, Vec3::Zero(), false, at);
  const int width = planar ? 3 : 6;
  const Eigen::MatrixXd D =
      at.rigid.topLeftCorner(width, width) - at.B.topRows(width) * at.B.topRows(width).transpose();
  if (Eigen::LLT<Eigen::MatrixXd>(D).info() != Eigen::Success)
    diagnostics.error(
        o.pos, fmt::format(
                   "the mass matrix of flexible body '{}' is not positive definite: its integrals do not fit "
                   "together, or its shapes contain a rigid motion, which its frame makes already",
                   body.name));
}

// Which of the keys that make a body is there; an error unless it is one.
std::string one_source(const Object& o, const std::string& name, Diagnostics& diagnostics) {
  std::vector<std::string> found;
  for (const char* key : {"mesh", "generate", "matrices", "arrays"})
    if (o.has(key)) found.push_back(key);
  if (found.size() == 1) return found[0];
  diagnostics.error(o.pos,
                    fmt::format("flexible body '{}' has {}; give one of `mesh`, `generate`, `matrices` and "
                                "`arrays`",
                                name, found.empty() ? "none of its sources" : join_names(found)));
  return "";
}

bool read_arrays(const Object& o, const std::string& folder, bool planar, FlexibleBody& body,
                 FlexibleIntegrals& integrals, Diagnostics& diagnostics) {
  bool good = true;
  for (const char* key : {"scale", "material", "section", "sections", "mass", "points", "masses", "modes",
                          "boundary", "highest", "frame"})
    if (o.given(key)) {
      diagnostics.error(o.where(key),
                        fmt::format("`{}` of flexible body '{}' belongs to a mesh, which it does not "
                                    "have",
                                    key, body.name));
      good = false;
    }
  if (o.has("interfaces"))
    for (const Object& each : o.objects("interfaces"))
      for (const char* key : {"group", "at", "kind"})
        if (each.given(key)) {
          diagnostics.error(
              each.where(key),
              fmt::format("`{}` of interface '{}.{}' belongs to a mesh, which the body does not "
                          "have",
                          key, body.name, each.name));
          good = false;
        }
  const std::unique_ptr<FlexibleArrays> arrays =
      o.has("matrices") ? arrays_of_file(o, folder, diagnostics) : arrays_of(o);
  if (!arrays || !good) return false;
  body.frame = "as its integrals say";
  IntegralsReader reader(body.name, *arrays, planar, diagnostics);
  integrals = reader.read();
  if (!reader.good()) return false;
  body.interfaces = reader.read_interfaces(integrals.modes());
  if (!o.boolean("geometric_stiffening")) {
    integrals.C = {}, integrals.X2 = {};
    for (FlexibleInterface& interface : body.interfaces) interface.shift = interface.turn = {};
  }
  return reader.good();
}

// Nodes of the interfaces of a mesh.
bool find_interfaces(const Object& o, const fem::Structure& s, const std::string& body,
                     fem::FlexibleOptions& out, Diagnostics& diagnostics) {
  if (!o.has("interfaces")) {
    diagnostics.error(
        o.pos, fmt::format("flexible body '{}' has no `interfaces`; give at least one, by the `group` of "
                           "its nodes",
                           body));
    return false;
  }
  bool good = true;
  for (const Object& each : o.objects("interfaces")) {
    fem::FlexibleInterfaceNodes nodes;
    nodes.name = each.name;
    for (const char* key : {"translation", "rotation", "shift", "turn", "angle", "orientation"})
      if (each.given(key)) {
        diagnostics.error(each.where(key),
                          fmt::format("`{}` of interface '{}.{}' is for bodies given by `arrays`; of a "
                                      "mesh it follows from its nodes",
                                      key, body, each.name));
        good = false;
      }
    if (each.has("group") == each.has("at")) {
      diagnostics.error(
          each.name_pos,
          fmt::format("interface '{}.{}' has {} `group` {} `at`; give one of them", body, each.name,
                      each.has("group") ? "both" : "neither", each.has("group") ? "and" : "nor"));
      good = false;
      continue;
    }
    if (each.has("group")) {
      nodes.nodes = fem::nodes_of_group(s, each.text("group"), each.where("group"), diagnostics);
      if (nodes.nodes.empty()) {
        good = false;
        continue;
      }
    } else {
      const std::vector<double>& x = each.vector("at");
      int best = 0;
      for (int n = 0; n < static_cast<int>(s.mesh.nodes.size()); ++n)
        if ((s.mesh.nodes[n] - Vec3(x[0], x[1], x[2])).norm() <
            (s.mesh.nodes[best] - Vec3(x[0], x[1], x[2])).norm())
          best = n;
      nodes.nodes = {best};
    }
    if (each.given("position")) {
      const std::vector<double>& x = each.vector("position");
      nodes.position = Vec3(x[0], x[1], x.size() > 2 ? x[2] : 0.0);
    }
    nodes.averaged = each.text("kind") == "averaged";
    out.interfaces.push_back(std::move(nodes));
  }
  const std::string& frame = o.text("frame");
  for (std::size_t i = 0; i < out.interfaces.size(); ++i)
    if (out.interfaces[i].name == frame) out.frame = static_cast<int>(i);
  if (frame != "mean" && out.frame < 0) {
    std::vector<std::string> names = {"mean"};
    for (const auto& each : out.interfaces) names.push_back(each.name);
    diagnostics.error(o.where("frame"),
                      fmt::format("`frame` of flexible body '{}' is '{}'; it must be one of {}", body, frame,
                                  join_names(names)));
    good = false;
  }
  return good;
}

// Signals of points are called like those of interfaces.
bool check_points(const Object& o, const std::string& body, const fem::FlexibleOptions& options,
                  Diagnostics& diagnostics) {
  bool good = true;
  for (const fem::NamedPoint& point : options.points)
    for (const fem::FlexibleInterfaceNodes& interface : options.interfaces)
      if (interface.name == point.name) {
        diagnostics.error(o.where("points"),
                          fmt::format("point '{0}' of flexible body '{1}' has the name of an interface, and "
                                      "'{1}.{0}' can mean one of them only",
                                      point.name, body));
        good = false;
      }
  return good;
}

// The body's frame is not where the mesh has its origin.
void move_origin(const Vec3& origin, bool planar, Model& model) {
  if (planar) {
    double *q = model.q0.data() + model.q0.size() - 3, *u = model.u0.data() + model.u0.size() - 3;
    const Vec2 arm(std::cos(q[2]) * origin.x() - std::sin(q[2]) * origin.y(),
                   std::sin(q[2]) * origin.x() + std::cos(q[2]) * origin.y());
    for (int i = 0; i < 2; ++i) q[i] += arm[i], u[i] += u[2] * perpendicular(arm)[i];
    return;
  }
  double *q = model.q0.data() + model.q0.size() - 7, *u = model.u0.data() + model.u0.size() - 6;
  const Mat3 R = rotation_of(q + 3);
  const Vec3 arm = R * origin, turning = R * Vec3(u[3], u[4], u[5]).cross(origin);
  for (int i = 0; i < 3; ++i) q[i] += arm[i], u[i] += turning[i];
}

bool reduce_mesh(const Object& object, const std::string& folder, const Spec& spec, Model& model,
                 FlexibleBody& body, FlexibleIntegrals& integrals, Diagnostics& diagnostics) {
  const Object& o = object.object("flexible");
  const bool planar = spec.dimension == Dimension::planar;
  if (diagnostics.has_errors()) return false;
  fem::Body mesh = fem::read_body({object, folder, spec.materials, diagnostics, model.notes, "flexible"});
  if (diagnostics.has_errors()) return false;
  fem::FlexibleOptions options;
  options.modes = o.integer("modes");
  options.free_modes = o.text("boundary") == "free";
  options.highest = 2 * M_PI * o.number_or("highest", 0);
  options.planar = planar;
  options.stiffening = o.boolean("geometric_stiffening");
  options.points = mesh.points;
  // Its own damping is of modes.
  mesh.structure.mass_damping = mesh.structure.stiffness_damping = 0;
  if (!find_interfaces(o, mesh.structure, body.name, options, diagnostics) ||
      !check_points(o, body.name, options, diagnostics))
    return false;
  if (const std::string types = fem::types_without_stiffening(mesh.structure);
      options.stiffening && !types.empty()) {
    const std::string text = fmt::format(
        "geometric stiffening of flexible body '{}' is not computed for its elements, {}", body.name, types);
    if (o.given("geometric_stiffening")) {
      diagnostics.error(o.where("geometric_stiffening"), text + "; beams have it");
      return false;
    }
    diagnostics.warning(o.pos,
                        text +
                            ": where it turns as fast as its lowest natural frequency, it would be too soft; "
                            "`geometric_stiffening: false` says that this is meant");
    options.stiffening = false;
  }
  try {
    fem::FlexibleReduction made = fem::reduce_flexible(std::move(mesh.structure), options);
    integrals = std::move(made.integrals);
    body.interfaces = std::move(made.interfaces);
    body.frame = made.frame;
    body.mesh = made.mesh;
    body.unit = "m kg^0.5";
    move_origin(made.origin, planar, model);
    if (made.left_out > 0)
      model.notes.push_back(fmt::format("flexible body '{}': {} modes above {:.6g} Hz are left out",
                                        body.name, made.left_out, o.number("highest")));
  } catch (const std::runtime_error& e) {
    diagnostics.error(o.pos, fmt::format("flexible body '{}' {}", body.name, e.what()));
    return false;
  }
  return true;
}

}  // namespace

void compile_flexible(const Object& object, const Spec& spec, Model& model, std::vector<double>& q,
                      std::vector<double>& u, Diagnostics& diagnostics) {
  Mechanism& m = model.mechanism;
  const Object& o = object.object("flexible");
  const bool planar = spec.dimension == Dimension::planar;
  if (object.given("shapes"))
    diagnostics.error(
        object.where("shapes"),
        fmt::format("body '{}' has `flexible` and `shapes`; shapes of a flexible body stand at its "
                    "interfaces, `flexible.interfaces.NAME.shapes`, which carry them",
                    object.name));
  for (const char* key : {"mass", "density", "inertia", "structure"})
    if (object.given(key))
      diagnostics.error(
          object.where(key),
          fmt::format("body '{}' has `flexible` and `{}`; leave one of them out", object.name, key));
  if (o.boolean("large_rotations"))
    diagnostics.error(
        o.where("large_rotations"),
        "`large_rotations: true`, elements that turn without reduction, is for a body's `structure`");
  if (one_source(o, object.name, diagnostics).empty()) return;
  const std::string folder = std::filesystem::path(spec.file).parent_path().string();
  FlexibleBody body;
  body.name = object.name;
  body.body = static_cast<int>(m.bodies.size()) - 1;
  FlexibleIntegrals integrals;
  const bool good = o.has("matrices") || o.has("arrays")
                        ? read_arrays(o, folder, planar, body, integrals, diagnostics)
                        : reduce_mesh(object, folder, spec, model, body, integrals, diagnostics);
  if (!good) return;
  try {
    prepare(body, integrals);
  } catch (const std::runtime_error& e) {
    diagnostics.error(o.pos, fmt::format("flexible body '{}': {}", object.name, e.what()));
    return;
  }
  check_mass(body, o, planar, diagnostics);
  read_damping(o, body, diagnostics);
  read_start(o, "coordinates", body, q, diagnostics);
  read_start(o, "rates", body, u, diagnostics);
  Body& rigid = m.bodies.back();
  rigid.mass = body.mass;
  rigid.has_inertia = true;
  if (planar)
    rigid.inertia(2, 2) = body.J0(2, 2);
  else
    rigid.inertia = body.J0;
  add_surface_nodes(spec, body, diagnostics);
  body.first = m.flexible.modes;
  m.flexible.modes += body.modes;
  m.flexible.carried += static_cast<int>(body.interfaces.size());
  model.notes.push_back(
      fmt::format("flexible body '{}': {:.6g} kg, {} modes from {:.6g} to {:.6g} Hz, frame {}", body.name,
                  body.mass, body.modes, std::sqrt(body.stiffness.minCoeff()) / (2 * M_PI),
                  std::sqrt(body.stiffness.maxCoeff()) / (2 * M_PI), body.frame));
  m.flexible.bodies.push_back(std::move(body));
}

void check_frames(const std::vector<int>& frames, const std::string& what, const SourcePos& pos,
                  const Mechanism& m, Diagnostics& diagnostics) {
  for (const FlexibleBody& body : m.flexible.bodies) {
    const auto on_surface = [&](int frame) {
      const int n = frame - body.interface;
      return n >= 0 && n < static_cast<int>(body.interfaces.size()) && body.interfaces[n].of_surface();
    };
    if (const auto at = std::find_if(frames.begin(), frames.end(), on_surface); at != frames.end())
      diagnostics.error(
          pos, fmt::format("{} acts on '{}', a node that contacts name, which does not turn by itself; "
                           "make it an interface",
                           what, m.frame_name(*at)));
    if (std::find(frames.begin(), frames.end(), body.body) == frames.end()) continue;
    std::vector<std::string> names;
    for (const FlexibleInterface& interface : body.interfaces)
      if (!interface.of_surface()) names.push_back(body.name + "." + interface.name);
    diagnostics.error(
        pos, fmt::format("{} acts on '{}', which is flexible: name one of its interfaces{}{}", what,
                         body.name, names.empty() ? ", of which it has none" : ": ", join_names(names)));
  }
}

void refuse_for_flexible(const Spec& spec, const Model& model, Diagnostics& diagnostics) {
  const Mechanism& m = model.mechanism;
  if (m.flexible.bodies.empty()) return;
  const SourcePos pos = spec.simulation.where("method");
  const MethodType& method = method_type(model.settings);
  if (method.treatment == ContactTreatment::steps) {
    if (model.settings.theta != 0.5)
      diagnostics.error(
          spec.simulation.where("theta"),
          "flexible bodies need `theta: 0.5`: their elastic part is stepped by the midpoint rule");
    if (!model.structures.empty())
      diagnostics.error(pos, "method moreau does not compute flexible bodies beside structures; smooth does");
  }
  if (!method.rigid()) return;
  for (const auto& contact : m.contacts)
    for (const int body : contact->bodies)
      if (contact->rigid && body >= m.body_count() && body < m.ground() && contact->rigid->restitution > 0) {
        diagnostics.warning(
            pos,
            fmt::format(
                "contact '{}' gives flexible body '{}' impulses with a restitution: what they do depends "
                "on the number of its modes and does not converge as these grow; force laws of method "
                "smooth do, and restitution 0",
                contact->name, m.flexible.carrier(body).name));
        return;
      }
}

}  // namespace tappet
