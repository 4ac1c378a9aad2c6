#include <memory>
#include <stdexcept>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/spec/value.hpp"
#include "work.hpp"

namespace tappet::bench {

namespace {

const char* const normal_laws[] = {
    "{law: hooke, stiffness: 1e7 N/m}",
    "{law: hertz}",
    "{law: kelvin-voigt, stiffness: 1.5e8, restitution: 0.9}",
    "{law: hunt-crossley, restitution: 0.7}",
    "{law: lankarani-nikravesh, restitution: 0.9}",
    "{law: flores, restitution: 0.2}",
    "{law: dubowsky-freudenstein}",
    "{law: goldsmith, compliance: flores-2006}",
    "{law: esdu-78035}",
    "{law: impact, stiffness: 1e8, exponent: 2.2, damping: 1e4, depth: 0.1 mm}",
    "{law: poisson, penalty: 1e4, restitution: 0.7}",
    "{law: expression, force: 1e10*depth^1.5*(1 + 0.1*rate), energy: 1e10*depth^2.5/2.5}",
};

const char* const friction_laws[] = {
    "{law: coulomb, coefficient: 0.3}",
    "{law: dubowsky, coefficient: 0.3, v0: 1 mm/s}",
    "{law: rooney-deravi, coefficient: 0.3}",
    "{law: threlfall, coefficient: 0.3, v0: 10 mm/s}",
    "{law: ambrosio, coefficient: 0.03, v0: 1 mm/s, v1: 10 mm/s}",
    "{law: bengisu-akay, static: 0.3, dynamic: 0.1, v0: 10 mm/s, kappa: 50}",
    "{law: karnopp, static: 0.3, dynamic: 0.2}",
    "{law: modified-karnopp, static: 0.3, dynamic: 0.2, friction_velocity: 0.1}",
    "{law: reset-integrator, static: 0.3, dynamic: 0.2}",
    "{law: adams, static: 0.3, dynamic: 0.1, stiction_velocity: 0.1 m/s, friction_velocity: 1 m/s}",
};

/// Journal of 9.5 mm in a bearing of 10 mm, 15 mm long, steel on steel.
ContactPair journal_bearing() {
  const Material steel{.name = "steel", .young = 207e9, .poisson = 0.3, .density = 7800};
  return {.radius = {-10e-3, 9.5e-3}, .length = 15e-3, .material = {steel, steel}};
}

/// Reads `yaml` and makes the law with `make`; the name is that in the text.
template <class Make>
auto made(const char* yaml, const Family& family, Make&& make) {
  Diagnostics diagnostics;
  const Object object = read_object(read_yaml_text(yaml, "works"), family, {.diagnostics = &diagnostics});
  diagnostics.throw_if_errors();
  auto law = make(object, diagnostics);
  diagnostics.throw_if_errors();
  return std::pair{object.type, std::move(law)};
}

}  // namespace

std::vector<Work> law_works() {
  constexpr int evaluations = 1000;
  std::vector<Work> out;
  for (const char* yaml : normal_laws) {
    auto [name, made_law] =
        made(yaml, normal_law_family(), [](const Object& object, Diagnostics& diagnostics) {
          return make_normal_law(object.parameters(), journal_bearing(), diagnostics);
        });
    out.push_back(
        {"law " + name, [law = std::shared_ptr<NormalLaw>(std::move(made_law))] {
           double sum = 0;
           for (int i = 1; i <= evaluations; ++i)
             sum += law->evaluate({.depth = 1e-8 * i, .rate = 1e-3 * (500 - i), .impact_rate = 0.5}).force;
           return sum;
         }});
  }
  for (const char* yaml : friction_laws) {
    auto [name, made_law] =
        made(yaml, friction_law_family(), [](const Object& object, Diagnostics& diagnostics) {
          return make_friction_law(object.parameters(), diagnostics);
        });
    out.push_back({"friction " + name, [law = std::shared_ptr<FrictionLaw>(std::move(made_law))] {
                     double sum = 0;
                     for (int i = 1; i <= evaluations; ++i) sum += law->evaluate(1e-4 * i).coefficient;
                     return sum;
                   }});
  }
  return out;
}

}  // namespace tappet::bench
