#include "tappet/geometry/engine.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "tappet/geometry/exact_body.hpp"
#include "tappet/geometry/shapes/solid.hpp"
#include "tappet/geometry/tessellation.hpp"

namespace tappet {

/// Where errors go.
struct PairMaker::Complaint {
  const std::string& who;
  const SourcePos& pos;
  Diagnostics& diagnostics;

  /// Nothing was made.
  std::nullptr_t operator()(const std::string& what) const {
    diagnostics.error(pos, fmt::format("{}: {}", who, what));
    return nullptr;
  }
};

namespace {

using Kept = std::shared_ptr<const Shape>;

const std::string& name_of(Engine engine) {
  return engine_names()[static_cast<int>(engine)];
}

/// A shape that someone else keeps alive.
Kept borrowed(const Shape& shape) {
  return Kept(Kept(), &shape);
}

template <class Complaint>
Kept as_mesh(const Shape& shape, double tolerance, const Complaint& complain) {
  if (shape.kind() == "solid") return borrowed(static_cast<const Solid&>(shape).mesh());
  const Tessellation* known = TessellationRegistry::instance().find(shape.kind());
  if (!known)
    return complain(fmt::format("`engine: polygon` has no mesh for a {}; it has one for {}", shape.kind(),
                                join_names(TessellationRegistry::instance().names())));
  if (tolerance > 0 && tolerance < finest_tolerance(shape))
    return complain(
        fmt::format("`mesh_tolerance` of {:.3g} m is too small for a {} of this size; the finest mesh "
                    "is within {:.3g} m, and `engine: exact` needs none",
                    tolerance, shape.kind(), finest_tolerance(shape)));
  return tessellate(shape, tolerance);
}

template <class Complaint>
Kept as_solid(const Shape& shape, const Complaint& complain) {
  if (!exact_bodies_available())
    return complain(
        "`engine: exact` needs OpenCASCADE, which was not there when this Tappet was built: install "
        "libocct-modeling-algorithms-dev and libocct-data-exchange-dev (group 'exact' in packages.txt) and "
        "build again, or take `polygon`");
  if (Kept solid = solidified(shape)) return solid;
  if (shape.kind() == "mesh")
    return complain(
        "`engine: exact` cannot be had of a mesh, whose file holds triangles and no surfaces; take "
        "`polygon`, "
        "or a STEP or BREP file as a `solid`");
  return complain(fmt::format("`engine: exact` has no solid for a {}; it has one for {}", shape.kind(),
                              join_names(solid_kinds())));
}

bool has_kind(const Shape& a, const Shape& b, const char* kind) {
  return a.kind() == kind || b.kind() == kind;
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

Kept PairMaker::converted(Engine engine, const Shape& shape, const Complaint& complain) {
  const bool ready = shape.kind() == "plane" || (engine == Engine::polygon && shape.kind() == "mesh") ||
                     (engine == Engine::exact && shape.kind() == "solid");
  if (engine == Engine::analytic || ready) return borrowed(shape);
  Kept& kept = converted_[{engine, &shape}];
  if (!kept)
    kept =
        engine == Engine::polygon ? as_mesh(shape, options_.tolerance, complain) : as_solid(shape, complain);
  return kept;
}

Pair PairMaker::made(Engine engine, const Shape& first, const Shape& second, const Complaint& complain) {
  if (engine == Engine::analytic)
    for (const char* kind : {"mesh", "solid"})
      if (has_kind(first, second, kind)) {
        complain(
            fmt::format("`engine: analytic` has no closed form for a {}; take `{}`, or leave `engine` out",
                        kind, kind == std::string("mesh") ? "polygon" : "exact"));
        return {};
      }
  Kept a = converted(engine, first, complain), b = a ? converted(engine, second, complain) : a;
  if (!a || !b) return {};
  Pair pair(std::move(a), std::move(b), options_.use);
  if (!pair)
    complain(fmt::format("`engine: {}` does not know how a {} and a {} touch", name_of(engine), first.kind(),
                         second.kind()));
  return pair;
}

Pair PairMaker::make(const Shape& first, const Shape& second, const std::string& who, const SourcePos& pos,
                     Diagnostics& diagnostics) {
  const Complaint complain{who, pos, diagnostics};
  if (options_.engine) return made(*options_.engine, first, second, complain);
  if (Pair direct(first, second, options_.use); direct) return direct;
  if (has_kind(first, second, "mesh")) return made(Engine::polygon, first, second, complain);
  if (has_kind(first, second, "solid")) return made(Engine::exact, first, second, complain);
  complain(fmt::format("nothing is known about how a {} touches a {}", first.kind(), second.kind()));
  return {};
}

}  // namespace tappet
