// Sensible parameters for a model's contacts, with the reason for each, and warnings about those it has.
//
//   exponent   1.5, Hertz'; by experience 2.2 for hard metals, 1.5 for soft ones, 1.1 for rubber
//   stiffness  Hertz' K from E, ν and the radii; for another exponent n the one that stores the same energy
//              at Hertz' penetration, K (n + 1)/2.5 δ^(1.5 − n)
//   δ          expected penetration: k δ^(n+1)/(n+1) = m v²/2 + F δ, at rest (F/k)^(1/n)
//   damping    the c_max with which a free impact of this mass and speed realises the restitution
//   depth      0.01 mm, and well below δ
//   penalty    POISSON: stops the mass within δ; far above F/v, or the load takes the rebound
//   V_s, V_d   small against the speeds at hand, 1 : 10, at most Adams' 0.1 and 1 m/s
//   tolerance  resolves the penetration to 1 %: 0.01 δ/L, L the mechanism's length
//
// Experience and ranges are those of [Giesbers2012, chapter 4].
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tappet/studies/contact_situation.hpp"

namespace tappet {

struct Proposal {
  std::string key;  ///< as in the model: "normal.stiffness"
  double value = 0;
  std::string unit;
  std::string reason;
  std::optional<double> given = {};  ///< what the model has
};

struct ContactAdvice {
  ContactSituation situation;
  std::string law;  ///< of the normal force that the proposals are for
  std::optional<double>
      penetration;  ///< expected with the parameters that the model has or, where it has none, proposed, m
  std::vector<Proposal> proposals;
  std::vector<std::string> warnings;  ///< about given values
  std::vector<std::string> missing;   ///< what could not be proposed, and what it would take
};

/// `speed`: of every impact, m/s, in place of what the initial state says.
/// `situations`: where it is to be kept.
std::vector<ContactAdvice> advise(const Spec& spec, std::optional<double> speed = {},
                                  Situations* situations = nullptr);

/// Largest penetration of a mass that meets a spring k δⁿ at this speed under a constant load; at rest
/// without speed. m.
double expected_penetration(double stiffness, double exponent, double mass, double speed, double load);

/// For people, a few lines per contact.
std::string advice_text(const std::vector<ContactAdvice>& advice);
struct ModeAdvice;
std::string advice_json(const std::vector<ContactAdvice>& advice, const std::vector<ModeAdvice>& modes);

}  // namespace tappet
