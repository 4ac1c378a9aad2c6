// Writes of this process that fail as those of a broken disk.
#pragma once

namespace tappet::testing {

/// While it lives, the write numbered `nth` from now (0: none) and, if `for_good`, all after it end with EIO. Counts what HDF5 and the result
/// writer write: pwrite() and fsync().
class FailingWrites {
 public:
  explicit FailingWrites(long nth, bool for_good = false);
  ~FailingWrites();
  FailingWrites(const FailingWrites&) = delete;
  FailingWrites& operator=(const FailingWrites&) = delete;

  long seen() const;  ///< writes so far
};

}  // namespace tappet::testing
