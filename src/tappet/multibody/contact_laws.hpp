// The keys that every contact has, whatever its geometry: materials, normal law, friction law.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tappet/contact/friction_law.hpp"
#include "tappet/contact/material_pairs.hpp"
#include "tappet/contact/normal_law.hpp"

namespace tappet {

class ContactPoint;

/// Rows of a contact's table: `materials`, `normal`, `friction`.
std::vector<Parameter> contact_law_parameters();

struct ContactLawsInput {
  const Object& object;  ///< the mapping that holds the keys
  std::string owner;     ///< in messages: "joint 'wrist'"
  const Materials& materials;
  Diagnostics& diagnostics;
  bool rigid = false;  ///< for a non-smooth method: restitution and friction coefficient, no force law
};

/// Gives points of one contact, which are alike, their materials and one pair of laws; what was derived is added to
/// `notes`. False after an error was reported.
bool give_laws(const ContactLawsInput& in, const std::vector<std::unique_ptr<ContactPoint>>& points,
               std::vector<std::string>& notes);

}  // namespace tappet
