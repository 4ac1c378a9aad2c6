// Contacts of rigid bodies: impacts resolved at the instants at which they happen, closed contacts that open, stick and slip.
//
// Between these instants the motion is smooth, with the reactions of the closed contacts (RigidContacts). At one of them:
//   1. all contacts with no gap are looked at together;
//   2. if one of them approaches, an impact changes the velocities; contacts that approach slower than a millionth of their
//      fastest impact do not bounce: an accumulation of ever smaller bounces (Zeno) is closed there, and the time at which
//      it would have ended, t + 2 ε v/(a (1 − ε)), is a row of the impact table;
//   3. those that do not separate get velocities that belong together, and the complementarity problem of the velocities over a
//      vanishing time decides which stay closed and whether they stick or slip. Where no forces exist (a jam, Painlevé's rod)
//      it gives an impulse: an impact without collision, a row of the impact table with speed 0.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "tappet/methods/contact_watch.hpp"
#include "tappet/nonsmooth/rigid_contacts.hpp"
#include "tappet/ode/event_location.hpp"

namespace tappet {

class ImpactMonitor final : public ContactWatch {
 public:
  ImpactMonitor(const Model& model, SmoothSystem& system);

  void prepare(double t, double* y, ImpactList& observer) override;
  void start(double t, const double* y) override;
  std::optional<Found> find(const Scheme& scheme) override;
  double first_penetration(double t, const double* y) override;
  double change(const Found& found, double t, double* y, ImpactList& observer, double flight_step) override;
  double jumped(double t, double* y, bool speeds, ImpactList& observer) override;
  void accepted(const Scheme& scheme) override;
  void store(std::vector<double>& values) const override;
  void restore(const std::vector<double>& values) override;

  /// Friction in ideal joints that held before the change that comes, one per contact.
  void joints_held(std::vector<char> held) { rigid_.joints_held(std::move(held)); }

 private:
  /// Two functions per contact whose falling through zero is a change: the gap, or (the first of a component of closed contacts) the
  /// component's margin; and the slip of a contact that slides.
  class Events final : public OdeSystem {
   public:
    explicit Events(ImpactMonitor& monitor) : monitor_(monitor), rates_(2 * monitor.states_.size()) {}
    int size() const override { return monitor_.system_.size(); }
    void derivative(double t, const double* y, double* dydt) override {
      monitor_.system_.derivative(t, y, dydt);
    }
    bool project(double t, double* y) override { return monitor_.system_.project(t, y); }
    void error_scale(double t, const double* y, double* s) override { monitor_.system_.error_scale(t, y, s); }
    int event_count() const override { return 2 * static_cast<int>(monitor_.states_.size()); }
    void event_values(double t, const double* y, double* g) override;
    void event_rates(double* rates) const override { std::copy(rates_.begin(), rates_.end(), rates); }

   private:
    ImpactMonitor& monitor_;
    std::vector<double> rates_;  // event_values()
  };

  void part(double t, double* y);
  void settle(double t, double* y, ImpactList& observer);
  void rest(double t, double* y, ImpactList& observer);
  void look_for_crowds();
  bool bounces(int contact, double speed, double t, const double* y);
  bool strike(double t, double* y, ImpactList& observer);
  void book(const RigidContacts::Percussion& percussion, double* y);
  void close_accumulation(int contact, double t, const double* y, double rebound, double restitution,
                          ImpactList& observer);
  double shortest_flight(double t, const double* y);
  double speed_scale(const double* y) const;
  double nearness(int contact) const;  ///< a gap below this is none, m
  int overdue(const double* g) const;
  /// Where an open contact first was deep, if one is at the end of a part of the step.
  std::optional<Found> deep_before(const Scheme& scheme, double end);

  const Model& model_;
  const Mechanism& mechanism_;
  SmoothSystem& system_;
  std::vector<ContactState>& states_;
  RigidContacts& rigid_;
  Events events_;
  EventLocator locator_;
  std::vector<EventStart> begin_;  ///< event functions at the beginning of the step
  double at_rest_ = 0;             ///< a slip below this is none, m/s
  bool tail_ = false;  ///< the last impact was of those that count as the end of an accumulation; strike()
  std::vector<int> near_, set_,
      resting_;              ///< contacts without a gap; those of them that do not separate; settle()
  std::vector<int> struck_;  ///< at this instant; strike()
  std::vector<double> restitution_, slow_;
  std::vector<double> values_, rates_;  ///< start()
  std::vector<double> y_;               ///< deep_before()
};

}  // namespace tappet
