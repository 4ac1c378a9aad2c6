// A model with structures on its way: steps of one length by structures/newmark_moreau.hpp. Rigid bodies in the
// same model are stepped with them; their samples, impacts, events and checkpoints are those of method
// moreau.
#pragma once

#include <string>
#include <vector>

#include "tappet/run/episode.hpp"
#include "tappet/run/moreau_run.hpp"
#include "tappet/structures/newmark_moreau.hpp"
#include "tappet/structures/structure_instant.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

class StructureRun final : public MoreauRun {
 public:
  explicit StructureRun(const Model& m);
  std::string integrator() const override;

 private:
  void advance(double next) override;
  void record_start(Observer& observer) override;
  void follow_contacts(double from, double to, Observer& observer) override;
  void record_at(double time, double length, const double* state, Observer& observer) override;
  void report(RunSummary& summary) const override;
  std::vector<double> memory() const override;
  void restore_memory(const double* numbers) override;

  void record_state(const DynamicsWorkspace& w, double time, double length, const double* state,
                    const std::vector<double>& q, const std::vector<double>& u, Observer& observer);
  void record_fields(double length, const std::vector<double>& q, const std::vector<double>& u,
                     Observer& observer);
  StructureSystem structures_;
  NewmarkMoreau newmark_;
  std::vector<double> q_, u_, q_before_, u_before_, q_sample_, u_sample_;
  double largest_turn_ = 0;
  std::vector<Episode> node_episodes_;  // one a contact of nodes
  std::vector<ContactSum> sums_;        // likewise: of the last step; losses since the start, J
};

}  // namespace tappet
