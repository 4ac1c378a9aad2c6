// Contacts by force laws: begin, end, stick and slip as events of a smooth motion.
//
// Between two such instants the right-hand side is smooth: a contact that is not yet touching exerts nothing
// even where a trial stage runs past first touch, so the step that contains the touch is as accurate as any
// other, and the touch is located on its dense output. [Flores2006, section 5] instead rejects steps until
// the first penetration is small; that strategy can be chosen.
#pragma once

#include <optional>
#include <vector>

#include "tappet/lcp/tresca.hpp"
#include "tappet/methods/contact_watch.hpp"

namespace tappet {

class ContactMonitor final : public ContactWatch {
 public:
  ContactMonitor(const Model& model, SmoothSystem& system);

  void prepare(double t, double* y, ImpactList& observer) override;
  void start(double t, const double* y) override;
  std::optional<Found> find(const Scheme& scheme) override;
  double first_penetration(double t, const double* y) override;
  double change(const Found& found, double t, double* y, ImpactList& observer, double flight_step) override;
  double jumped(double t, double* y, bool speeds, ImpactList& observer) override;
  double step_limit() const override;
  void peaks(const Scheme& scheme, std::vector<double>& out) override;
  /// Keeps the maxima of penetration and force.
  void accepted(const Scheme& scheme) override;
  void report(double t, const double* y, std::vector<std::string>& warnings) override;
  void store(std::vector<double>& values) const override;
  void restore(const std::vector<double>& values) override;

 private:
  struct Value {
    double gap = 0, rate = 0, margin = 1;
    double of(Found::Change kind) const;
  };
  void evaluate(double t, const double* y, std::vector<Value>& out);
  double margin_of(int contact, double t, const double* y);
  double root(const Scheme& scheme, int contact, Found::Change kind, double a, double at_a, double b,
              double at_b, bool falling, double tolerance = 0);
  double quantity(const Scheme& scheme, int contact, Found::Change kind, double t);
  double begin(int contact, double t, double* y, bool closed_from_start = false);
  double scale_impact(int contact, double t, const double* y, const Touch& touch, bool closed_from_start);
  void end(int contact, double t, const double* y, ImpactList& observer);
  void hold(int contact, double t, double* y);
  void change_friction(int contact, double t, double* y, bool just_begun);
  double step_beyond_kink(int contact) const;
  const std::vector<int>& together(const Found& found, double t, const double* y);
  void let_move(double t, const double* y);
  void turn_sliding(double t, double* y);
  void release_overloaded_joints(double t, const double* y);
  void settle_friction(double t, double* y);
  void share_load(double t, const double* y);
  void find_turns();
  NormalOutput follow(int contact, double t, double depth, double rate);
  void follow_step(const Scheme& scheme);
  void follow_peak(const Scheme& scheme, int contact, const NormalOutput& at_start,
                   const NormalOutput& at_end);

  const Model& model_;
  const Mechanism& mechanism_;
  SmoothSystem& system_;
  std::vector<ContactState>& states_;
  double rough_ =
      0;  ///< of an impact's duration: the step that meets the tolerance where a contact begins or ends
  std::vector<char> turns_;        ///< the law's force jumps where the rate changes sign
  std::vector<Value> old_, new_;   ///< at the beginning and the end of a step; find()
  double last_step_ = 0;           ///< length of the step that find() looked at
  std::vector<Value> begin_;       ///< at the beginning of the step that find() looked at
  std::vector<Value> end_;         ///< gaps and rates at the end of the step, cut or not; accepted()
  std::vector<NormalOutput> law_;  ///< of touching contacts at the end of the last step; start(), accepted()
  std::vector<int> together_;      ///< together()
  std::vector<char> rising_;       ///< the force, as the last step ended; follow_peak()
  std::vector<double> peaks_;      ///< instants inside the last step; follow_step()
  bool followed_ = false;          ///< the step that accepted() is to take note of; peaks()
  std::vector<double> y_, unit_, response_, zero_, rows_, lambda_;
  int overloaded_ = -1;        ///< a sticking contact whose margin was found to end; until settle_friction()
  std::vector<int> resting_;   ///< contacts that hold or may; settle_friction()
  std::vector<char> moves_;    ///< contacts that have just been found to; until settle_friction()
  std::vector<int> stick_of_;  ///< per contact: its constraint, −1
  std::vector<int> first_row_;
  std::vector<double> static_load_;
  Eigen::VectorXd holding_;
  lcp::Tresca tresca_;
};

}  // namespace tappet
