#include "tappet/geometry/pair.hpp"

#include <utility>

namespace tappet {

namespace {

void exchange(Proximity& proximity) {
  proximity.normal = -proximity.normal;
  std::swap(proximity.on_first, proximity.on_second);
  std::swap(proximity.radius[0], proximity.radius[1]);
}

}  // namespace

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

Pair::Pair(std::shared_ptr<const Shape> first, std::shared_ptr<const Shape> second) : Pair(*first, *second) {
  kept_[0] = std::move(first);
  kept_[1] = std::move(second);
}

Proximity Pair::evaluate(const Pose& first, const Pose& second, int candidate) const {
  if (!exchanged_) return type_->evaluate(*first_, first, *second_, second, candidate);
  Proximity out = type_->evaluate(*first_, second, *second_, first, candidate);
  exchange(out);
  return out;
}

void Pair::evaluate(const Pose& first, const Pose& second, std::span<Proximity> out) const {
  const Pose &p = exchanged_ ? second : first, &q = exchanged_ ? first : second;
  if (type_->evaluate_all)
    type_->evaluate_all(*first_, p, *second_, q, out.first(candidates_));
  else
    for (int i = 0; i < candidates_; ++i) out[i] = type_->evaluate(*first_, p, *second_, q, i);
  if (exchanged_)
    for (int i = 0; i < candidates_; ++i) exchange(out[i]);
}

}  // namespace tappet
