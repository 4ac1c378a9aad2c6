// Loops that are compiled twice, for processors with registers of four numbers and without; the faster is
// chosen when the program starts (GCC only: clang makes the one for all processors). Such loops add in lanes of a fixed number and do not fuse products with
// sums, so that results are the same to the last bit on both.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TAPPET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TAPPET_WIDE
#endif

/// What such a loop calls must become part of it.
#define TAPPET_INLINE inline __attribute__((always_inline))

namespace tappet {

/// Numbers that a wide register holds.
inline constexpr int lanes = 4;

}  // namespace tappet
