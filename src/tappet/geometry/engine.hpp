// Which geometry a contact computes with: `engine: analytic | polygon | exact`.
//
//   analytic   closed forms, pair by pair
//   polygon    every shape as a closed mesh of triangles (planes stay planes)
//   exact      every shape as a solid with exact surfaces, by OpenCASCADE where that was found when
//              Tappet was built
//              (planes stay planes)
//
// The gap is the same signed distance for all three.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tappet/base/diagnostics.hpp"
#include "tappet/geometry/pair.hpp"

namespace tappet {

enum class Engine { analytic, polygon, exact };

/// In the order of the enumeration, as written in model files.
const std::vector<std::string>& engine_names();
std::optional<Engine> engine_from(const std::string& name);

struct EngineOptions {
  /// No engine: each shape as it is, and where no closed form knows both, as solids if one of them is a
  /// solid, as meshes if one of them is a mesh.
  std::optional<Engine> engine = {};
  /// Polygon: how far a mesh may be from the shape it stands for, m; 0: a thousandth of the shape's size.
  double tolerance = 0;
  PairUse use = PairUse::forces;
};

/// Makes pairs by one engine. Each shape is turned into a mesh or a solid once, however many it touches.
class PairMaker {
 public:
  explicit PairMaker(const EngineOptions& options) : options_(options) {}

  /// An empty Pair after an error was reported at `pos`, where `who` names the contact. The pair keeps alive
  /// what was made for it; the shapes must outlive it.
  Pair make(const Shape& first, const Shape& second, const std::string& who, const SourcePos& pos,
            Diagnostics& diagnostics);

 private:
  using Kept = std::shared_ptr<const Shape>;
  struct Complaint;
  Pair made(Engine engine, const Shape& first, const Shape& second, const Complaint& complain);
  Kept converted(Engine engine, const Shape& shape, const Complaint& complain);

  EngineOptions options_;
  std::map<std::pair<Engine, const Shape*>, Kept> converted_;
};

}  // namespace tappet
