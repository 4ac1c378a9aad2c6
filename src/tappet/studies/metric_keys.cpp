#include "tappet/studies/metric_keys.hpp"

namespace tappet {

void spell_out_metrics(Value* metrics) {
  if (!metrics) return;
  for (auto& [name, value] : metrics->map) {
    if (value.kind != Value::Kind::scalar) continue;
    Value mapping;
    mapping.kind = Value::Kind::mapping;
    mapping.pos = value.pos;
    mapping.key_pos.push_back(value.pos);
    mapping.map.emplace_back("value", std::move(value));
    value = std::move(mapping);
  }
}

std::vector<Parameter> with_window(std::vector<Parameter> rows) {
  rows.push_back({.name = "from", .unit = "s", .help = "the window's beginning", .range = not_negative()});
  rows.push_back({.name = "to", .unit = "s", .help = "the window's end", .range = positive()});
  rows.push_back({.name = "last", .help = "the window is the last so many revolutions", .range = positive()});
  return rows;
}

Window window_of(const Object& o) {
  Window out;
  if (o.has("from")) out.from = o.number("from");
  if (o.has("to")) out.to = o.number("to");
  if (o.has("last")) out.last = o.number("last");
  return out;
}

}  // namespace tappet
