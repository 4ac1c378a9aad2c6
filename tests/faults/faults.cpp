// Loaded before all other libraries (LD_PRELOAD), makes one call of the operating system's fail, as TAPPET_FAULT says:
//
//   KIND:N:ERRNO     the Nth call of this kind fails with this error number; N+: that one and all that follow
//   write:N:0        the Nth write puts down half of what it was given, and says so
//
// KIND: write, fsync, close, rename, open, space (fallocate, ftruncate), read, malloc. Writes, closes and reads count where the file is an
// ordinary one; opens where it is opened for writing; allocations from the beginning of main() on, but for those of libraries that end the
// program themselves. TAPPET_FAULT_COUNTS names a file that gets the number of calls of each kind at the end of the program, "KIND N" in
// lines.
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

enum Kind {
  write_call,
  fsync_call,
  close_call,
  rename_call,
  open_call,
  space_call,
  read_call,
  malloc_call,
  kinds
};
constexpr const char* kind_names[kinds] = {"write", "fsync", "close", "rename",
                                           "open",  "space", "read",  "malloc"};

std::atomic<long> counts[kinds];
std::atomic<bool> in_main{false};

struct Fault {
  int kind = -1;
  long at = 0;
  bool for_ever = false;
  int error = 0;

  Fault() {
    const char* text = std::getenv("TAPPET_FAULT");
    if (!text) return;
    const char* colon = std::strchr(text, ':');
    if (!colon) return;
    for (int k = 0; k < kinds; ++k)
      if (std::strlen(kind_names[k]) == static_cast<std::size_t>(colon - text) &&
          std::strncmp(text, kind_names[k], static_cast<std::size_t>(colon - text)) == 0)
        kind = k;
    char* end = nullptr;
    at = std::strtol(colon + 1, &end, 10);
    if (*end == '+') for_ever = true, ++end;
    if (*end == ':') error = static_cast<int>(std::strtol(end + 1, nullptr, 10));
  }
};

const Fault& fault() {
  static const Fault the_one;
  return the_one;
}

/// Counts a call; true: it fails.
bool fails(Kind kind) {
  const long number = ++counts[kind];
  const Fault& f = fault();
  return f.kind == kind && (number == f.at || (f.for_ever && number >= f.at));
}

bool is_written_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) &&
         (::fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

bool is_ordinary_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// −1 with the fault's error; or, for a short write, `half`.
ssize_t broken(std::size_t size, bool& half) {
  if (fault().error == 0 && size > 1) {
    half = true;
    return 0;
  }
  errno = fault().error == 0 ? EIO : fault().error;
  return -1;
}

/// Whether allocations of this caller count.
bool asks_here(void* caller) {
  Dl_info place{};
  if (::dladdr(caller, &place) == 0 || !place.dli_fname) return true;
  for (const char* other : {"libudunits2", "libexpat", "libhdf5", "/libc."})
    if (std::strstr(place.dli_fname, other)) return false;
  return true;
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

void write_counts() {
  in_main = false;
  const char* path = std::getenv("TAPPET_FAULT_COUNTS");
  if (!path) return;
  if (std::FILE* out = std::fopen(path, "w")) {
    for (int k = 0; k < kinds; ++k) std::fprintf(out, "%s %ld\n", kind_names[k], counts[k].load());
    std::fclose(out);
  }
}

int counted_main(int count, char** arguments, char** environment) {
  fault();
  in_main = true;
  const int status = real_main(count, arguments, environment);
  write_counts();
  return status;
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int count, char** arguments, void (*init)(), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  real_main = main;
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  return next<Start>("__libc_start_main")(counted_main, count, arguments, init, fini, rtld_fini, stack_end);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  bool half = false;
  if (is_written_file(descriptor) && fails(write_call) && broken(size, half) < 0) return -1;
  return real(descriptor, data, half ? size / 2 : size);
}

ssize_t pwrite64(int descriptor, const void* data, size_t size, off64_t offset) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  bool half = false;
  if (is_written_file(descriptor) && fails(write_call) && broken(size, half) < 0) return -1;
  return real(descriptor, data, half ? size / 2 : size, offset);
}

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  return pwrite64(descriptor, data, size, offset);
}

ssize_t writev(int descriptor, const struct iovec* pieces, int count) {
  static const auto real = next<ssize_t (*)(int, const struct iovec*, int)>("writev");
  bool half = false;
  if (is_written_file(descriptor) && fails(write_call) && broken(count > 0 ? pieces[0].iov_len : 0, half) < 0)
    return -1;
  if (half) return ::pwrite64(descriptor, pieces[0].iov_base, 0, 0), real(descriptor, pieces, 1);
  return real(descriptor, pieces, count);
}

ssize_t read(int descriptor, void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, void*, size_t)>("read");
  if (in_main && is_ordinary_file(descriptor) && fails(read_call)) return errno = fault().error, -1;
  return real(descriptor, data, size);
}

ssize_t pread64(int descriptor, void* data, size_t size, off64_t offset) {
  static const auto real = next<ssize_t (*)(int, void*, size_t, off64_t)>("pread64");
  if (in_main && is_ordinary_file(descriptor) && fails(read_call)) return errno = fault().error, -1;
  return real(descriptor, data, size, offset);
}

ssize_t pread(int descriptor, void* data, size_t size, off_t offset) {
  return pread64(descriptor, data, size, offset);
}

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  if (fails(fsync_call)) return errno = fault().error, -1;
  return real(descriptor);
}

int fdatasync(int descriptor) {
  static const auto real = next<int (*)(int)>("fdatasync");
  if (fails(fsync_call)) return errno = fault().error, -1;
  return real(descriptor);
}

// The descriptor is free afterwards even where closing fails.
int close(int descriptor) {
  static const auto real = next<int (*)(int)>("close");
  const bool counts_here = is_written_file(descriptor);
  const int status = real(descriptor);
  if (counts_here && fails(close_call)) return errno = fault().error, -1;
  return status;
}

int rename(const char* from, const char* to) {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  if (fails(rename_call)) return errno = fault().error, -1;
  return real(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto real = next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2");
  if (fails(rename_call)) return errno = fault().error, -1;
  return real(from_folder, from, to_folder, to, flags);
}

int open64(const char* path, int flags, ...) {
  static const auto real = next<int (*)(const char*, int, ...)>("open64");
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  if ((flags & O_ACCMODE) != O_RDONLY && fails(open_call)) return errno = fault().error, -1;
  return real(path, flags, mode);
}

int open(const char* path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  const unsigned mode = va_arg(rest, unsigned);
  va_end(rest);
  return open64(path, flags, mode);
}

int fallocate64(int descriptor, int mode, off64_t from, off64_t length) {
  static const auto real = next<int (*)(int, int, off64_t, off64_t)>("fallocate64");
  if (fails(space_call)) return errno = fault().error, -1;
  return real(descriptor, mode, from, length);
}

int fallocate(int descriptor, int mode, off_t from, off_t length) {
  return fallocate64(descriptor, mode, from, length);
}

int ftruncate64(int descriptor, off64_t length) {
  static const auto real = next<int (*)(int, off64_t)>("ftruncate64");
  if (fails(space_call)) return errno = fault().error, -1;
  return real(descriptor, length);
}

int ftruncate(int descriptor, off_t length) {
  return ftruncate64(descriptor, length);
}

void* malloc(size_t size) {
  if (in_main && asks_here(__builtin_return_address(0)) && fails(malloc_call)) return errno = ENOMEM, nullptr;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  if (in_main && asks_here(__builtin_return_address(0)) && fails(malloc_call)) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  if (in_main && asks_here(__builtin_return_address(0)) && fails(malloc_call)) return errno = ENOMEM, nullptr;
  return __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (in_main && asks_here(__builtin_return_address(0)) && fails(malloc_call)) return errno = ENOMEM, nullptr;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  if (in_main && asks_here(__builtin_return_address(0)) && fails(malloc_call)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}
