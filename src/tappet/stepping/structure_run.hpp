// A model of structures on its way: steps of one length by schemes/newmark_moreau.hpp, with the samples,
// impacts, ledger and checkpoints that every run has.
#pragma once

#include <string>
#include <vector>

#include "tappet/stepping/episode.hpp"
#include "tappet/stepping/run.hpp"
#include "tappet/stepping/schemes/newmark_moreau.hpp"
#include "tappet/stepping/structure_system.hpp"

namespace tappet {

class StructureRun final : public Run {
 public:
  explicit StructureRun(const Model& m);
  void loop(Observer& observer, RunSummary& summary) override;
  std::string integrator() const override;

 private:
  void report(RunSummary& summary) const override;
  std::vector<double> memory() const override;
  void restore_memory(const double* numbers) override;

  void follow_contacts(double from, double to, Observer& observer);
  void record_until(double from, double to, Observer& observer);
  void record_state(double time, double length, const std::vector<double>& q, const std::vector<double>& u,
                    Observer& observer);
  double value(const SignalSource& source, double length, const double* q, const double* u, double kinetic,
               double potential) const;

  StructureSystem structures_;
  NewmarkMoreau stepper_;
  std::vector<double> q_, u_, q_before_, u_before_, q_sample_, u_sample_;
  long steps_ = 0, impacts_ = 0;
  double max_first_penetration_ = 0, largest_turn_ = 0;
  std::vector<Episode> episodes_;  // one a contact
  std::vector<Vec3> force_;        // impulse of each contact in the last step, N s
  std::vector<double> normal_, slip_, loaded_, normal_loss_,
      friction_loss_;  // likewise; losses since the start
};

}  // namespace tappet
