// Method moreau: steps of one length, contacts by complementarity (nonsmooth/moreau.hpp).
#pragma once

#include <string>
#include <vector>

#include "tappet/nonsmooth/moreau.hpp"
#include "tappet/run/episode.hpp"
#include "tappet/run/run.hpp"
#include "tappet/run/stride_watch.hpp"

namespace tappet {

class MoreauRun : public Run {
 public:
  explicit MoreauRun(const Model& m);
  void loop(Observer& observer, RunSummary& summary) override;
  std::string integrator() const override;

 protected:
  /// One step of the state, to `next`.
  virtual void advance(double next);
  virtual void record_start(Observer& observer);
  /// The impact table, after a step.
  virtual void follow_contacts(double from, double to, Observer& observer);
  /// A sample between the ends of the last step, of this length, or at its end.
  virtual void record_at(double time, double length, const double* state, Observer& observer);
  /// Everything about that instant.
  DynamicsWorkspace& instant(double time, double length, const double* state);

  void report(RunSummary& summary) const override;
  std::vector<double> memory() const override;
  void restore_memory(const double* numbers) override;

  MoreauStepper stepper_;
  long steps_ = 0, impacts_ = 0;
  double max_first_penetration_ = 0;
  std::vector<double> before_;  // like y: the state at the beginning of the step

 private:
  static constexpr int contact_numbers =
      11;  // of a contact in a checkpoint: an episode, a warm start, whether it stuck
  void save_contact(int contact, std::vector<double>& out) const;
  void load_contact(int contact, const double* numbers);
  std::size_t field_room() const;

  bool find_events(double from, double to, Observer& observer);
  void displace_by(double time, std::vector<double>& state) const;
  void record_until(double from, double to, Observer& observer);

  std::vector<Episode> episodes_;  // one a contact and a slot of the field
  std::vector<int> loaded_;        // contacts with an episode under way
  std::vector<char> carries_;      // contacts that carry load in this step; follow_contacts()
  std::vector<double> g_new_;
  StrideWatch strides_;
  mutable bool cut_ = false;  // a checkpoint had no room for all contacts of groups; memory()
};

}  // namespace tappet
