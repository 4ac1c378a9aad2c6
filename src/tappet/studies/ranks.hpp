// Processes that work on one study together, as `mpirun` starts them.
//
// The library does not need MPI: what talks to it is a plug-in beside the library, built where MPI was found
// and opened only under mpirun.
#pragma once

#include <string>

namespace tappet {

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual void send(int to, const std::string& bytes) = 0;
  /// Takes one message that has arrived; false when none has.
  virtual bool receive(int& from, std::string& bytes) = 0;
};

/// This process' number among those that mpirun started, from the environment; 0 without mpirun.
int launched_rank();

/// The ranks, or null when this process is alone. Throws InputError when there are several and the plug-in is
/// missing: each of them would do all the work.
Ranks* open_ranks();

/// What the plug-in exports under this name. The object lives until the program ends the plug-in with delete.
inline constexpr char open_ranks_symbol[] = "tappet_open_ranks";
using OpenRanks = Ranks* (*)();

}  // namespace tappet
