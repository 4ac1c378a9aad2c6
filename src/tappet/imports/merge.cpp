#include "tappet/imports/merge.hpp"

#include <cstddef>

namespace tappet {

void merge(Value& model, const Value& more) {
  for (std::size_t i = 0; i < more.map.size(); ++i) {
    const auto& [key, value] = more.map[i];
    Value* there = model.find(key);
    if (!there) {
      model.map.emplace_back(key, value);
      model.key_pos.push_back(more.key_pos[i]);
    } else if (there->kind == Value::Kind::mapping && value.kind == Value::Kind::mapping) {
      merge(*there, value);
    } else {
      *there = value;
    }
  }
}

}  // namespace tappet
