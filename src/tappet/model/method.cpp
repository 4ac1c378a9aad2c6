#include "tappet/model/method.hpp"

#include <stdexcept>

#include "tappet/model/model.hpp"

namespace tappet {

const MethodType& method_type(const RunSettings& settings) {
  const MethodType* type = MethodRegistry::instance().find(settings.method);
  if (!type) throw std::invalid_argument("there is no method '" + settings.method + "'");
  return *type;
}

}  // namespace tappet
