// What Adams measures between markers and in elements, as expressions of a model's signals. SI units.
//
//   r = r_B + R s,   v = v_B + ω × R s,   a = a_B + α × R s + ω × (ω × R s)      s: the marker's place on body B
#pragma once

#include <array>
#include <string>

#include "tappet/imports/adams/conversion.hpp"

namespace tappet::adams {

using Words =
    std::array<std::string, 3>;  ///< a vector's components as expressions; "0" where nothing is there

Words position_of(const Marker& marker, const Conversion& c);
Words velocity_of(const Marker& marker, const Conversion& c);
Words acceleration_of(const Marker& marker, const Conversion& c);
Words turning_of(const Marker& marker, const Conversion& c);  ///< ω, world axes
Words turning_acceleration_of(const Marker& marker, const Conversion& c);
/// The marker's orientation against another's as Euler parameters, scalar first.
std::array<std::string, 4> euler_parameters(const Marker& marker, const Marker& against, const Conversion& c);
Words difference(const Words& a, const Words& b);
/// Components along the axes of a marker; the world's for null.
Words along(const Words& a, const Marker* axes, const Conversion& c);

/// Functions of markers and elements that measures know: DX, DM, VX, VR, VM, ACCX, WX, WDTX, AX, PSI, ORIENT(27 …), JOINT, SFORCE, FX, TX …;
/// units of the data set.
Measures of_motion(Conversion& c);
/// Of these what places and speeds tell: DX, VX, WX, ORIENT …
Measures of_places_and_speeds(Conversion& c);

/// For functions of requests, which know all of them.
FunctionContext context_of_measures(Conversion& c);

/// Force and torque of an element between two markers on the first of them. Throws Untranslatable where there is no such element.
struct Wrench {
  Words force, torque;
};
Wrench wrench_on(const std::string& i, const std::string& j, Conversion& c);
/// The same of a single force, on its marker I or on J.
Wrench wrench_of_force(const SingleForce& force, bool on_j, Conversion& c);
/// The same of the joint `id`, on its marker I or on J.
Wrench wrench_of_joint(const std::string& id, bool on_j, const Conversion& c);

}  // namespace tappet::adams
