// Forces of one component between two markers: along the line through them, or about the z axis of J.
#pragma once

#include <functional>

#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams {

/// x and v of a `spring-damper` of length 0 between I and J, in the data set's units: DM and VR of the two.
Measures along_line(const Given& given, const Conversion& c);
/// x and v of a `rotational-spring-damper`: AZ and WZ of I and J.
Measures about_axis(const Given& given, const Turn& turn, const Conversion& c);

/// A spring-damper between the markers whose pull is the function; `pull` may use x, v and t.
void add_line_force(const Given& given, const Marker& i, const Marker& j, const std::string& pull,
                    Conversion& c);
/// The joint that turns I against J; reports a loss where there is none.
std::optional<Turn> turn_of(const Given& given, const Marker& i, const Marker& j, Conversion& c);

}  // namespace tappet::adams
