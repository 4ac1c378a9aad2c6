// A small result with structures: a soft block falls on a plate that is held at its corners.
#pragma once

#include <string>

#include "support/run_model.hpp"
#include "tappet/results/result_writer.hpp"

namespace tappet {

inline constexpr const char* block_on_plate = R"(
tappet: 1
dimension: spatial
gravity: [0, 0, -9.81]
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}
bodies:
  plate:
    structure:
      generate: {plate: {size: [60 mm, 60 mm], origin: [-30 mm, -30 mm, 0], divisions: [3, 3]}}
      material: m
      section: {thickness: 2 mm}
      fix: {corners: [x, y, z, rx, ry, rz]}
  block:
    position: [0, 0, 1 mm]
    velocity: [0, 0, -0.5]
    structure:
      generate: {block: {size: [20 mm, 20 mm, 20 mm], origin: [-10 mm, -10 mm, 0], divisions: [2, 2, 2]}}
      material: m
contacts:
  rub: {between: [plate.all, block.zmin], normal: {law: newton, restitution: 0}, friction: {law: coulomb, coefficient: 0.3}}
simulation: {method: moreau, duration: 20 ms, step: 0.5 ms}
output: {step: 1 ms, fields: 2 ms}
)";

inline ResultHeader header_of(const Simulation& simulation, const Model& model) {
  ResultHeader header;
  header.signals = simulation.signals();
  header.contacts = simulation.contact_names();
  header.model_file = "test.yaml";
  header.model_text = model.text;
  header.structures = simulation.field_meshes();
  header.field_samples = static_cast<std::size_t>(simulation.field_samples());
  return header;
}

inline void write_structure_result(const std::string& path, const std::vector<std::string>& settings = {}) {
  const auto model = testing::model_of_text(block_on_plate, settings);
  Simulation simulation(*model);
  auto writer = ResultWriter::create(path, header_of(simulation, *model));
  writer.finish(simulation.run(writer));
}

}  // namespace tappet
