// The two radii of the gap between surfaces, R′ and R″, as laws are given them.
#pragma once

#include "tappet/base/parameters.hpp"
#include "tappet/contact/elliptic_contact.hpp"
#include "tappet/contact/material.hpp"

namespace tappet {

/// The patch of a pair whose Hertz' stiffness is known; of one with a radius each it is the circle.
EllipticContact elliptic_contact(const ContactPair& pair);

/// `radii` of laws that derive their stiffness by Hertz, and what they say put into a pair.
Parameter radii_parameter();
void take_radii(const AnyParameters& law, ContactPair& pair);

}  // namespace tappet
