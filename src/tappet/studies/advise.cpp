#include "tappet/studies/advise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "tappet/contact/curve.hpp"
#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {
namespace {

// MSC Adams' standard values [Giesbers2012, chapter 4].
constexpr double adams_stiffness = 1e8, adams_exponent = 2.2;
constexpr double adams_stiction = 0.1, adams_friction = 1, usual_depth = 1e-5;
// What is aimed at where nobody says which restitution is wanted: that of dry steel on dry steel.
constexpr double usual_restitution = 0.8;
// A rebound slower than this share of the approach is as good as none.
constexpr double stifled = 0.1;
// Realised and requested restitution may differ by this share.
constexpr double restitution_tolerance = 0.05;

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
    coefficient();
    friction();
    tolerance();
    return std::move(out_);
  }

 private:
  using Numbers = std::map<std::string, double>;

  double penetration_with(const Numbers& numbers) const {
    return expected_penetration(numbers.at("stiffness"), exponent_, here().mass, speed(), here().load);
  }

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
    // Here it is a number for the non-smooth methods; laws that compute with it get theirs from coefficient().
    if (takes(type_->table, "restitution") && takes(type_->table, "damping"))
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
      propose(
          "normal.exponent", exponent, "",
          given_exponent ? "as given: what follows is for it; Hertz' is 1.5, by experience 2.2 for hard "
                           "metals, 1.1 for rubber"
          : K ? "Hertz': with it the stiffness follows from E, ν and R; by experience 2.2 for hard metals, "
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
      std::string equal;
      if (exponent != adams_exponent && here().mass > 0 && speed() > 0) {
        const double depth =
            expected_penetration(adams_stiffness, adams_exponent, here().mass, speed(), here().load);
        stiffness_ *= (exponent + 1) / (adams_exponent + 1) * std::pow(depth, adams_exponent - exponent);
        equal = fmt::format(", this one storing the same energy at its penetration of {:.3g} m", depth);
      }
      stiffness_reason_ = fmt::format(
          "MSC Adams' standard of {:g} N/m^{:g}{}; Hertz' value cannot be had: {}", adams_stiffness,
          adams_exponent, equal, K ? "the speed of approach is not known" : why_not);
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
    exponent_ = exponent;
    proposed_["exponent"] = given_["exponent"] = exponent;
    proposed_["stiffness"] = given_["stiffness"] = stiffness_;
    if (given_stiffness) given_["stiffness"] = stiffness_ = *given_stiffness;
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
    if (!out_.penetration) return;
    const double depth = std::min(usual_depth, 0.1 * penetration_with(proposed_));
    propose("normal.depth", depth, "m",
            depth < usual_depth ? "a tenth of the expected penetration, so that the damper acts"
                                : "usual, and far below the "
                                  "expected penetration",
            given_depth);
    proposed_["depth"] = depth;
    given_["depth"] = given_depth.value_or(depth);
    if (given_depth && *given_depth > *out_.penetration)
      warn(
          "'depth' is {:g} m, more than the expected penetration of {:.3g} m: the damping never reaches its "
          "full value",
          *given_depth, *out_.penetration);
    if (!(speed() > 0)) return;
    const double wanted = restitution_.value_or(usual_restitution);
    const double fitted = wanted < 1 ? damping_for(wanted, proposed_) : 0;
    const std::string kept =
        given_ == proposed_ || wanted >= 1
            ? ""
            : fmt::format("; {:.3g} N s/m does with the given ones", damping_for(wanted, given_));
    propose(
        "normal.damping", fitted, "N s/m",
        fmt::format(
            "realises restitution {:g} at {:.4g} m/s with the proposed stiffness, exponent and depth{}{}",
            wanted, speed(), kept,
            restitution_ ? "" : "; dry steel's, since neither `restitution` nor a material pair says which"),
        c);
    if (c) warn_of_damping(*c);
  }

  void warn_of_damping(double damping) {
    const double real = realised(given_, "damping", damping);
    if (restitution_ && std::abs(real - *restitution_) > restitution_tolerance * *restitution_)
      warn(
          "'damping' is {:g} N s/m: a free impact at {:.4g} m/s realises restitution {:.3g} with it, not "
          "{:g}",
          damping, speed(), real, *restitution_);
    else if (!restitution_ && real < stifled)
      warn(
          "'damping' is {:g} N s/m: a free impact of {:.4g} kg at {:.4g} m/s realises restitution {:.2g} "
          "with it; rebounds "
          "are stifled",
          damping, here().mass, speed(), real);
  }

  // Restitution falls as the damping grows. The scale is that of the critical damper beside the spring's mean slope.
  double damping_for(double restitution, const Numbers& with) const {
    double low = 0, high = 1e-3 * std::sqrt(with.at("stiffness") *
                                            std::pow(penetration_with(with), exponent_ - 1) * here().mass);
    while (realised(with, "damping", high) > restitution && std::isfinite(high)) low = high, high *= 4;
    for (int n = 0; n < 40; ++n) {
      const double middle = 0.5 * (low + high);
      (realised(with, "damping", middle) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }

  // The coefficient with which the law realises what is asked for: for most laws not the same number.
  void coefficient() {
    if (!takes(type_->table, "restitution") || takes(type_->table, "damping") || !restitution_ ||
        !(speed() > 0) || !(here().mass > 0))
      return;
    const std::optional<double> given = given_number(normal_, "restitution");
    const double wanted = *restitution_, plain = realised(proposed_, "restitution", wanted);
    const bool fits = std::abs(plain - wanted) <= restitution_tolerance * wanted;
    if (fits && given) return;
    // Restitution rises with the coefficient.
    double low = 1e-3, high = 1;
    if (const double least = realised(proposed_, "restitution", low);
        !fits && least > wanted * (1 + restitution_tolerance)) {
      out_.missing.push_back(fmt::format(
          "restitution {:g} cannot be had: this law realises no less than {:.3g}; flores realises every one",
          wanted, least));
      return;
    }
    for (int n = 0; n < 40 && !fits; ++n) {
      const double middle = 0.5 * (low + high);
      (realised(proposed_, "restitution", middle) > wanted ? high : low) = middle;
    }
    const std::string of = pair_ && !given ? ", that of " + describe(*pair_) : "";
    propose("normal.restitution", fits ? wanted : 0.5 * (low + high), "",
            fits ? fmt::format("realises {:.3g}{}", plain, of)
                 : fmt::format("realises {:g}{}; the law with {:g} would realise {:.3g}", wanted, of, wanted,
                               plain),
            given);
  }

  // Restitution of the free impact with the law as it is given or proposed, one number changed.
  double realised(const Numbers& with, const std::string& key, double value) const {
    Object law = normal_;
    const auto put = [&](const std::string& name, double number) {
      if (!takes(type_->table, name)) return;
      Object::Entry entry;
      entry.given = true;
      entry.number = number;
      law.put(name, entry);
    };
    for (const auto& [name, number] : with) put(name, number);
    put(key, value);
    Diagnostics diagnostics;
    const auto made = make_normal_law(law.parameters(), {}, diagnostics);
    if (!made) return std::numeric_limits<double>::quiet_NaN();
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
    proposed_["penalty"] = std::max(here().mass * speed() / depth, least);
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
  Numbers proposed_, given_;               // of the normal law: all as proposed; as given where they are
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

std::vector<ContactAdvice> advise(const Spec& spec, std::optional<double> speed, Situations* kept) {
  Situations situations = contact_situations(spec);
  Diagnostics diagnostics;
  const Materials materials =
      make_materials(parameters_of(spec.materials), parameters_of(spec.material_pairs), diagnostics);
  std::vector<ContactAdvice> out;
  for (ContactSituation& situation : situations.contacts) {
    if (speed) situation.speed = speed;
    out.push_back(Adviser(spec, materials, situation, situations.length).run());
  }
  if (kept) *kept = std::move(situations);
  return out;
}

}  // namespace tappet
