// What methods smooth and event-driven share: an integrator with error control, whose steps end where a contact changes. How
// contacts are treated is behind ContactWatch.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/methods/contact_watch.hpp"
#include "tappet/methods/gap_search.hpp"
#include "tappet/methods/method.hpp"

namespace tappet {

/// What these methods remember besides the contacts.
struct IntegratedMemory {
  static constexpr const char* kind = "integrated";
  double flight_step = 0;     ///< last step before a contact began, s
  long restarts = 0;          ///< times at which a multistep scheme began anew
  double last_change = -1;    ///< of a contact, s
  int same_instant = 0;       ///< changes at that instant
  int dropped_rows = 0;       ///< SmoothSystem::dropped_rows()
  std::vector<double> watch;  ///< ContactWatch::store()
  /// Where all this and the integrator's memory hold; from a state that was altered since, the integrator begins anew.
  double t = 0;
  std::vector<double> y, inputs;

  bool operator==(const IntegratedMemory&) const = default;
};
void fields(FieldVisitor& v, IntegratedMemory& memory);

using MakeWatch = std::unique_ptr<ContactWatch> (*)(const Model& model, SmoothSystem& system);

/// Throws InputError for an integrator that is not there, or that cannot do what is asked.
std::unique_ptr<Method> make_integrated_method(const Model& model, MakeWatch make_watch);

}  // namespace tappet
