#include "tappet/geometry/pair.hpp"

#include <utility>

namespace tappet {

Pair::Pair(const Shape& first, const Shape& second) : first_(&first), second_(&second) {
  const PairRegistry& known = PairRegistry::instance();
  type_ = known.find(first.kind() + "|" + second.kind());
  if (!type_) {
    type_ = known.find(second.kind() + "|" + first.kind());
    exchanged_ = type_ != nullptr;
    if (exchanged_) std::swap(first_, second_);
  }
  if (type_) candidates_ = type_->candidates(*first_, *second_);
}

Proximity Pair::evaluate(const Pose& first, const Pose& second, int candidate) const {
  if (!exchanged_) return type_->evaluate(*first_, first, *second_, second, candidate);
  Proximity out = type_->evaluate(*first_, second, *second_, first, candidate);
  out.normal = -out.normal;
  std::swap(out.on_first, out.on_second);
  std::swap(out.radius[0], out.radius[1]);
  return out;
}

}  // namespace tappet
