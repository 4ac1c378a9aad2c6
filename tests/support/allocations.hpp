// Counts what `new` allocates, to prove that a loop allocates nothing.
#pragma once

namespace tappet::testing {

/// Calls of operator new in this process so far, from the program and from the libraries it uses.
long allocations();

}  // namespace tappet::testing
