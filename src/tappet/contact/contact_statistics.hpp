// How the complementarity problems of a run's contacts went.
#pragma once

#include <string>

namespace tappet {

class FieldVisitor;

/// How the contact problems of a run went.
struct ContactStatistics {
  long problems = 0, iterations = 0, stalled = 0;
  long scaled = 0;   ///< steps whose impact law would have gained energy
  long plastic = 0;  ///< steps whose impact law had no solution
  int most_contacts = 0;
  double worst_residual = 0;
  std::string worst_note;  ///< what ran where the residual was worst

  bool operator==(const ContactStatistics&) const = default;
};

void fields(FieldVisitor& v, ContactStatistics& statistics);

}  // namespace tappet
