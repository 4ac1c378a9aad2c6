// The structures of a model within method moreau: where their unknowns are in the state, what they remember, their contacts,
// signals and fields.
#pragma once

#include <string>
#include <vector>

#include "tappet/methods/method.hpp"
#include "tappet/nonsmooth/moreau.hpp"
#include "tappet/structures/newmark_moreau.hpp"
#include "tappet/structures/structure_instant.hpp"
#include "tappet/structures/structure_system.hpp"

namespace tappet {

/// What structures remember besides their unknowns: part of the state.
struct StructureMemory {
  std::vector<int> kept, batches;     ///< StructureCompliance: columns that were made, and which together
  std::vector<double> spring_forces;  ///< as the last step ended, N
  std::vector<double> light_points, light_nodes, light_bodies;  ///< NewmarkMoreau::LightLoads
  std::vector<double> normal_loss, friction_loss;               ///< per contact, since the start, J

  bool operator==(const StructureMemory&) const = default;
};
void fields(FieldVisitor& v, StructureMemory& memory);

/// The first load, support motion or lifted floor of the structures that is not a finite number at time t, with its formula;
/// "": none.
std::string not_finite_load(const Model& model, double t);

class StructurePart {
 public:
  /// `offset`: where the structures' displacements begin in the state. `y`: the bodies as they start.
  StructurePart(const Model& model, const MoreauOptions& options, int offset, const double* y);

  /// Displacements and velocities of the structures in a state.
  double* q(double* y) const { return y + offset_; }
  double* u(double* y) const { return y + offset_ + system_.size(); }
  const double* q(const double* y) const { return y + offset_; }
  const double* u(const double* y) const { return y + offset_ + system_.size(); }

  /// A new state gets their unknowns and their energy. Throws InputError where what is attached does not move with its body.
  void prepare(State& state, SmoothSystem& bodies, StructureMemory& memory);
  void adopt(const State& state, const StructureMemory& memory);
  void collect(State& state, StructureMemory& memory) const;

  /// One step of structures and bodies together.
  void step(double t, double length, double* y, MoreauStepper& stepper, SmoothSystem& bodies);
  /// What contacts of nodes did in it, one entry per contact of the model, ascending.
  void note_contacts(double length, StructureMemory& memory, std::vector<ContactStep>& out);
  const ContactStatistics& statistics() const { return newmark_.statistics(); }
  void set_statistics(const ContactStatistics& s) { newmark_.set_statistics(s); }

  /// Of structures that turn, rotations between those of two states.
  void turned_between(const double* from, const double* to, double part, double* y) const {
    if (system_.turns()) system_.turned_between(q(from), q(to), part, q(y));
  }
  Energies energies(const DynamicsWorkspace& w, const double* y) const;
  /// Values of the structures' signals and of the energies at y; `length` and `before` are those of the last step.
  void signals(const std::vector<SignalDefinition>& signals, const Energies& energy,
               const DynamicsWorkspace& w, const State& state, const StructureMemory& memory, double length,
               const double* before, const double* y, double* out);
  void fields_of(int structure, double length, const double* y, fem::Fields& out) const;
  void contacts(double length, std::vector<ContactLoad>& out) const;
  void report(std::vector<std::string>& notes) const;

  StructureSystem& system() { return system_; }
  const StructureSystem& system() const { return system_; }

 private:
  const Model& model_;
  StructureSystem system_;
  NewmarkMoreau newmark_;
  int offset_ = 0;
  std::vector<ContactSum> sums_;                 // of each contact in the last step; note_contacts()
  std::vector<double> acceleration_, supports_;  // signals()
  std::vector<AttachmentLoad> attachments_;      // signals()
};

}  // namespace tappet
