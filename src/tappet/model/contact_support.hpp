// Which method computes which kind of contact: the one table that models are refused by and that `tappet methods` prints.
#pragma once

#include <string>
#include <vector>

#include "tappet/model/method.hpp"

namespace tappet {

enum class ContactKind {
  followed,
  group,
  nodes,
  faces,
  structure,
  attachment,
  light,
  flexible,
  flexible_faces
};

struct ContactSupport {
  bool runs = true;
  std::string words;  ///< a condition, or why not
};

struct ContactKindType {
  ContactKind kind;
  std::string name;
  ContactSupport forces, events, steps;  ///< by ContactTreatment

  const ContactSupport& by(const MethodType& method) const;
};

const std::vector<ContactKindType>& contact_kinds();
const ContactSupport& contact_support(ContactKind kind, const RunSettings& settings);
/// Kinds by methods, as documentation shows it.
std::string contact_table();

}  // namespace tappet
