// Laws as a user would write them, for the tests of the contact room.
#pragma once

#include <memory>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/normal_law.hpp"
#include "tappet/spec/object.hpp"
#include "tappet/spec/value.hpp"

namespace tappet::test {

inline Material steel() {
  return {.name = "steel", .young = 207e9, .poisson = 0.3, .density = 7800};
}

/// Journal of 9.5 mm in a bearing of 10 mm, 15 mm long, steel on steel [Flores 2006, table 2].
inline ContactPair journal_bearing() {
  return {.radius = {-10e-3, 9.5e-3}, .length = 15e-3, .material = {steel(), steel()}};
}

/// Steel sphere of 10 mm on a steel half-space.
inline ContactPair sphere_on_plane() {
  return {.radius = {ContactPair::plane, 10e-3}, .material = {steel(), steel()}};
}

inline Object read(const std::string& yaml, const Family& family, Diagnostics& diagnostics) {
  return read_object(read_yaml_text(yaml, "test"), family, {.diagnostics = &diagnostics});
}

inline std::string messages(const Diagnostics& diagnostics) {
  std::string all;
  for (const Diagnostic& diagnostic : diagnostics.all()) all += diagnostic.text() + "\n";
  return all;
}

/// The law that the text asks for; null, with the reasons in `why`, when it cannot be had.
inline std::unique_ptr<NormalLaw> try_normal_law(const std::string& yaml, const ContactPair& pair,
                                                 std::string& why) {
  Diagnostics diagnostics;
  const Object object = read(yaml, normal_law_family(), diagnostics);
  std::unique_ptr<NormalLaw> law;
  if (!diagnostics.has_errors()) law = make_normal_law(object.parameters(), pair, diagnostics);
  why = messages(diagnostics);
  return law;
}

inline std::unique_ptr<NormalLaw> normal_law(const std::string& yaml,
                                             const ContactPair& pair = journal_bearing()) {
  std::string why;
  auto law = try_normal_law(yaml, pair, why);
  if (!law) throw std::runtime_error(yaml + ": " + why);
  return law;
}

inline std::unique_ptr<FrictionLaw> try_friction_law(const std::string& yaml, std::string& why) {
  Diagnostics diagnostics;
  const Object object = read(yaml, friction_law_family(), diagnostics);
  std::unique_ptr<FrictionLaw> law;
  if (!diagnostics.has_errors()) law = make_friction_law(object.parameters(), diagnostics);
  why = messages(diagnostics);
  return law;
}

inline std::unique_ptr<FrictionLaw> friction_law(const std::string& yaml) {
  std::string why;
  auto law = try_friction_law(yaml, why);
  if (!law) throw std::runtime_error(yaml + ": " + why);
  return law;
}

}  // namespace tappet::test
