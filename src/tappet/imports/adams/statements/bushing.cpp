// BUSHING/1, I = 204, J = 205, K = 1, 2, 3, C = ..., KT = ..., CT = ...: stiffness and damping along and about the axes of J.
//
// Ours acts in the axes of the body of J: K turns with R, the axes of J there, K_body = R K Rᵀ. FORCE and TORQUE: on I without displacement.
#include <fmt/format.h>

#include "tappet/base/registry.hpp"
#include "tappet/imports/adams/conversion.hpp"
#include "tappet/imports/values.hpp"

namespace tappet::adams::statements::bushing {
namespace {

using namespace values;
using Eigen::Matrix3d;

Value matrix(const Matrix3d& R, const Eigen::Vector3d& along, const Eigen::Vector3d& about) {
  const Matrix3d blocks[2] = {R * along.asDiagonal() * R.transpose(), R * about.asDiagonal() * R.transpose()};
  std::vector<Value> rows;
  for (int r = 0; r < 6; ++r) {
    std::vector<Value> row;
    for (int s = 0; s < 6; ++s) row.push_back(number(r / 3 == s / 3 ? blocks[r / 3](r % 3, s % 3) : 0));
    rows.push_back(list(std::move(row)));
  }
  return list(std::move(rows));
}

void read(const Given& given, Conversion& c) {
  const Marker *i, *j;
  if (!c.pair(given, i, j)) return;
  const Units& u = c.units;
  const double moment = u.force * u.length;
  if (!(c.in_world(*i).linear() - c.in_world(*j).linear()).isZero(1e-9))
    c.lost(given,
           "its markers are turned against each other at the start, and ours is relaxed as it is written");
  Value out = mapping();
  add(out, "type", scalar("bushing"));
  const Value ends = c.between(*j, *i);
  for (const auto& [key, value] : ends.map) add(out, key, value);
  const Matrix3d R = c.axes(*j);
  add(out, "stiffness", matrix(R, c.vector(given, "K", u.force / u.length), c.vector(given, "KT", moment)));
  add(out, "damping",
      matrix(R, c.vector(given, "C", u.force * u.time / u.length), c.vector(given, "CT", moment * u.time)));
  if (given.has("FORCE") || given.has("TORQUE")) {
    const Eigen::Vector3d force = R * c.vector(given, "FORCE", u.force),
                          torque = R * c.vector(given, "TORQUE", moment);
    add(out, "preload",
        list({number(force.x()), number(force.y()), number(force.z()), number(torque.x()), number(torque.y()),
              number(torque.z())}));
  }
  c.add("forces", c.name_of(given, "bushing"), std::move(out));
}

const Registration<StatementType> registered{
    {.name = "BUSHING",
     .stage = StatementType::forces,
     .arguments = {"I", "J", "K", "KT", "C", "CT", "FORCE", "TORQUE"},
     .read = read}};

}  // namespace
}  // namespace tappet::adams::statements::bushing
