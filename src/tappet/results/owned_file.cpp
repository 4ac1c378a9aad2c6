#include "tappet/results/owned_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "tappet/results/output_file.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

OwnedFile::OwnedFile(const std::string& path, const std::string& name_in_messages, Opening opening) {
  while (true) {
    open(path, opening);
    if (descriptor_ < 0)
      refuse(name_in_messages, errno == ELOOP ? "is a symbolic link, which is not followed here: remove it"
                                              : fmt::format("cannot be written: {}", std::strerror(errno)));
    struct stat found {};
    if (::fstat(descriptor_, &found) < 0 || !S_ISREG(found.st_mode)) {
      ::close(descriptor_);
      refuse(name_in_messages, "cannot be written: it is not an ordinary file");
    }
    struct flock request {};
    request.l_type = F_WRLCK;
    request.l_whence = SEEK_SET;
    // File systems without such locks are used unlocked.
    if (::fcntl(descriptor_, F_OFD_SETLK, &request) < 0 && (errno == EAGAIN || errno == EACCES)) {
      ::close(descriptor_);
      refuse(name_in_messages, "is being written by another run");
    }
    if (has_its_name()) return;
    // Another run put its own file there in the meantime.
    ::close(descriptor_);
  }
}

void OwnedFile::open(const std::string& path, Opening opening) {
  if (opening == Opening::beside) {
    descriptor_ = create_beside(path, name_);
    return;
  }
  name_ = path;
  // A pipe would wait for its other end.
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | (opening == Opening::either ? O_CREAT : 0);
  descriptor_ = ::open(path.c_str(), flags, 0666);
}

bool OwnedFile::has_its_name() const {
  struct stat mine {
  }, named{};
  return ::fstat(descriptor_, &mine) == 0 && ::lstat(name_.c_str(), &named) == 0 &&
         mine.st_dev == named.st_dev && mine.st_ino == named.st_ino;
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
  for (std::size_t done = 0; done < bytes.size();) {
    const auto written =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    if (written == 0) return errno = ENOSPC, false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

bool OwnedFile::cut(std::uint64_t length) {
  return ::ftruncate(descriptor_, static_cast<off_t>(length)) == 0;
}

bool OwnedFile::sync() {
  // EINVAL, ENOTSUP: a file system that cannot.
  return ::fsync(descriptor_) == 0 || errno == EINVAL || errno == ENOTSUP;
}

}  // namespace tappet
