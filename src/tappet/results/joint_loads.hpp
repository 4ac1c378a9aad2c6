// What a joint does to one of its bodies over a run, as a finite-element program wants it: force and moment in the body's own axes, at the
// joint's point on it.
//
//   on the second body   F′ = Rᵀ F,   M′ = Rᵀ T                         F, T: signals JOINT.f·, .t·, about P_j
//   on the first body    F′ = −Rᵀ F,  M′ = −Rᵀ (T + (r_Pj − r_Pi) × F)  about P_i
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tappet/results/result_file.hpp"

namespace tappet {

struct JointLoads {
  std::string joint, body;
  Vec3 point = Vec3::Zero();                ///< on the body, in its axes, m
  bool planar = false;                      ///< force along x and y and a moment about z
  std::vector<std::array<double, 7>> rows;  ///< time, force, moment
};

/// `body`: "": the second, or the first where the second is the ground. Throws InputError for a joint or body that is not there, and for a
/// result that was recorded without the signals that this takes, which it names.
JointLoads joint_loads(const ResultFile& result, const std::string& joint, const std::string& body = "");
/// Of all joints that have a reaction, on each of their bodies.
std::vector<JointLoads> all_joint_loads(const ResultFile& result);

/// time,fx,…: one joint over time.
std::string loads_text(const JointLoads& loads);
/// joint,body,…: for each the largest force and the largest moment, with their times, and the root mean squares of both over the run.
std::string loads_table(const std::vector<JointLoads>& loads);

}  // namespace tappet
