// Contact and friction laws on arrays: the same functions that a run calls, for every element.

#include <cmath>
#include <limits>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bindings.hpp"
#include "tappet/contact/curve.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/object.hpp"

namespace tappet::python {

namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// ---- what there is

template <class Type>
py::dict describe(const Type& law, const char* kind, const std::vector<Parameter>& common) {
  py::list parameters;
  std::vector<Parameter> all = law.table.parameters;
  all.insert(all.end(), common.begin(), common.end());
  for (const Parameter& p : all)
    parameters.append(
        py::make_tuple(p.name, p.unit, p.fallback, p.required && p.supplied_by.empty(), p.help));
  py::dict out;
  out["name"] = law.name, out["kind"] = kind, out["help"] = law.help;
  out["equation"] = law.equation, out["citation"] = law.citation, out["parameters"] = parameters;
  return out;
}

py::list laws() {
  py::list out;
  for (const NormalLawType& law : NormalLawRegistry::instance().entries())
    if (law.force_law) out.append(describe(law, "normal", {}));
  for (const FrictionLawType& law : FrictionLawRegistry::instance().entries())
    out.append(describe(law, "friction", friction_law_family().common.parameters));
  return out;
}

// ---- making one

/// What a law may derive its coefficients from: `tappet laws NAME --curve` has options of the same names.
const Table& surfaces_table() {
  static const Table table{
      .name = "a pair of surfaces",
      .help = "",
      .parameters = {
          {.name = "radius_i", .unit = "m"},  // absent: a plane
          {.name = "radius_j", .unit = "m"},
          {.name = "length", .unit = "m", .range = positive()},
          {.name = "young", .kind = Kind::vector, .unit = "Pa", .range = positive(), .length = 2},
          {.name = "poisson",
           .kind = Kind::vector,
           .range = {.low = -1, .high = 0.5, .low_open = true},
           .length = 2},
          {.name = "density", .kind = Kind::vector, .unit = "kg/m^3", .range = positive(), .length = 2},
      }};
  return table;
}

ContactPair read_pair(const Value& value, Diagnostics& diagnostics) {
  const Object o = read_object(value, surfaces_table(), {.diagnostics = &diagnostics});
  ContactPair pair{
      .radius = {o.number_or("radius_i", ContactPair::plane), o.number_or("radius_j", ContactPair::plane)},
      .length = o.number_or("length", ContactPair::unknown)};
  if (o.has("young") != o.has("poisson"))
    diagnostics.error(value.pos, "a material needs both 'young' and 'poisson'");
  for (int k : {0, 1}) {
    if (o.has("young") && o.has("poisson"))
      pair.material[k] = Material{.name = "given",
                                  .young = o.vector("young")[k],
                                  .poisson = o.vector("poisson")[k],
                                  .density = o.has("density") ? o.vector("density")[k] : 0};
  }
  return pair;
}

/// The law's mapping as it would stand in a model, at the place of the user's program.
Value mapping(const std::string& name, const py::dict& parameters, const SourcePos& pos) {
  Value out = from_python(parameters, pos);
  Value law;
  law.kind = Value::Kind::scalar;
  law.pos = pos;
  law.text = name;
  out.map.emplace_back("law", std::move(law));
  out.key_pos.push_back(pos);
  return out;
}

SourcePos place(const std::string& file, int line) {
  return {std::make_shared<const std::string>(file), line, 0};
}

struct BoundNormalLaw {
  std::unique_ptr<NormalLaw> law;

  BoundNormalLaw(const std::string& name, const py::dict& parameters, const py::dict& surfaces,
                 const std::string& file, int line) {
    Diagnostics diagnostics;
    const SourcePos pos = place(file, line);
    const Object object =
        read_object(mapping(name, parameters, pos), normal_law_family(), {.diagnostics = &diagnostics});
    const ContactPair pair = read_pair(from_python(surfaces, pos), diagnostics);
    diagnostics.throw_if_errors();
    law = make_normal_law(object.parameters(), pair, diagnostics);
    diagnostics.throw_if_errors();
  }

  /// Rows force, ∂F/∂δ, ∂F/∂δ̇, stored energy, dissipated power; inputs are of one length.
  py::array evaluate(const Array& depth, const Array& rate, const Array& impact_rate) const {
    const py::ssize_t n = depth.size();
    Array out({py::ssize_t{5}, n});
    const double *d = depth.data(), *r = rate.data(), *v = impact_rate.data();
    double* o = out.mutable_data();
    for (py::ssize_t i = 0; i < n; ++i) {
      // Laws compare depths with 0, and what is no number is neither more nor less.
      if (std::isnan(d[i]) || std::isnan(r[i]) || std::isnan(v[i])) {
        for (py::ssize_t row = 0; row < 5; ++row) o[row * n + i] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const NormalOutput at = law->evaluate({.depth = d[i], .rate = r[i], .impact_rate = v[i]});
      o[i] = at.force, o[n + i] = at.d_depth, o[2 * n + i] = at.d_rate;
      o[3 * n + i] = at.stored_energy, o[4 * n + i] = at.dissipated_power;
    }
    return out;
  }

  py::dict impact(double mass, double speed, double load) const {
    const ImpactResult at = single_impact(*law, {.mass = mass, .speed = speed, .load = load});
    py::dict out;
    out["separated"] = at.separated, out["duration"] = at.duration, out["time_in"] = at.time_in;
    out["max_depth"] = at.max_depth, out["max_force"] = at.max_force, out["speed_out"] = at.speed_out;
    out["restitution"] = at.restitution, out["impulse"] = at.impulse, out["dissipated"] = at.dissipated;
    return out;
  }
};

struct BoundFrictionLaw {
  std::unique_ptr<FrictionLaw> law;

  BoundFrictionLaw(const std::string& name, const py::dict& parameters, const std::string& file, int line) {
    Diagnostics diagnostics;
    const Object object = read_object(mapping(name, parameters, place(file, line)), friction_law_family(),
                                      {.diagnostics = &diagnostics});
    diagnostics.throw_if_errors();
    law = make_friction_law(object.parameters(), diagnostics);
    diagnostics.throw_if_errors();
  }

  /// Rows μ and dμ/ds at the speeds.
  py::array evaluate(const Array& speed) const {
    const py::ssize_t n = speed.size();
    Array out({py::ssize_t{2}, n});
    double* o = out.mutable_data();
    for (py::ssize_t i = 0; i < n; ++i) {
      if (std::isnan(speed.data()[i])) {
        o[i] = o[n + i] = std::numeric_limits<double>::quiet_NaN();
        continue;
      }
      const FrictionOutput at = law->evaluate(std::abs(speed.data()[i]));
      o[i] = at.coefficient, o[n + i] = at.d_speed;
    }
    return out;
  }
};

}  // namespace

void bind_laws(py::module_& module) {
  module.def("laws", laws);
  py::class_<BoundNormalLaw>(module, "NormalLaw")
      .def(py::init<const std::string&, const py::dict&, const py::dict&, const std::string&, int>())
      .def("evaluate", &BoundNormalLaw::evaluate)
      .def("impact", &BoundNormalLaw::impact)
      .def_property_readonly("notes", [](const BoundNormalLaw& self) { return self.law->traits().notes; })
      .def_property_readonly("restitution", [](const BoundNormalLaw& self) {
        return std::pair(self.law->traits().requested_restitution, self.law->traits().predicted_restitution);
      });
  py::class_<BoundFrictionLaw>(module, "FrictionLaw")
      .def(py::init<const std::string&, const py::dict&, const std::string&, int>())
      .def("evaluate", &BoundFrictionLaw::evaluate)
      .def_property_readonly("notes", [](const BoundFrictionLaw& self) { return self.law->traits().notes; });
}

}  // namespace tappet::python
