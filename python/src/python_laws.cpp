// Contact and friction laws written in Python. They are registered like the library's own, so that a model
// names them: `normal: {law: NAME, ...}`, their keyword arguments being keys of the mapping.
//
//   F = f(δ, δ̇, δ̇⁽⁻⁾, parameters), not below 0. The function returns F, or F, ∂F/∂δ and ∂F/∂δ̇; derivatives
//   that it does not return are difference quotients, which only the search for an impact's peak force uses.
//   U(δ, parameters), optional: the energy that the law can give back, or U and dU/dδ. Without it, all of F δ̇
//   is booked as lost.
//
//   μ = f(s, parameters) ≥ 0 at the sliding speed s, a regularised friction law: the force is −F_N μ(s) v/s.

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "functions.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet::python {

namespace {

/// By name. Never destroyed: Python is gone by then.
std::map<std::string, Function>& normal_laws() {
  static auto& all = *new std::map<std::string, Function>;
  return all;
}
std::map<std::string, Function>& friction_laws() {
  static auto& all = *new std::map<std::string, Function>;
  return all;
}

/// The items of a tuple that a function may return in the place of a number.
bool is_tuple(const py::object& returned, std::size_t size) {
  return py::isinstance<py::tuple>(returned) && py::len(returned) == size;
}

class PythonLaw final : public NormalLaw {
 public:
  PythonLaw(const Function& function, const AnyParameters& object)
      : force_(function.name, function.callable, function.variables, function.parameters, object) {
    if (function.energy)
      energy_.emplace(function.name, function.energy, std::vector<int>{0}, function.parameters, object);
    traits_.requested_restitution = object.number("restitution");
    traits_.continuous = traits_.passive = false;  // nothing is known
  }

 protected:
  NormalOutput contact(const NormalInput& in) const override {
    const py::gil_scoped_acquire lock;
    NormalOutput out = force(in);
    double slope = 0;
    if (energy_) std::tie(out.stored_energy, slope) = stored(in.depth);
    out.dissipated_power = (out.force - slope) * in.rate;
    return out;
  }

 private:
  NormalOutput force(const NormalInput& in) const {
    const py::object returned = force_(quantities(in));
    if (is_tuple(returned, 3)) {
      const auto tuple = returned.cast<py::tuple>();
      const double value = force_.as_number(tuple[0]);
      if (!(value > 0)) return {};
      return {.force = value, .d_depth = force_.as_number(tuple[1]), .d_rate = force_.as_number(tuple[2])};
    }
    const double value = force_.as_number(returned);
    if (!(value > 0))
      return {.force = value < 0 ? 0 : value};  // keeps a NaN, which the integrator knows what to do with
    const auto at = [&](double depth, double rate) {
      const py::object near = force_(quantities({depth, rate, in.impact_rate}));
      return force_.as_number(near);
    };
    const double depth_step = 1e-7 * in.depth;
    const double rate_step = 1e-7 * std::max({std::abs(in.rate), in.impact_rate, 1e-6});
    return {.force = value,
            .d_depth = (at(in.depth + depth_step, in.rate) - value) / depth_step,
            .d_rate = (at(in.depth, in.rate + rate_step) - value) / rate_step};
  }

  /// U and dU/dδ.
  std::pair<double, double> stored(double depth) const {
    const auto at = [&](double d) { return (*energy_)(std::array{d}); };
    const py::object returned = at(depth);
    if (is_tuple(returned, 2)) {
      const auto tuple = returned.cast<py::tuple>();
      return {energy_->as_number(tuple[0]), energy_->as_number(tuple[1])};
    }
    const double step = 6e-6 * depth;  // third root of the rounding unit: the best for a central difference
    const double above = energy_->as_number(at(depth + step)), below = energy_->as_number(at(depth - step));
    return {energy_->as_number(returned), (above - below) / (2 * step)};
  }

  static std::array<double, 3> quantities(const NormalInput& in) {
    return {in.depth, in.rate, in.impact_rate};
  }

  Bound force_;
  std::optional<Bound> energy_;
};

class PythonFriction final : public FrictionLaw {
 public:
  PythonFriction(const Function& function, const AnyParameters& object)
      : coefficient_(function.name, function.callable, function.variables, function.parameters, object) {
    traits_.static_coefficient = traits_.sliding_coefficient = coefficient(1.0);
    traits_.notes.push_back(fmt::format("{}: non-smooth methods take μ = {:.4g}, its value at 1 m/s",
                                        function.name, traits_.sliding_coefficient));
  }

  FrictionOutput evaluate(double speed) const override {
    const py::gil_scoped_acquire lock;
    // At rest the ratio is the law's slope.
    const double s = std::max(speed, 1e-12), step = 1e-7 * std::max(s, 1e-6);
    const double mu = coefficient(s);
    return {.coefficient = speed > 0 ? mu : coefficient(0),
            .d_speed = (coefficient(s + step) - mu) / step,
            .ratio = mu / s};
  }

 private:
  double coefficient(double speed) const {
    const py::gil_scoped_acquire lock;
    return coefficient_.as_number(coefficient_(std::array{speed}));
  }

  Bound coefficient_;
};

Table table_of(const Function& function, const char* article) {
  return {.name = fmt::format("{} {} law", article, function.name),
          .help = function.help,
          .parameters = function.parameters};
}

void register_normal_law(const py::dict& description) {
  const Function function = read_function(description);
  Busy::require_idle(function.name);
  Table table = table_of(function, "a");
  // For the non-smooth methods and the impact table, unless the function has a parameter of that name.
  const auto& own = function.parameters;
  if (std::none_of(own.begin(), own.end(), [](const Parameter& p) { return p.name == "restitution"; }))
    table.parameters.push_back(rigid_restitution_parameter());
  replace_registration<NormalLawType>({.name = function.name,
                                       .help = function.help,
                                       .equation = "a function in Python",
                                       .citation = "",
                                       .force_law = true,
                                       .table = with_named_values(std::move(table)),
                                       .make = [](const AnyParameters& parameters, const ContactPair&,
                                                  Diagnostics&) -> std::unique_ptr<NormalLaw> {
                                         return std::make_unique<PythonLaw>(
                                             normal_laws().at(parameters.origin.type), parameters);
                                       }},
                                      normal_laws());
  normal_laws().insert_or_assign(function.name, function);
}

void register_friction_law(const py::dict& description) {
  const Function function = read_function(description);
  Busy::require_idle(function.name);
  Table table = table_of(function, "a");
  table.parameters.push_back(tangential_restitution_parameter());
  replace_registration<FrictionLawType>(
      {.name = function.name,
       .help = function.help,
       .equation = "a function in Python",
       .citation = "",
       .table = with_named_values(std::move(table)),
       .make = [](const AnyParameters& parameters, Diagnostics&) -> std::unique_ptr<FrictionLaw> {
         return std::make_unique<PythonFriction>(friction_laws().at(parameters.origin.type), parameters);
       }},
      friction_laws());
  friction_laws().insert_or_assign(function.name, function);
}

}  // namespace

void bind_python_laws(py::module_& module) {
  module.def("register_normal_law", register_normal_law);
  module.def("register_friction_law", register_friction_law);
}

}  // namespace tappet::python
