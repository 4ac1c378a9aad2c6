#include "support/failing_writes.hpp"

#include <atomic>
#include <cerrno>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

std::atomic<long> writes{0}, first_failure{0};
std::atomic<bool> from_there_on{false};

bool fails() {
  const long failing = first_failure;
  const long now = ++writes;
  return failing > 0 && (now == failing || (from_there_on && now > failing));
}

}  // namespace

// These stand before the C library's, in this program and in the libraries that it has loaded.
extern "C" ssize_t pwrite(int file, const void* data, size_t size, off_t at) {
  if (fails()) return errno = EIO, -1;
  return syscall(SYS_pwrite64, file, data, size, at);
}
/// Nothing that a test writes has to outlive the machine.
extern "C" int fsync(int) {
  return fails() ? (errno = EIO, -1) : 0;
}

namespace tappet::testing {

FailingWrites::FailingWrites(long nth, bool for_good) {
  writes = 0;
  from_there_on = for_good;
  first_failure = nth;
}
FailingWrites::~FailingWrites() {
  first_failure = 0;
}
long FailingWrites::seen() const {
  return writes;
}

}  // namespace tappet::testing
