#include "tappet/run/simulation.hpp"

#include <chrono>

#include <fmt/format.h>

#include "tappet/fem/body.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/run.hpp"

namespace tappet {

Simulation::Simulation(const Model& model) : run_(make_run(model)) {}
Simulation::~Simulation() = default;

const std::vector<Signal>& Simulation::signals() const {
  return run_->signals;
}
const std::vector<std::string>& Simulation::contact_names() const {
  return run_->contact_names;
}
const std::vector<std::string>& Simulation::event_names() const {
  return run_->event_names;
}

std::vector<fem::FieldMesh> Simulation::field_meshes() const {
  std::vector<fem::FieldMesh> out;
  if (field_samples() > 0)
    for (const auto& body : run_->model.structures) out.push_back(fem::field_mesh(body->structure));
  return out;
}
long Simulation::field_samples() const {
  return run_->model.settings.field_samples;
}

RunSummary Simulation::describe() const {
  return run_->describe();
}

std::size_t Simulation::checkpoint_length() const {
  return run_->checkpoint().size();
}

void Simulation::restore(std::span<const double> checkpoint) {
  run_->restore(checkpoint);
}

RunSummary Simulation::run(Observer& observer) {
  RunSummary out = describe();
  const auto begin = std::chrono::steady_clock::now();
  try {
    run_->loop(observer, out);
    out.completed = out.stop_reason.empty();
  } catch (const SimulationError& e) {
    // The place where the failing step began, and why it failed.
    out.stop_reason = fmt::format("stopped at t = {:.9g} s: {}", run_->t, e.what());
  }
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run_->finish(out);
  return out;
}

}  // namespace tappet
