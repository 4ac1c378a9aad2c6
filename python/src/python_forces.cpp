// Forces written in Python: `forces: {NAME: {type: FUNCTION, body: ..., point: ..., reaction: ...}}`, the
// function's keyword arguments being further keys.
//
//   F = f(t, r_P, v_P, …) on the point P of `body`, −F at the same place on `reaction`; in the plane also of
//   the body's angle and its rate. World axes. A function registered with torque=True returns the torque's
//   components after the force's.
//
// The power of what it does is the ledger's input, as for every applied force.

#include <array>

#include <fmt/format.h>

#include "functions.hpp"
#include "tappet/multibody/force.hpp"

namespace tappet::python {

namespace {

/// What a function may ask for, in the order of tappet/_functions.py.
enum Quantity { time, x, y, z, vx, vy, vz, angle, omega, quantity_count };

std::map<std::string, Function>& forces() {
  static auto& all = *new std::map<std::string, Function>;
  return all;
}

class PythonForce final : public ForceElement {
 public:
  PythonForce(const Function& function, const AnyParameters& object)
      : function_(function.name, function.callable, function.variables, function.parameters, object) {}

  int body = 0, reaction = -1;
  Vec3 point = Vec3::Zero();
  bool torque = false;

  void apply(const Kinematics& k, ForceSum& sum) const override {
    k.dimension == Dimension::planar ? apply_planar(k, sum) : apply_spatial(k, sum);
  }

 private:
  void apply_planar(const Kinematics& k, ForceSum& sum) const {
    const PlanarFrame& f = k.planar[body];
    const PlanarPoint p(f, point.head<2>());
    const auto out =
        components<3>({k.t, p.r.x(), p.r.y(), 0, p.v.x(), p.v.y(), 0, f.theta, f.w}, torque ? 3 : 2);
    const auto on = [&](int b, double sign) {
      const PlanarFrame& g = k.planar[b];
      const Vec2 force = sign * Vec2(out[0], out[1]);
      sum.add(g, b, p.r, force);
      sum.add_torque(b, sign * out[2]);
      sum.powers.input += force.dot(g.v + g.w * perpendicular(p.r - g.r)) + sign * out[2] * g.w;
    };
    on(body, 1);
    if (reaction >= 0) on(reaction, -1);
  }

  void apply_spatial(const Kinematics& k, ForceSum& sum) const {
    const SpatialFrame& f = k.spatial[body];
    const SpatialPoint p(f, point);
    const auto out =
        components<6>({k.t, p.r.x(), p.r.y(), p.r.z(), p.v.x(), p.v.y(), p.v.z(), 0, 0}, torque ? 6 : 3);
    const auto on = [&](int b, double sign) {
      const SpatialFrame& g = k.spatial[b];
      const Vec3 force = sign * Vec3(out[0], out[1], out[2]), moment = sign * Vec3(out[3], out[4], out[5]);
      sum.add(g, b, p.r, force);
      sum.add_torque(g, b, moment);
      sum.powers.input += force.dot(g.v + g.w.cross(p.r - g.r)) + moment.dot(g.w);
    };
    on(body, 1);
    if (reaction >= 0) on(reaction, -1);
  }

  /// What the function returns for these quantities: `count` numbers, the rest 0.
  template <std::size_t size>
  std::array<double, size> components(const std::array<double, quantity_count>& quantities,
                                      std::size_t count) const {
    const py::gil_scoped_acquire lock;
    const py::object returned = function_(quantities);
    std::array<double, size> out{};
    if (!PySequence_Check(returned.ptr()) ||
        static_cast<std::size_t>(PySequence_Size(returned.ptr())) != count)
      function_.refuse(returned, fmt::format("a list or tuple of {} numbers", count));
    for (std::size_t i = 0; i < count; ++i)
      out[i] = function_.as_number(
          py::reinterpret_steal<py::object>(PySequence_GetItem(returned.ptr(), static_cast<py::ssize_t>(i))));
    return out;
  }

  Bound function_;
};

std::unique_ptr<ForceElement> make(const AnyParameters& p, const ForceInput& in) {
  const Origin& o = in.origin;
  const Function& function = forces().at(o.type);
  static constexpr const char* names[] = {"t", "x", "y", "z", "vx", "vy", "vz", "angle", "omega"};
  const bool planar = in.dimension == Dimension::planar;
  for (const int variable : function.variables) {
    const bool known = planar ? variable != z && variable != vz : variable < angle;
    if (known) continue;
    in.diagnostics.error(
        o.pos, fmt::format("the Python function '{}' takes '{}', which {} models do not have", o.type,
                           names[variable], planar ? "planar" : "spatial"));
    return nullptr;
  }
  auto out = std::make_unique<PythonForce>(function, p);
  out->name = o.name;
  out->body = in.body(p.get("body")->text, o.where("body"));
  if (out->body < 0) return nullptr;
  out->bodies = {out->body};
  if (const auto reaction = p.get("reaction")) {
    out->reaction = in.body(reaction->text, o.where("reaction"));
    if (out->reaction < 0) return nullptr;
    out->bodies.push_back(out->reaction);
  }
  if (const auto point = p.get("point")) parameters::put(*point, out->point);
  out->torque = function.torque;
  out->turns_bodies = function.torque || out->point.norm() > 0 || out->reaction >= 0;
  return out;
}

void register_force(const py::dict& description) {
  const Function function = read_function(description);
  Busy::require_idle(function.name);
  Table table{
      .name = fmt::format("a {} force", function.name),
      .help = function.help,
      .parameters = {{.name = "body", .kind = Kind::name, .help = "the body it acts on", .required = true},
                     {.name = "point",
                      .kind = Kind::vector,
                      .unit = "m",
                      .help = "where it acts, in body coordinates; absent: the centre of mass"},
                     {.name = "reaction",
                      .kind = Kind::name,
                      .help = "the body that takes the opposite; absent: nobody"}}};
  table.parameters.insert(table.parameters.end(), function.parameters.begin(), function.parameters.end());
  replace_registration<ForceType>({.name = function.name,
                                   .equation = "a function in Python",
                                   .citation = "",
                                   .table = with_named_values(std::move(table)),
                                   .make = make},
                                  forces());
  forces().insert_or_assign(function.name, function);
}

}  // namespace

void bind_python_forces(py::module_& module) {
  module.def("register_force", register_force);
}

}  // namespace tappet::python
