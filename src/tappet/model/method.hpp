// Methods by name: how contact is treated, and what advances the state. The methods themselves are in methods/, one file each.
#pragma once

#include <memory>
#include <string>

#include "tappet/base/registry.hpp"

namespace tappet {

class Method;
struct Model;
struct RunSettings;

/// How a method treats what touches.
enum class ContactTreatment {
  forces,  ///< laws of penetration and its rate; contacts begin and end at located instants
  events,  ///< rigid bodies: impacts at located instants, reactions between them
  steps    ///< rigid bodies: impulses in steps of one length
};

struct MethodType {
  std::string name;  ///< as in `simulation.method`
  std::string help;  ///< one line
  ContactTreatment treatment = ContactTreatment::forces;
  bool prescribed = false;  ///< the motion is known: nothing that moves by itself can be in the model
  /// Throws InputError for what only the method can refuse.
  std::unique_ptr<Method> (*make)(const Model& model) = nullptr;

  /// Contacts need restitution and friction coefficients, and no force law.
  bool rigid() const { return treatment != ContactTreatment::forces; }
};

using MethodRegistry = Registry<MethodType>;

/// The method that these settings name.
const MethodType& method_type(const RunSettings& settings);

}  // namespace tappet
