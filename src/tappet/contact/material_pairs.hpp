// Friction and restitution of two materials that touch.
//
//   materials: {nylon: {young: 2.7 GPa, poisson: 0.39}}            elastic constants of one
//   material_pairs: {mine: {between: [nylon, oak], static: 0.3}}   friction and restitution of two
//   contacts: {bounce: {materials: [nylon, oak], ...}}             takes from both what its laws need
//
// A pair that the model does not have is looked for in the built-in table: the 34 pairs of MSC Adams'
// documentation that [Giesbers2012, appendix C] prints. In names of materials capitals count as small
// letters, and '-' and '_' as spaces, so that `dry-steel`, which can be a name under `materials`, is the
// table's 'dry steel'. The order of the two is of no account.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/base/parameters.hpp"
#include "tappet/contact/material.hpp"

namespace tappet {

/// Where a law's missing coefficient may come from (Parameter::supplied_by).
inline constexpr const char* pair_words = "`materials` of a known pair";

struct MaterialPair {
  std::string name;  ///< under `material_pairs`; "": of the built-in table
  std::array<std::string, 2> between;
  std::optional<double> static_coefficient;   ///< μ_s
  std::optional<double> dynamic_coefficient;  ///< μ_d
  std::optional<double> restitution;
  SourcePos pos = {};
};

/// An entry of `material_pairs`; NaN: the pair does not say.
struct MaterialPairParameters {
  std::array<std::string, 2> between = {};
  double static_coefficient = not_given;   ///< μ_s
  double dynamic_coefficient = not_given;  ///< μ_d
  double restitution = not_given;
};

/// The built-in table, in the order of its source.
const std::vector<MaterialPair>& built_in_pairs();
/// Its source, a key of docs/references.bib.
inline constexpr const char* built_in_pairs_citation = "Giesbers2012, app. C";

/// All that a model knows about materials.
struct Materials {
  std::vector<Material> elastic;    ///< section `materials`
  std::vector<MaterialPair> pairs;  ///< section `material_pairs`, then the built-in ones
};
Materials make_materials(const std::vector<AnyParameters>& materials, const std::vector<AnyParameters>& pairs,
                         Diagnostics& diagnostics);

bool same_material(const std::string& a, const std::string& b);
/// Elastic constants and density of common materials, for models that give none of their own: of metals
/// [Budynas2015, table A-5], of plastics and rubber the middle of the ranges in [Ashby2011, appendix A]. Dry and greasy
/// metals and rubbers have those of the material; `steel`, `aluminium` and `rubber` alone say nothing about friction.
const std::vector<Material>& built_in_materials();
/// Null: there is none of this name.
const Material* find_built_in(const std::string& name);

/// Null: not known.
const Material* find_material(const Materials& known, const std::string& name);
const MaterialPair* find_pair(const std::vector<MaterialPair>& pairs, const std::string& first,
                              const std::string& second);
/// Every name in pairs, once, sorted.
std::vector<std::string> paired_names(const std::vector<MaterialPair>& pairs);
/// What `name` has pairs with, sorted.
std::vector<std::string> partners(const std::vector<MaterialPair>& pairs, const std::string& name);

/// Fills in what a law of this table can take from the pair and the user has not written: `static`,
/// `dynamic`, `coefficient` (the pair's dynamic one) and `restitution`. Returns "static = 0.7, dynamic =
/// 0.57", "" if nothing was taken. A value that the law does not allow is an error.
std::string take_from_pair(const MaterialPair& pair, const Table& table, AnyParameters& law,
                           Diagnostics& diagnostics);

/// "the pair of dry steel and nylon (Giesbers2012, app. C)", "the pair 'mine'".
std::string describe(const MaterialPair& pair);

}  // namespace tappet
