// What the tests of the reader share: a mapping read by one row or one table, with the messages it causes.
#pragma once

#include <string>
#include <vector>

#include "tappet/spec/object.hpp"

namespace tappet::testing_spec {

struct Reading {
  Object object;
  std::string faults;  ///< all messages, one per line, "" when there are none
};

template <class Shape>
Reading read(const std::string& yaml, const Shape& shape, Dimension dimension = Dimension::planar) {
  Diagnostics diagnostics;
  const ReadContext context{dimension, &diagnostics};
  Reading reading{read_object(read_yaml_text(yaml, "m"), shape, context), ""};
  for (const Diagnostic& diagnostic : diagnostics.all())
    reading.faults.append(reading.faults.empty() ? "" : "\n").append(diagnostic.text());
  return reading;
}

/// The value written as `key: text`, read by one row whose name is "key".
inline Reading read_one(Parameter parameter, const std::string& text,
                        Dimension dimension = Dimension::planar) {
  parameter.name = "key";
  const Table table{.name = "a thing", .help = "", .parameters = {parameter}};
  return read("key: " + text + "\n", table, dimension);
}

}  // namespace tappet::testing_spec
