// Functions of the expression language that are made of others, by the names that Adams has for them [MscAdamsSolver]. s is
// (x − x0)/(x1 − x0).
//
//   step5(x, x0, h0, x1, h1)             h0 before x0, h1 after x1, between them h0 + (h1 − h0) s³ (10 − 15 s + 6 s²)
//   havsin(x, x0, h0, x1, h1)            likewise (h0 + h1)/2 + (h1 − h0)/2 sin(π (s − ½))
//   impact(x, v, x1, k, e, c, d)         x < x1: max(0, k (x1 − x)ᵉ − c v step(x, x1 − d, 1, x1, 0)), else 0
//   bistop(x, v, x1, x2, k, e, c, d)     the same below x1, and above x2 min(0, −k (x − x2)ᵉ − c v step(x, x2, 0, x2 + d, 1))
//   shf(x, x0, a, b, phi, c)             a sin(b (x − x0) − phi) + c; without c: 0
//   poly(x, x0, a0, a1, …)               Σ aⱼ (x − x0)ʲ
//   cheby(x, x0, a0, a1, …)              Σ aⱼ Tⱼ(x − x0), T₀ = 1, T₁ = x, Tⱼ₊₁ = 2 x Tⱼ − Tⱼ₋₁
//   forcos(x, x0, b, a0, a1, …)          a0 + Σ aⱼ cos(j b (x − x0));   forsin with sin
//   sign(a, b)                           |a|, or −|a| where b < 0
//   aint(x), anint(x), dim(a, b)         without its fraction; to the nearest whole number; max(a − b, 0)
//   rem(a, b)                            a − b aint(a/b), which has the sign of a
//
// A model may give these names another meaning.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tappet/base/defined_names.hpp"

namespace tappet {

bool in_library(const std::string& name);
std::vector<std::string> library_names();
/// Reads the body of a function: text, parameters, and what it may use.
using BodyParser = std::vector<ExpressionOp> (*)(std::string_view text,
                                                 const std::vector<std::string>& parameters,
                                                 const DefinedNames& earlier);
/// The function of so many arguments; none: it takes another number.
std::optional<DefinedNames::Entry> library_entry(const std::string& name, int arguments, BodyParser parse);
/// "5 arguments", "5 or 6 arguments", "3 or more arguments"
std::string library_arguments(const std::string& name);

}  // namespace tappet
