// What one wants to know of any machine: efforts of its motors, forces and impacts of its contacts, energies,
// and where its bodies end. Peaks of forces are among them whatever the method; Metric::without_impulses() tells which of them a
// method does not have.
#pragma once

#include <vector>

#include "tappet/studies/metric.hpp"

namespace tappet {

std::vector<Metric> headline(const Model& model, const MetricNames& names);

}  // namespace tappet
