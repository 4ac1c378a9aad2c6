#include "tappet/geometry/pair.hpp"

#include <array>
#include <atomic>
#include <utility>

namespace tappet {

namespace {

void exchange(Proximity& proximity) {
  proximity.normal = -proximity.normal;
  std::swap(proximity.on_first, proximity.on_second);
  std::swap(proximity.radius[0], proximity.radius[1]);
}

}  // namespace

Pair::Pair(const Shape& first, const Shape& second, PairUse use) : first_(&first), second_(&second) {
  const PairRegistry& known = PairRegistry::instance();
  type_ = known.find(first.kind() + "|" + second.kind());
  if (!type_) {
    type_ = known.find(second.kind() + "|" + first.kind());
    exchanged_ = type_ != nullptr;
    if (exchanged_) std::swap(first_, second_);
  }
  if (type_ && type_->variant) type_ = known.find(type_->variant(*first_, *second_, use));
  if (type_) candidates_ = type_->candidates(*first_, *second_);
  static std::atomic<long> pairs = 0;
  id_ = ++pairs;
}

Pair::Pair(std::shared_ptr<const Shape> first, std::shared_ptr<const Shape> second, PairUse use)
    : Pair(*first, *second, use) {
  kept_[0] = std::move(first);
  kept_[1] = std::move(second);
}

// Who asks for one candidate after the other, at the same instant, has them computed once: boxes, hulls and
// cylinders find out together what faces what. Each thread remembers the last pair that it asked.
std::span<const Proximity> Pair::remembered(const Pose& p, const Pose& q) const {
  struct Memory {
    long id = 0;
    Pose p, q;
    std::array<Proximity, PairType::most_candidates> all;
  };
  static thread_local Memory last;
  if (last.id != id_ || last.p.r != p.r || last.q.r != q.r || last.p.R != p.R || last.q.R != q.R) {
    last.id = id_;
    last.p = p;
    last.q = q;
    type_->evaluate_all(*first_, p, *second_, q, std::span(last.all).first(candidates_));
  }
  return last.all;
}

Proximity Pair::evaluate(const Pose& first, const Pose& second, int candidate) const {
  const Pose &p = exchanged_ ? second : first, &q = exchanged_ ? first : second;
  Proximity out =
      type_->evaluate ? type_->evaluate(*first_, p, *second_, q, candidate) : remembered(p, q)[candidate];
  if (exchanged_) exchange(out);
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
