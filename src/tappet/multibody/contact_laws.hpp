// The keys that every contact has, whatever its geometry: materials, normal law, friction law.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {

class ContactPoint;

Parameter materials_parameter();
Parameter normal_parameter();
Parameter friction_parameter();
/// Rows of a contact's table, whose struct has members of these names.
template <class P>
std::vector<TableRow<P>> contact_law_rows() {
  return {{&P::materials, materials_parameter()},
          {&P::normal, normal_parameter()},
          {&P::friction, friction_parameter()}};
}

/// What the laws of a contact are made from.
struct ContactLawParameters {
  std::array<std::string, 2> materials;  ///< of the first and of the second surface; empty: not named
  AnyParameters normal;
  AnyParameters friction;  ///< empty: none
  Origin origin;           ///< of the mapping that holds these
};
/// From a contact's parameters, whatever their struct.
ContactLawParameters contact_laws_of(const AnyParameters& contact);

struct ContactLawsInput {
  ContactLawParameters parameters;
  std::string owner;  ///< in messages: "joint 'wrist'"
  const Materials& materials;
  Diagnostics& diagnostics;
  bool rigid = false;  ///< for a non-smooth method: restitution and friction coefficient, no force law
};

/// A normal law as the user wrote it and with what its pair of materials says: all but the radii, which decide its
/// stiffness where that is derived.
struct NormalLawSource {
  AnyParameters law;
  std::array<std::optional<Material>, 2> material;

  /// For surfaces of these radii, 0: not known. Throws InputError with what is missing.
  std::shared_ptr<const NormalLaw> make(double first, double second) const;
};

/// Gives points of one contact, which are alike, their materials and one pair of laws; what was derived is added to
/// `notes`. Nothing after an error was reported.
std::optional<NormalLawSource> give_laws(const ContactLawsInput& in,
                                         const std::vector<std::unique_ptr<ContactPoint>>& points,
                                         std::vector<std::string>& notes);

}  // namespace tappet
