#include "tappet/results/owned_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/results/refuse.hpp"

namespace tappet {

OwnedFile::OwnedFile(const std::string& path, const std::string& name_in_messages) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor_ < 0) refuse(name_in_messages, fmt::format("cannot be written: {}", std::strerror(errno)));
  struct flock request {};
  request.l_type = F_WRLCK;
  request.l_whence = SEEK_SET;
  // File systems without such locks are used unlocked.
  if (::fcntl(descriptor_, F_OFD_SETLK, &request) < 0 && (errno == EAGAIN || errno == EACCES)) {
    ::close(descriptor_);
    refuse(name_in_messages, "is being written by another run");
  }
}

OwnedFile::~OwnedFile() {
  ::close(descriptor_);
}

bool OwnedFile::reserve(std::uint64_t end) {
  if (end <= reserved_) return true;
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && end > limit.rlim_cur) {
    errno = EFBIG;
    return false;
  }
  const auto allocate = [this](std::uint64_t to) {
    const auto from = static_cast<off_t>(reserved_), length = static_cast<off_t>(to - reserved_);
    if (::fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, from, length) < 0) return false;
    reserved_ = to;
    return true;
  };
  // A few megabytes at once, or, when these are not there any more, what is needed now.
  constexpr std::uint64_t ahead = 4 << 20;
  if (allocate(end + ahead) || allocate(end)) return true;
  return errno != ENOSPC && errno != EDQUOT && errno != EFBIG;
}

void OwnedFile::trim() {
  struct stat now {};
  if (::fstat(descriptor_, &now) < 0 || reserved_ <= static_cast<std::uint64_t>(now.st_size)) return;
  // Cutting a file at its own length frees what lies beyond. If not, nothing is lost but room.
  if (::ftruncate(descriptor_, now.st_size) < 0) return;
  reserved_ = 0;
}

bool OwnedFile::write_at(std::uint64_t offset, const std::string& bytes) {
  const auto written = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
  return written == static_cast<ssize_t>(bytes.size());
}

bool OwnedFile::sync() {
  return ::fsync(descriptor_) == 0;
}

}  // namespace tappet
