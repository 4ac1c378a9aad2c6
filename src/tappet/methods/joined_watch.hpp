// Contacts of rigid bodies beside friction in ideal joints, which method event-driven computes by forces: each has a watch of its own, and
// what changes at one of them is an occasion for the other.
//
// Joints take part in impacts by their own impulses (nonsmooth/rigid_contacts.hpp): of what sticks the hold is let go before, known to the
// impact, and sought again after it.
#pragma once

#include "tappet/methods/contact_monitor.hpp"
#include "tappet/methods/impact_monitor.hpp"

namespace tappet {

class JoinedWatch final : public ContactWatch {
 public:
  JoinedWatch(const Model& model, SmoothSystem& system);

  void prepare(double t, double* y, ImpactList& observer) override;
  void start(double t, const double* y) override;
  std::optional<Found> find(const Scheme& scheme) override;
  double first_penetration(double t, const double* y) override;
  double change(const Found& found, double t, double* y, ImpactList& observer, double flight_step) override;
  double jumped(double t, double* y, bool speeds, ImpactList& observer) override;
  void accepted(const Scheme& scheme) override;
  void store(std::vector<double>& values) const override;
  void restore(const std::vector<double>& values) override;

 private:
  void take_counts();
  void note_held();
  void let_go();

  const Mechanism& mechanism_;
  std::vector<ContactState>& states_;
  ImpactMonitor impacts_;
  ContactMonitor joints_;
};

}  // namespace tappet
