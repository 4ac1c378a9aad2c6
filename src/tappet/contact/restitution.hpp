// Restitution that laws of the form F = K δⁿ (1 + h δ̇/δ̇⁽⁻⁾) realise, against the one they were asked for.
//
// A free impact of any effective mass m: with v = δ̇/δ̇⁽⁻⁾, m δ̇ dδ̇ = −F dδ separates into
//     v dv/(1 + h v) = −K δⁿ dδ/(m δ̇⁽⁻⁾²),
// whose right-hand side has the same integral on the way in and on the way out. Equating both gives, for the
// realised e,
//     h (1 + e) = ln((1 + h)/(1 − h e)),
// whatever K, n, m and speed. With φ(x) = x − ln(1 + x) this is φ(h) = φ(−h e), a form without cancellation.
#pragma once

namespace tappet {

/// The realised restitution e in (0, 1] for a hysteresis factor h ≥ 0; correct to rounding.
double realised_restitution(double hysteresis);

/// The hysteresis factor h ≥ 0 that realises e in (0, 1].
double hysteresis_for(double restitution);

}  // namespace tappet
