#include "tappet/geometry/shape.hpp"

namespace tappet {

const Family& shape_family() {
  static const Family family{
      .key = "",
      .noun = "shape",
      .common = {.name = "a shape", .help = "What a body's surface looks like", .parameters = {}},
      .members = [] {
        std::vector<std::pair<std::string, const Table*>> out;
        for (const ShapeType& type : ShapeRegistry::instance().entries())
          out.emplace_back(type.name, &type.table);
        return out;
      }};
  return family;
}

std::unique_ptr<Shape> make_shape(const AnyParameters& parameters, Dimension dimension,
                                  Diagnostics& diagnostics) {
  const ShapeType* type = find_type(ShapeRegistry::instance().entries(), parameters);
  if (!type) return nullptr;
  const int before = diagnostics.error_count();
  std::unique_ptr<Shape> shape = type->make(parameters, dimension, diagnostics);
  return diagnostics.error_count() == before ? std::move(shape) : nullptr;
}

}  // namespace tappet
