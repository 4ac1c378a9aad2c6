#include "tappet/spec/value.hpp"

#include <algorithm>

namespace tappet {

Value::Value() = default;
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;

const Value* Value::find(const std::string& key) const {
  const auto at = std::find_if(map.begin(), map.end(), [&](const auto& entry) { return entry.first == key; });
  return at == map.end() ? nullptr : &at->second;
}

Value* Value::find(const std::string& key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

}  // namespace tappet
