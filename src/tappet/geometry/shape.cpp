#include "tappet/geometry/shape.hpp"


namespace tappet {

const Family& shape_family() {
  static const Family family{.key = "",
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

std::unique_ptr<Shape> make_shape(const Object& object, Dimension dimension, Diagnostics& diagnostics) {
  const ShapeType* type = ShapeRegistry::instance().find(object.type);
  return type ? type->make(object, dimension, diagnostics) : nullptr;
}

}  // namespace tappet
