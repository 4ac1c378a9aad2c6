// CVODE's variable-order, variable-step multistep methods [Hindmarsh2005] as schemes.
#pragma once

#include <memory>

#include "tappet/ode/scheme.hpp"

namespace tappet {

enum class CvodeMethod { adams, bdf };

/// Throws std::invalid_argument when the options ask for fixed steps, which a multistep method cannot take.
std::unique_ptr<Scheme> make_cvode_scheme(CvodeMethod method, const SchemeOptions& options);

}  // namespace tappet
