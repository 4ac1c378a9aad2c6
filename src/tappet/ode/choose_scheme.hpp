// The integrator that a model runs with: what it names, or for `auto` the cheaper one.
#pragma once

#include "tappet/ode/scheme.hpp"

namespace tappet {

struct Model;

/// Throws InputError where there is no such integrator, or where it cannot take the steps that the model asks for.
const SchemeType& choose_scheme(const Model& model);

}  // namespace tappet
