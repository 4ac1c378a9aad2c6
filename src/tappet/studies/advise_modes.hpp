// Which modes of flexible bodies could be left out: those that turn many times while a load of the model rises.
//
//   T   the shortest impact that is expected: 2.943 δ/v, Hertz', from penetration and speed; of what rests, 2π √(m δ/F)
//   modes above 10/T follow such loads as statics would, but for about a hundredth of that
//
// What they give way goes with them: of an interface's compliance Σ φ_k²/ω_k² the part of the modes that are left out.
#pragma once

#include <string>
#include <vector>

#include "tappet/studies/advise.hpp"

namespace tappet {

struct ModeAdvice {
  FlexibleSituation body;
  std::string contact;  ///< whose impacts are shortest; "": no contact says how fast loads change
  double time = 0;      ///< T, s
  double highest = 0;   ///< proposed, Hz; 0: all modes may stay
  int dropped = 0;      ///< modes above
  double lost = 0;      ///< largest part of an interface's compliance that they have
};

std::vector<ModeAdvice> advise_modes(const Situations& situations,
                                     const std::vector<ContactAdvice>& contacts);

/// For people, a line or two per body.
std::string mode_advice_text(const std::vector<ModeAdvice>& advice);

}  // namespace tappet
