// Watches the contacts of a run: finds the instants at which one of them changes, changes what it remembers there, and keeps
// the impact table. How contact is treated (by force laws, or as impacts of rigid bodies) is behind this interface.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tappet/model/impact.hpp"
#include "tappet/ode/scheme.hpp"
#include "tappet/ode/smooth_system.hpp"

namespace tappet {

class ContactWatch {
 public:
  virtual ~ContactWatch() = default;

  struct Found {
    double time = 0;
    int contact = 0;
    enum class Change { touch, part, turn, stick_slip } change = Change::touch;
  };

  /// At the beginning of a run: contacts that are closed already. y may be altered.
  virtual void prepare(double t, double* y, ImpactList& observer) { (void)t, (void)y, (void)observer; }
  /// Values at the beginning of a step.
  virtual void start(double t, const double* y) = 0;
  /// The first change in the scheme's last step; none: the step's end becomes the next beginning.
  virtual std::optional<Found> find(const Scheme& scheme) = 0;
  /// The largest penetration of contacts that were apart at the beginning of the step and are not at its end.
  virtual double first_penetration(double t, const double* y) = 0;
  /// Carries the change out at (t, y); y may be altered. Finished impacts go to the observer. Returns the step that suits
  /// what begins there, 0 if nothing is known.
  virtual double change(const Found& found, double t, double* y, ImpactList& observer,
                        double flight_step) = 0;
  /// Inputs jumped at (t, y), and with them forces or, if so told, speeds; y may be altered. Returns as change() does.
  virtual double jumped(double t, double* y, bool speeds, ImpactList& observer) = 0;
  /// The longest step worth trying from here.
  virtual double step_limit() const { return HUGE_VAL; }
  /// Before accepted(), of the same step: adds instants at which a contact's force or penetration is largest, or its force sets in.
  virtual void peaks(const Scheme& scheme, std::vector<double>& out) { (void)scheme, (void)out; }
  /// Takes note of an accepted step that ends at the scheme's t.
  virtual void accepted(const Scheme& scheme) = 0;

  /// What to tell about contacts as they are at the end, (t, y), of a run.
  virtual void report(double t, const double* y, std::vector<std::string>& warnings) {
    (void)t, (void)y, (void)warnings;
  }

  /// What it remembers from the last step besides what contacts remember: part of the state.
  virtual void store(std::vector<double>& values) const = 0;
  /// After start() at the same instant. Throws std::invalid_argument for values of another number.
  virtual void restore(const std::vector<double>& values) = 0;

  long impacts = 0;
  double max_first_penetration = 0;
  double worst_love_ratio = 0;  ///< largest impact speed over Love's limit
  long love_exceeded = 0;       ///< impacts beyond it
  int worst_love_contact = -1;
  std::string crowded;  ///< a warning: two surfaces touched at more places than they have contacts for
};

}  // namespace tappet
