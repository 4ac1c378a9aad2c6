#include "tappet/contact/relative_radii.hpp"

#include <algorithm>
#include <vector>

namespace tappet {

EllipticContact elliptic_contact(const ContactPair& pair) {
  if (has_ellipse(pair)) return elliptic_contact(pair.relative_radius[0], pair.relative_radius[1]);
  const double radius = 1 / relative_curvature(pair);
  return elliptic_contact(radius, radius);
}

Parameter radii_parameter() {
  return {
      .name = "radii",
      .kind = Kind::vector,
      .unit = "m",
      .help = "relative principal radii of the gap, R′ and R″, from which K follows; absent: from the shapes",
      .range = positive(),
      .length = 2};
}

void take_radii(const AnyParameters& law, ContactPair& pair) {
  std::vector<double> radii;
  if (const auto given = law.get("radii")) parameters::put(*given, radii);
  if (radii.size() == 2) pair.relative_radius = {std::max(radii[0], radii[1]), std::min(radii[0], radii[1])};
}

}  // namespace tappet
