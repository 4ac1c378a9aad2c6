// Which geometry a contact computes with: `engine: analytic | polygon | exact`.
//
//   analytic   closed forms, pair by pair
//   polygon    every shape as a closed mesh of triangles (planes stay planes)
//   exact      every shape as a solid with exact surfaces, by OpenCASCADE where that was found when Tappet
//   was built
#pragma once

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
  /// Polygon: how far a mesh may be from the shape it stands for, m; 0: a thousandth of the shape's size.
  double tolerance = 0;
};

/// How the two touch by this engine. An empty Pair after an error was reported at `pos`. The pair keeps alive
/// what it makes; the shapes must outlive it.
Pair make_pair(const Shape& first, const Shape& second, Engine engine, const EngineOptions& options,
               const SourcePos& pos, Diagnostics& diagnostics);

}  // namespace tappet
