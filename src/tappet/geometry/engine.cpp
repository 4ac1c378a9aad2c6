#include "tappet/geometry/engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/geometry/tessellation.hpp"

namespace tappet {
namespace {

using Kept = std::shared_ptr<const Shape>;

/// A shape that someone else keeps alive.
Kept borrowed(const Shape& shape) {
  return Kept(Kept(), &shape);
}

/// As a mesh; planes are polygons already. Null after an error was reported.
Kept as_polygon(const Shape& shape, const EngineOptions& options, const SourcePos& pos,
                Diagnostics& diagnostics) {
  if (shape.kind() == "mesh" || shape.kind() == "plane") return borrowed(shape);
  Kept mesh = tessellate(shape, options.tolerance);
  if (!mesh)
    diagnostics.error(pos, fmt::format("`engine: polygon` has no mesh for a {}; it has one for {}",
                                       shape.kind(), join_names(TessellationRegistry::instance().names())));
  return mesh;
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"analytic", "polygon", "exact"};
  return names;
}

std::optional<Engine> engine_from(const std::string& name) {
  const auto& names = engine_names();
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) return std::nullopt;
  return static_cast<Engine>(at - names.begin());
}

Pair make_pair(const Shape& first, const Shape& second, Engine engine, const EngineOptions& options,
               const SourcePos& pos, Diagnostics& diagnostics) {
  if (engine == Engine::exact) {
    diagnostics.error(pos,
                      "`engine: exact` computes no contacts in this version; take `analytic` or `polygon`");
    return {};
  }
  Kept a = borrowed(first), b = borrowed(second);
  if (engine == Engine::polygon) {
    a = as_polygon(first, options, pos, diagnostics);
    b = as_polygon(second, options, pos, diagnostics);
  }
  if (!a || !b) return {};
  const Pair pair(std::move(a), std::move(b));
  if (!pair)
    diagnostics.error(pos,
                      fmt::format("`engine: {}` does not know how a {} and a {} touch",
                                  engine_names()[static_cast<int>(engine)], first.kind(), second.kind()));
  return pair;
}

}  // namespace tappet
