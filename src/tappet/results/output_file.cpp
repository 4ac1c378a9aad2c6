#include "tappet/results/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"
#include "tappet/results/refuse.hpp"
#include "tappet/results/result_file.hpp"

namespace tappet {
namespace {

namespace fs = std::filesystem;

using namespace std::string_view_literals;
constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n"sv, png_mark = "Software\0Tappet"sv,
                           pdf_mark = "\n% Tappet\n"sv, svg_mark = "<!-- Tappet -->"sv,
                           archive_mark = "Tappet"sv, doctype = "<!doctype html"sv,
                           model_mark = ", checksum of what follows: "sv;

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return out;
}

/// The fields of a line of comma-separated text.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted)
      out.emplace_back();
    else if (c != '"' && c != '\r')
      out.back() += c;
  }
  return out;
}

/// The first lines of the tables that we write. Others too call a column "time" or "run": what stands beside it tells.
bool is_table(std::string_view head) {
  const std::string line(head.substr(0, head.find('\n')));
  const std::vector<std::string> fields = fields_of(line);
  const auto ends_with = [&](const std::vector<std::string>& end) {
    return fields.size() > end.size() && std::equal(end.rbegin(), end.rend(), fields.rbegin());
  };
  // Columns of samples are signals, NAME.SIGNAL, or expressions of them.
  const bool signals = std::all_of(fields.begin() + 1, fields.end(), [](const std::string& field) {
    return contains(field, ".") || field.starts_with("time");
  });
  if ((fields[0] == "time [s]" || fields[0] == "time") && signals) return true;
  if (fields[0] == "run")
    return ends_with({"status", "reason"}) || (fields.size() > 1 && signals) ||
           (fields.size() > 2 && fields[fields.size() - 2] == "time [s]");
  if (fields[0] == "variant") return ends_with({"status", "reason"});
  // With units, and as tables were headed before they had them.
  return line.starts_with("contact,start [s],end [s],") || line.starts_with("contact,start,end,") ||
         line == "event,time [s]" || line == "event,time" || line == "matrix,row,column,value" ||
         line.starts_with("joint,body,largest force") || line.starts_with("document,figure,verdict,") ||
         line == "time [s],fx [N],fy [N],mz [N m]" ||
         line == "time [s],fx [N],fy [N],fz [N],mx [N m],my [N m],mz [N m]" ||
         line.starts_with("{\"columns\":[{\"name\":");
}

/// Whether an imported model is as it was written: what somebody put into it since then would be lost.
bool is_unchanged_model(std::string_view text) {
  const std::string_view first = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  const std::size_t mark = first.rfind(model_mark);
  return text.starts_with("# From ") && mark != std::string_view::npos &&
         first.substr(mark + model_mark.size()) == content_hash(text.substr(first.size())) + ".\n";
}

/// Whether a file that begins with `head` and ends with `tail` is one that we wrote; of models `head` is all of it.
bool is_ours(const std::string& path, OutputKind kind, const std::string& head, const std::string& tail) {
  switch (kind) {
    case OutputKind::result:
      return is_result_file(path);
    case OutputKind::table:
      return is_table(head);
    case OutputKind::page:
      return lower_case(head).starts_with(doctype) && contains(lower_case(head), "content=\"tappet\"");
    case OutputKind::picture:
      return (contains(head, "<svg") && contains(tail, svg_mark)) ||
             (head.starts_with(png_signature) && contains(head, png_mark)) ||
             (head.starts_with("%PDF-") && tail.ends_with(pdf_mark));
    case OutputKind::vtk:
      return contains(head, "<VTKFile") && contains(head, "<!-- Tappet -->");
    case OutputKind::matrices:
      // Of A, B, C, D; or of a result, whose archive begins with time.
      return ((head.starts_with("PK") && contains(head.substr(0, 64), "tappet.npy")) ||
              contains(head.substr(0, 64), "tappet\0"sv)) ||
             (head.starts_with("MATLAB 5.0 MAT-file") && contains(head.substr(0, 124), "Tappet")) ||
             (head.starts_with("PK") && tail.ends_with(archive_mark));
    case OutputKind::model:
      return is_unchanged_model(head);
    case OutputKind::fmu:
      return head.starts_with("PK") && contains(head.substr(0, 200), "documentation/tappet.txt");
  }
  return false;
}

const char* noun(OutputKind kind) {
  switch (kind) {
    case OutputKind::result:
      return "a result";
    case OutputKind::table:
      return "a table";
    case OutputKind::page:
      return "a page";
    case OutputKind::picture:
      return "a picture";
    case OutputKind::vtk:
      return "a VTK file";
    case OutputKind::matrices:
      return "a file of matrices";
    case OutputKind::model:
      return "an imported model";
    case OutputKind::fmu:
      return "an FMU";
  }
  return "a file";
}

std::string random_letters() {
  static thread_local std::random_device device;
  std::string out;
  std::uint64_t bits = std::uint64_t{device()} << 32 | device();
  for (int i = 0; i < 8; ++i, bits /= 36) out += "0123456789abcdefghijklmnopqrstuvwxyz"[bits % 36];
  return out;
}

}  // namespace

void check_output(const std::string& path, OutputKind kind, const std::vector<std::string>& inputs) {
  std::error_code error;
  for (const std::string& input : inputs)
    if (fs::equivalent(path, input, error)) refuse(path, "is what is read: choose another name");
  struct stat found {};
  if (::stat(path.c_str(), &found) < 0) {
    if (errno == ENOENT) {
      const fs::path folder = fs::path(file_behind(path)).parent_path();
      if (folder.empty() || fs::is_directory(folder, error)) return;
      refuse(path, fmt::format("cannot be written: {}", std::strerror(ENOENT)));
    }
    refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  }
  if (S_ISDIR(found.st_mode)) refuse(path, fmt::format("is a directory: give the name of {}", noun(kind)));
  if (!S_ISREG(found.st_mode)) refuse(path, "cannot be written: it is not an ordinary file");
  if (found.st_size == 0) return;  // what an accident left empty is nobody's loss
  if (::access(path.c_str(), W_OK) < 0)
    refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  // Models are read to their end (none is larger), of tables the whole first line.
  const off_t most = kind == OutputKind::model ? 64 << 20 : kind == OutputKind::table ? 8 << 20 : 4096;
  std::string head(static_cast<std::size_t>(std::min(found.st_size, most)), '\0'), tail(64, '\0');
  std::FILE* old = std::fopen(path.c_str(), "rb");
  if (!old)
    refuse(path, fmt::format("exists and cannot be read, so that it is not known what it is: {}",
                             std::strerror(errno)));
  head.resize(std::fread(head.data(), 1, head.size(), old));
  std::fseek(old, -static_cast<long>(std::min<off_t>(found.st_size, static_cast<off_t>(tail.size()))),
             SEEK_END);
  tail.resize(std::fread(tail.data(), 1, tail.size(), old));
  std::fclose(old);
  if (kind == OutputKind::model && head.starts_with("# From ") && !is_ours(path, kind, head, tail) &&
      contains(head.substr(0, head.find('\n')), model_mark))
    refuse(path,
           "has been changed since `tappet import` wrote it: it is not overwritten; remove it or choose "
           "another name");
  if (!is_ours(path, kind, head, tail))
    refuse(
        path,
        fmt::format(
            "exists and is not {} that Tappet wrote: it is not overwritten; remove it or choose another name",
            noun(kind)));
}

std::string file_behind(const std::string& path) {
  std::error_code error;
  fs::path out = path;
  for (int links = 0; links < 40 && fs::is_symlink(out, error); ++links) {
    const fs::path to = fs::read_symlink(out, error);
    if (error) return path;
    out = to.is_absolute() ? to : out.parent_path() / to;
  }
  const fs::path whole = fs::weakly_canonical(out, error);
  return error ? path : whole.string();
}

int create_beside(const std::string& path, std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    name = fmt::format("{}.{}.part", path, random_letters());
    const int descriptor = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

bool take_name(const std::string& from, const std::string& to, bool replace) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), replace ? 0 : RENAME_NOREPLACE) < 0) {
    // File systems that know no such flag.
    if (replace || (errno != EINVAL && errno != ENOSYS)) return false;
    if (::access(to.c_str(), F_OK) == 0) return errno = EEXIST, false;
    if (std::rename(from.c_str(), to.c_str()) < 0) return false;
  }
  // The name as well is to survive a loss of power. Some file systems cannot tell: then it is as it is.
  const std::string folder = fs::path(to).parent_path().string();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::fsync(descriptor);
    ::close(descriptor);
  }
  return true;
}

OutputFile::OutputFile(const std::string& path, OutputKind kind, const std::vector<std::string>& inputs)
    : path_(path) {
  check_output(path, kind, inputs);
  target_ = file_behind(path);
  const int descriptor = create_beside(target_, unfinished_);
  if (descriptor < 0) {
    unfinished_.clear();
    fail();
  }
  // What is replaced hands down who may read it.
  if (struct stat old{}; ::stat(target_.c_str(), &old) == 0) ::fchmod(descriptor, old.st_mode & 0777);
  stream_ = ::fdopen(descriptor, "w+b");
  if (!stream_) {
    ::close(descriptor);
    ::unlink(unfinished_.c_str());
    fail();
  }
}

OutputFile::~OutputFile() {
  if (stream_) std::fclose(stream_);
  if (!unfinished_.empty()) ::unlink(unfinished_.c_str());
}

void OutputFile::fail() {
  refuse(path_, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size()) fail();
}

void OutputFile::commit() {
  if (std::fflush(stream_) != 0 || std::ferror(stream_) || ::fsync(::fileno(stream_)) < 0) fail();
  std::FILE* stream = std::exchange(stream_, nullptr);
  if (std::fclose(stream) != 0 || !take_name(unfinished_, target_, true)) fail();
  unfinished_.clear();
}

void write_output(const std::string& path, OutputKind kind, std::string_view text,
                  const std::vector<std::string>& inputs) {
  OutputFile out(path, kind, inputs);
  out.write(text);
  out.commit();
}

namespace {

/// The checksum of PNG's chunks (ISO 3309): x³² + x²⁶ + ... + 1, bits reversed.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffffu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
  }
  return ~crc;
}

std::string big_endian(std::uint32_t number) {
  std::string out(4, '\0');
  for (int i = 3; i >= 0; --i, number >>= 8)
    out[static_cast<std::size_t>(i)] = static_cast<char>(number & 0xff);
  return out;
}

}  // namespace

std::string marked_model(const std::string& from, const std::string& text) {
  return fmt::format("# From {}{}{}.\n{}", from, model_mark, content_hash(text), text);
}

std::string marked_archive(const std::string& bytes) {
  // The record that ends an archive without a comment ends with the comment's length.
  if (bytes.size() < 22 || bytes.compare(bytes.size() - 22, 4, "PK\x05\x06") != 0) return bytes;
  return bytes.substr(0, bytes.size() - 2) + static_cast<char>(archive_mark.size()) + '\0' +
         std::string(archive_mark);
}

std::string marked_picture(const std::string& bytes) {
  if (bytes.find("</svg>") != std::string::npos) return bytes + std::string(svg_mark) + "\n";
  if (bytes.starts_with("%PDF-")) return bytes + std::string(pdf_mark);
  // Signature, and the first chunk of 13 bytes with length, name and checksum.
  constexpr std::size_t head = 8 + 12 + 13;
  if (!bytes.starts_with(png_signature) || bytes.size() < head) return bytes;
  const std::string chunk = "tEXt" + std::string(png_mark);
  return bytes.substr(0, head) + big_endian(static_cast<std::uint32_t>(png_mark.size())) + chunk +
         big_endian(crc32(chunk)) + bytes.substr(head);
}

}  // namespace tappet
