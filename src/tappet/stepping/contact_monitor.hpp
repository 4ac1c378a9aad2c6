// Watches the contacts of a run: finds the instants at which one begins, ends, sticks or slips, changes what
// it remembers there, and keeps the impact table.
//
// Between two such instants the right-hand side is smooth: a contact that is not yet touching exerts nothing
// even where a trial stage runs past first touch, so the step that contains the touch is as accurate as any
// other, and the touch is located on its dense output. [Flores2006, section 5] instead rejects steps until
// the first penetration is small; that strategy can be chosen.
#pragma once

#include <optional>
#include <vector>

#include "tappet/stepping/scheme.hpp"
#include "tappet/stepping/simulation.hpp"
#include "tappet/stepping/smooth_system.hpp"

namespace tappet {

class ContactMonitor {
 public:
  ContactMonitor(const Model& model, SmoothSystem& system);

  /// Values at the beginning of a step.
  void start(double t, const double* y);

  struct Found {
    double time = 0;
    int contact = 0;
    enum class Kind { touch, part, turn, stick_slip } kind = Kind::touch;
  };
  /// The first change in the scheme's last step; none: the step's end becomes the next beginning.
  std::optional<Found> find(const Scheme& scheme);
  /// The largest penetration of contacts that were apart at the beginning of the step and are not at its end.
  double first_penetration(double t, const double* y);

  /// Carries the change out at (t, y); y may be altered (velocities of a contact that comes to stick).
  /// Finished impacts go to the observer. Returns the step that suits what begins there, 0 if nothing is
  /// known.
  double change(const Found& found, double t, double* y, Observer& observer, double flight_step);

  /// The longest step worth trying from here.
  double step_limit() const;

  /// Takes note of an accepted step that ends at the scheme's t: maxima of penetration and force.
  void accepted(const Scheme& scheme);

  long impacts = 0;
  double max_first_penetration = 0;
  double worst_love_ratio = 0;  ///< largest impact speed over Love's limit
  long love_exceeded = 0;       ///< impacts beyond it
  int worst_love_contact = -1;

 private:
  struct Value {
    double gap = 0, rate = 0, margin = 1;
  };
  void evaluate(double t, const double* y, std::vector<Value>& out);
  double margin_of(int contact, double t, const double* y);
  double root(const Scheme& scheme, int contact, Found::Kind kind, double a, double b, bool falling);
  double quantity(const Scheme& scheme, int contact, Found::Kind kind, double t);
  double begin(int contact, double t, double* y);
  void end(int contact, double t, const double* y, Observer& observer);
  void change_friction(int contact, double t, double* y, bool just_begun);
  void release_overloaded(double t, const double* y);
  void follow(int contact, double depth, double rate);

  const Model& model_;
  const Mechanism& mechanism_;
  SmoothSystem& system_;
  std::vector<ContactState>& states_;
  double rough_ =
      0;  ///< of an impact's duration: the step that meets the tolerance where a contact begins or ends
  std::vector<char> turns_;       ///< the law's force jumps where the rate changes sign
  std::vector<Value> old_, new_;  ///< at the beginning and the end of a step; find()
  std::vector<Value> begin_;      ///< at the beginning of the step that find() looked at
  std::vector<double> end_rate_;  ///< gap rates at the end of the step, cut or not; accepted()
  std::vector<double> y_, unit_, response_, zero_, lambda_;
};

/// Numbers of a contact's memory in a checkpoint.
inline constexpr int contact_state_numbers = 17;
void save(const ContactState& state, double* out);
void load(ContactState& state, const double* in);

}  // namespace tappet
