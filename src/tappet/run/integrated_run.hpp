// Methods smooth and event-driven: the motion is integrated with error control, and the instants at which a
// contact changes are located.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/ode/event_location.hpp"
#include "tappet/ode/scheme.hpp"
#include "tappet/run/contact_watch.hpp"
#include "tappet/run/gap_search.hpp"
#include "tappet/run/run.hpp"

namespace tappet {

class IntegratedRun final : public Run {
 public:
  explicit IntegratedRun(const Model& m);
  void loop(Observer& observer, RunSummary& summary) override;
  std::string integrator() const override { return integrator_; }

 private:
  void report(RunSummary& summary) const override;
  std::vector<double> memory() const override;
  void restore_memory(const double* numbers) override;

  void record_at(double time, const double* state, Observer& observer);
  void record_until(double time, Observer& observer);
  bool handle_events(Observer& observer);
  std::optional<ContactWatch::Found> step();
  void cut(double time);
  void change(const ContactWatch::Found& found, Observer& observer);

  // Contacts of groups (multibody/group_forces.hpp): a step ends where the first of them begins.
  void step_among_groups();
  void end_at_first_touch();
  void settle_groups(Observer& observer);
  double way(double time, const double* state) const;

  std::unique_ptr<Scheme> scheme_;
  EventLocator locator_;
  GapSearch gaps_;
  std::unique_ptr<ContactWatch> watch_;
  std::string integrator_;      // what `auto` became
  bool records_forces_ = true;  // a signal shows more than places and speeds

  // All of it is in a checkpoint.
  double flight_step_ = 0;   // last step before a contact began
  long restarts_ = 0;        // checkpoints at which a multistep scheme began anew
  double last_change_ = -1;  // of a contact
  int same_instant_ = 0;
  long group_impacts_ = 0;

  std::vector<GroupTouch> parted_;      // settle_groups()
  std::vector<LocatedEvent> passages_;  // handle_events()
};

}  // namespace tappet
