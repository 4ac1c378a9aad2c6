// A contact's name for life: the same in every step, every checkpoint and every copy of a simulation.
#pragma once

#include <compare>

namespace tappet {

class FieldVisitor;

struct ContactId {
  int entry =
      0;  ///< among the model's contacts: those that are followed, then groups, then contacts of structures
  int first = 0;   ///< group: the first surface; structure: the node, or the number of nodes plus the corner
  int second = 0;  ///< group: the second surface
  int place = 0;   ///< group: which of the places where these two can touch

  friend auto operator<=>(const ContactId&, const ContactId&) = default;
};

void fields(FieldVisitor& v, ContactId& id);

}  // namespace tappet
