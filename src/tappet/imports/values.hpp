// Values of a model file, made by importers. Private to imports/.
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include "tappet/spec/value.hpp"

namespace tappet::values {

inline Value scalar(const std::string& text) {
  Value out;
  out.kind = Value::Kind::scalar;
  out.text = text;
  return out;
}

/// All digits.
inline Value exact(double x) {
  return scalar(fmt::format("{}", x));
}

/// A coordinate or a part of a direction: what rounding alone keeps from zero is zero.
inline Value number(double x) {
  return exact(std::abs(x) < 1e-15 ? 0.0 : x);
}

inline Value mapping() {
  Value out;
  out.kind = Value::Kind::mapping;
  return out;
}

inline void add(Value& map, const std::string& key, Value value) {
  map.map.emplace_back(key, std::move(value));
  map.key_pos.emplace_back();
}

inline Value list(std::vector<Value> items) {
  Value out;
  out.kind = Value::Kind::sequence;
  out.items = std::move(items);
  return out;
}

inline Value vector(const Eigen::Vector3d& v) {
  return list({number(v.x()), number(v.y()), number(v.z())});
}

inline Value quaternion(const Eigen::Matrix3d& R) {
  const Eigen::Quaterniond q(R);
  return list({number(q.w()), number(q.x()), number(q.y()), number(q.z())});
}

/// `position` and `orientation`, the second where there is one.
inline void add_place(Value& map, const Eigen::Isometry3d& place) {
  add(map, "position", vector(place.translation()));
  if (!place.linear().isIdentity(1e-15)) add(map, "orientation", quaternion(place.linear()));
}

}  // namespace tappet::values
