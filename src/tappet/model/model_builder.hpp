// Models built by a program, without a file.
//
//   ModelBuilder builder(Dimension::planar);
//   builder.gravity({0, -9.81, 0});
//   builder.add("bob", BodyParameters{.mass = 1, .inertia = …, .position = Vec3(0, -1, 0)});
//   builder.add("pin", RevoluteParameters{.bodies = {"ground", "bob"}, .points = {Vec3(0, 0, 0), Vec3(0, 1, 0)}});
//   builder.set(SimulationParameters{.duration = 2});
//   Diagnostics diagnostics;
//   const std::shared_ptr<const Model> model = builder.build(diagnostics);
//
// Which section of a model an element belongs to follows from the struct of its parameters. A program's parameters take the
// same way as a file's: the builder writes the model as a file would say it, and compile() reads that, so that the two
// cannot disagree, every check holds for both and every model can be stored in its result. Messages name the element,
// "joints.pin", where those about files name a line.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tappet/base/parameters.hpp"
#include "tappet/spec/parameter_values.hpp"

namespace tappet {

struct Model;
struct Spec;

class ModelBuilder {
 public:
  explicit ModelBuilder(Dimension dimension);

  ModelBuilder& title(std::string title);
  ModelBuilder& gravity(const Vec3& acceleration);  ///< m/s²
  /// A constant or function for all expressions: "rise" or "lift(u)", and what it stands for.
  ModelBuilder& define(std::string head, std::string expression);

  /// A body, joint, motion, force, contact, event, material or pair of materials.
  /// Throws std::logic_error if no section takes parameters of this type.
  ModelBuilder& add(const std::string& name, AnyParameters parameters);
  /// The ground's shapes, how the model is run, what is recorded.
  ModelBuilder& set(AnyParameters parameters);

  /// The model as a file would say it.
  std::string text() const;
  /// Checked key by key. Throws InputError with every fault, each with its element's name.
  Spec spec() const;
  /// Throws InputError with every fault; warnings go to `diagnostics`.
  std::shared_ptr<const Model> build(Diagnostics& diagnostics) const;

 private:
  Value value() const;

  Dimension dimension_;
  std::string title_;
  Vec3 gravity_ = Vec3::Zero();
  std::vector<std::pair<std::string, std::string>> definitions_;
  std::map<std::string, NamedParameters> sections_;  ///< of many elements
  std::map<std::string, AnyParameters> single_;      ///< of one mapping
};

}  // namespace tappet
