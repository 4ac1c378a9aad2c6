// The oil between a ball and its socket: key `lubricant` of a spherical joint's clearance.
#pragma once

#include <vector>

#include "tappet/multibody/clearance.hpp"

namespace tappet {

std::vector<TableRow<BallContactParameters>> ball_lubricant();
/// Adds the film, if the clearance has one. False after an error.
bool give_ball_film(const ClearanceInput& in, double clearance, Clearance& out);

/// Films are forces that get stiff: method moreau, which takes these as constant over a step, refuses them. False after the error.
bool film_has_method(const ClearanceInput& in, const AnyParameters& lubricant);

}  // namespace tappet
