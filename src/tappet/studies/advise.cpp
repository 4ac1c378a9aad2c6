#include "tappet/studies/advise.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/laws/impact.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

// MSC Adams' standard values [Giesbers2012, chapter 4].
constexpr double adams_stiffness = 1e8, adams_exponent = 2.2, adams_damping_share = 1e-4;
constexpr double adams_stiction = 0.1, adams_friction = 1, usual_depth = 1e-5, damping_limit = 0.01;

// The spec's mapping that holds a contact point's laws; points of one contact are called NAME.1, NAME.2.
const Object* laws_of(const Spec& spec, const std::string& point) {
  const auto owns = [&](const Object& o) { return point == o.name || point.starts_with(o.name + "."); };
  for (const Object& contact : spec.contacts)
    if (owns(contact)) return &contact;
  for (const Object& joint : spec.joints)
    if (joint.has("clearance") && owns(joint)) return &joint.object("clearance");
  return nullptr;
}

bool takes(const Table& table, const std::string& key) {
  return std::any_of(table.parameters.begin(), table.parameters.end(),
                     [&](const Parameter& p) { return p.name == key; });
}

std::optional<double> given_number(const Object& law, const std::string& key) {
  return law.given(key) ? std::optional(law.number(key)) : std::nullopt;
}

// Advice for one contact: each step adds what it can propose, and leaves what later ones need.
class Adviser {
 public:
  Adviser(const Spec& spec, const Materials& materials, const ContactSituation& situation, double length)
      : spec_(spec), length_(length), object_(*laws_of(spec, situation.name)) {
    out_.situation = situation;
    normal_ = object_.object("normal");
    // A contact for the non-smooth methods has no force law yet: Adams' is what is proposed.
    if (!NormalLawRegistry::instance().find(normal_.type)->force_law) normal_.type = "impact";
    type_ = NormalLawRegistry::instance().find(normal_.type);
    out_.law = normal_.type;
    if (object_.has("friction")) friction_ = object_.object("friction");
    if (object_.has("materials")) {
      const std::vector<Name>& names = object_.names("materials");
      pair_ = find_pair(materials.pairs, names[0].text, names[1].text);
    }
  }

  ContactAdvice run() {
    restitution();
    spring();
    if (takes(type_->table, "depth")) depth_and_damping();
    if (takes(type_->table, "penalty")) penalty();
    friction();
    tolerance();
    return std::move(out_);
  }

 private:
  const ContactSituation& here() const { return out_.situation; }
  double speed() const { return here().speed.value_or(0); }

  void propose(const std::string& key, double value, const std::string& unit, std::string reason,
               std::optional<double> given) {
    out_.proposals.push_back({key, value, unit, std::move(reason), given});
  }
  template <class... T>
  void warn(fmt::format_string<T...> text, T&&... values) {
    out_.warnings.push_back(fmt::format(text, std::forward<T>(values)...));
  }

  void restitution() {
    const std::optional<double> given = given_number(normal_, "restitution");
    restitution_ = given;
    if (!pair_ || !pair_->restitution) return;
    if (!given) restitution_ = pair_->restitution;
    if (takes(type_->table, "restitution"))
      propose("normal.restitution", *pair_->restitution, "", "of " + describe(*pair_), given);
  }

  // Stiffness and exponent, and the penetration that follows.
  void spring() {
    const std::optional<double> given_exponent = given_number(normal_, "exponent");
    const bool power = takes(type_->table, "exponent");
    std::string why_not;
    const std::optional<double> K = hertz_stiffness(here().pair, why_not);
    const double exponent = !power ? 1 : given_exponent.value_or(K ? 1.5 : adams_exponent);
    if (power)
      propose("normal.exponent", K ? 1.5 : exponent, "",
              K ? "Hertz': with it the stiffness follows from E, ν and R; by experience 2.2 for hard metals, "
                  "1.5 for soft "
                  "ones, 1.1 for rubber"
                : "of hard metals and MSC Adams' standard; 1.5 for soft metals, 1.1 for rubber",
              given_exponent);
    std::optional<double> given_stiffness;
    if (normal_.has("stiffness")) given_stiffness = normal_.number("stiffness");

    if (K && here().mass > 0 && (here().speed || exponent == 1.5)) {
      hertz_depth_ = expected_penetration(*K, 1.5, here().mass, speed(), here().load);
      const double equal =
          exponent == 1.5 ? *K : *K * (exponent + 1) / 2.5 * std::pow(hertz_depth_, 1.5 - exponent);
      stiffness_ = equal;
      stiffness_reason_ = fmt::format(
          "Hertz' K = {:.4g} N/m^1.5 from E, ν and R = {:.4g} m{}", *K, 1 / relative_curvature(here().pair),
          exponent == 1.5 ? ""
                          : fmt::format("; this one stores the same energy at its penetration "
                                        "of {:.3g} m",
                                        hertz_depth_));
    } else {
      stiffness_ = adams_stiffness;
      stiffness_reason_ =
          fmt::format("MSC Adams' standard, 1e7 to 1e9 being usual; Hertz' value cannot be had: {}",
                      K ? "the speed of approach is not known" : why_not);
    }
    if (takes(type_->table, "stiffness"))
      propose("normal.stiffness", stiffness_, fmt::format("N/m^{:.4g}", exponent), stiffness_reason_,
              given_stiffness);
    if (given_exponent && *given_exponent < 1)
      warn(
          "'exponent' is {:g}: below 1 the force rises with infinite slope at first touch, and a body at "
          "rest vibrates",
          *given_exponent);
    if (given_exponent && *given_exponent > 2.2)
      warn("'exponent' is {:g}: above 2.2 shallow penetrations are hardly resisted, and bodies sink in",
           *given_exponent);
    if (given_stiffness && K && (*given_stiffness > 10 * stiffness_ || *given_stiffness < 0.1 * stiffness_))
      warn("'stiffness' is {:.4g}, {:.2g} times what the materials give", *given_stiffness,
           *given_stiffness / stiffness_);
    if (given_stiffness) stiffness_ = *given_stiffness;
    exponent_ = exponent;
    expect_penetration();
  }

  void expect_penetration() {
    if (!(here().mass > 0)) {
      out_.missing.push_back("neither surface can move along the normal: there is no mass to reckon with");
    } else if (!here().speed) {
      out_.missing.push_back(
          "the surfaces do not approach each other in the initial state: give --speed for damping, depth, "
          "penalty, "
          "transition velocities and tolerance");
    } else if (speed() > 0 || here().load > 0) {
      out_.penetration = expected_penetration(stiffness_, exponent_, here().mass, speed(), here().load);
    }
  }

  void depth_and_damping() {
    const std::optional<double> given_depth = given_number(normal_, "depth"),
                                c = given_number(normal_, "damping");
    if (c && *c > damping_limit * stiffness_)
      warn(
          "'damping' is {:g} N s/m, {:.2g} % of the stiffness; above 1 % rebounds are stifled and the force "
          "jumps",
          *c, 100 * *c / stiffness_);
    if (!out_.penetration) return;
    const double depth = std::min(usual_depth, 0.1 * *out_.penetration);
    propose("normal.depth", depth, "m",
            depth < usual_depth ? "a tenth of the expected penetration, so that the damper acts"
                                : "usual, and far below the "
                                  "expected penetration",
            given_depth);
    const double used = given_depth.value_or(depth);
    if (given_depth && *given_depth > *out_.penetration)
      warn(
          "'depth' is {:g} m, more than the expected penetration of {:.3g} m: the damping never reaches its "
          "full value",
          *given_depth, *out_.penetration);
    if (!(speed() > 0)) return;
    if (restitution_ && *restitution_ < 1) {
      propose("normal.damping", damping_for(*restitution_, used), "N s/m",
              fmt::format("realises restitution {:g} at {:.4g} m/s with these stiffness, exponent and depth",
                          *restitution_, speed()),
              c);
    } else {
      propose("normal.damping", adams_damping_share * stiffness_, "N s/m",
              "0.01 % of the stiffness, as MSC Adams' standard; with `restitution` or a material pair it "
              "would be fitted",
              c);
    }
  }

  // Restitution falls as the damping grows.
  double damping_for(double restitution, double depth) const {
    double low = 0,
           high = 1e-3 * std::sqrt(stiffness_ * std::pow(*out_.penetration, exponent_ - 1) * here().mass);
    while (realised(high, depth) > restitution && std::isfinite(high)) low = high, high *= 4;
    for (int n = 0; n < 40; ++n) {
      const double middle = 0.5 * (low + high);
      (realised(middle, depth) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  double realised(double damping, double depth) const {
    Diagnostics diagnostics;
    const auto made = make_normal_law(
        ImpactParameters{.stiffness = stiffness_, .exponent = exponent_, .damping = damping, .depth = depth},
        {}, diagnostics);
    const ImpactResult result =
        single_impact(*made, {.mass = here().mass, .speed = speed(), .load = 0, .tolerance = 1e-9});
    return result.separated ? result.restitution : 0;
  }

  void penalty() {
    const std::optional<double> given = given_number(normal_, "penalty");
    if (!(speed() > 0) || !(here().mass > 0)) return;
    const bool hertz = hertz_depth_ > 0;
    const double depth = hertz ? hertz_depth_ : 1e-4 * here().size;
    const double least = 100 * here().load / (std::max(restitution_.value_or(1), 0.1) * speed());
    propose("normal.penalty", std::max(here().mass * speed() / depth, least), "N s/m",
            fmt::format("stops {:.4g} kg at {:.4g} m/s within {:.3g} m, {}", here().mass, speed(), depth,
                        hertz ? "Hertz' penetration" : "1e-4 of the surface's size"),
            given);
    if (!given) return;
    if (*given * restitution_.value_or(1) * speed() <= here().load)
      warn(
          "'penalty' is {:g} N s/m: at {:.3g} m/s its force does not even carry the load of {:.4g} N, and "
          "the body sinks",
          *given, speed(), here().load);
    else if (*given < least)
      warn(
          "'penalty' is {:g} N s/m: below {:.3g} N s/m the load of {:.4g} N takes a visible part of the "
          "rebound",
          *given, least, here().load);
  }

  void friction() {
    const bool absent = friction_.type.empty() || friction_.type == "none";
    const auto of_pair = [&](const char* key, const std::optional<double>& value) {
      const FrictionLawType* type = FrictionLawRegistry::instance().find(absent ? "adams" : friction_.type);
      if (value && takes(type->table, key))
        propose(std::string("friction.") + key, *value, "", "of " + describe(*pair_),
                given_number(friction_, key));
    };
    if (pair_) {
      of_pair("static", pair_->static_coefficient);
      of_pair("dynamic", pair_->dynamic_coefficient);
      of_pair("coefficient", pair_->dynamic_coefficient);
    }
    const auto mu_s = given_number(friction_, "static"), mu_d = given_number(friction_, "dynamic");
    if (mu_s && mu_d && *mu_s <= *mu_d)
      warn("'static' is {:g} and 'dynamic' {:g}: it takes more to start sliding than to go on", *mu_s, *mu_d);
    if (absent || friction_.type == "adams") transition_velocities();
  }

  void transition_velocities() {
    const auto V_s = given_number(friction_, "stiction_velocity"),
               V_d = given_number(friction_, "friction_velocity");
    if (V_s && V_d && *V_s >= *V_d)
      warn(
          "'stiction_velocity' is {:g} m/s and 'friction_velocity' {:g} m/s: the first must be the smaller "
          "one, or the "
          "force jumps",
          *V_s, *V_d);
    const double typical = std::max(speed(), here().sliding);
    if (!(typical > 0)) return;
    const double friction = std::min(adams_friction, 0.05 * typical),
                 stiction = std::min(adams_stiction, 0.1 * friction);
    const std::string reason =
        fmt::format("of the {:.3g} m/s at which the surfaces move; at most MSC Adams' standard", typical);
    propose("friction.stiction_velocity", stiction, "m/s",
            "0.5 % " + reason + "; below it the surfaces creep", V_s);
    propose("friction.friction_velocity", friction, "m/s", "5 % " + reason, V_d);
  }

  void tolerance() {
    if (!out_.penetration) return;
    const double wanted = 0.01 * *out_.penetration / length_;
    const double value = std::clamp(std::pow(10, std::floor(std::log10(wanted))), 1e-12, 1e-6);
    const double given = spec_.simulation.number_or("tolerance", 1e-8);
    propose(
        "simulation.tolerance", value, "",
        fmt::format("resolves a penetration of {:.3g} m to 1 % in a mechanism of {:.3g} m; never above 1e-6",
                    *out_.penetration, length_),
        given);
    if (given > std::max(wanted, value))
      warn("'simulation.tolerance' is {:g}: penetrations of {:.3g} m are not resolved to 1 %", given,
           *out_.penetration);
  }

  const Spec& spec_;
  double length_;
  const Object& object_;
  Object normal_, friction_;
  const NormalLawType* type_ = nullptr;
  const MaterialPair* pair_ = nullptr;
  std::optional<double> restitution_;
  double stiffness_ = 0, exponent_ = 1.5;  // as the model has them, or as proposed
  double hertz_depth_ = 0;                 // 0: not known
  std::string stiffness_reason_;
  ContactAdvice out_;
};

}  // namespace

double expected_penetration(double stiffness, double exponent, double mass, double speed, double load) {
  const double n = exponent, energy = 0.5 * mass * speed * speed;
  if (!(speed > 0)) return std::pow(load / stiffness, 1 / n);
  // Twice either term alone is more than both together.
  double low = 0, high = std::max(std::pow(2 * (n + 1) * energy / stiffness, 1 / (n + 1)),
                                  std::pow(2 * (n + 1) * load / stiffness, 1 / n));
  for (int k = 0; k < 200 && high - low > 1e-15 * high; ++k) {
    const double middle = 0.5 * (low + high);
    (stiffness * std::pow(middle, n + 1) / (n + 1) < energy + load * middle ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

std::vector<ContactAdvice> advise(const Spec& spec, std::optional<double> speed) {
  Situations situations = contact_situations(spec);
  Diagnostics diagnostics;
  const Materials materials =
      make_materials(parameters_of(spec.materials), parameters_of(spec.material_pairs), diagnostics);
  std::vector<ContactAdvice> out;
  for (ContactSituation& situation : situations.contacts) {
    if (speed) situation.speed = speed;
    out.push_back(Adviser(spec, materials, situation, situations.length).run());
  }
  return out;
}

}  // namespace tappet
