#include "tappet/studies/journal.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "tappet/base/diagnostics.hpp"
#include "tappet/results/refuse.hpp"

namespace tappet {

namespace {

struct RecordHead {
  std::uint64_t length = 0, checksum = 0;
};

/// FNV-1a.
std::uint64_t checksum(const char* data, std::size_t size) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::size_t i = 0; i < size; ++i) hash = (hash ^ static_cast<unsigned char>(data[i])) * 0x100000001b3u;
  return hash;
}

const std::string mark = "tappet study journal ";

}  // namespace

Journal::Journal(const std::string& path, const Owner& owner, bool restart)
    : path_(path), file_(std::make_unique<OwnedFile>(path, path, OwnedFile::Opening::either)) {
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  if (bytes.substr(0, mark.size()) != mark.substr(0, bytes.size()))
    refuse(
        path,
        "is not a journal of Tappet: it is not overwritten; remove it, or choose another name for the table");
  const std::string of_study = mark + "2 " + owner.fingerprint + " ", head = of_study + owner.build + "\n";
  const std::size_t line_end = bytes.find('\n');
  if (restart || line_end == std::string::npos) {
    if (!file_->cut(0) || !file_->write_at(0, head))
      refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    end_ = head.size();
    return;
  }
  if (!bytes.starts_with(of_study))
    refuse(path,
           "belongs to another study, or to this one before it (or its model, or the program) was changed: "
           "use --restart to begin anew, or remove the file");
  if (!bytes.starts_with(head) && !owner.any_build)
    refuse(path,
           "was begun by another build of the program, which may compute otherwise: use --restart to begin "
           "anew, or --any-build to go on "
           "all the same");
  end_ = line_end + 1;
  while (end_ + sizeof(RecordHead) <= bytes.size()) {
    RecordHead record;
    std::memcpy(&record, bytes.data() + end_, sizeof record);
    const std::uint64_t begin = end_ + sizeof record;
    if (record.length > bytes.size() - begin) break;
    const char* data = bytes.data() + begin;
    if (checksum(data, record.length) != record.checksum) break;
    found_.emplace_back(data, record.length);
    end_ = begin + record.length;
  }
  if (!file_->cut(end_)) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

void Journal::append(const std::string& record) {
  const RecordHead head{record.size(), checksum(record.data(), record.size())};
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes += record;
  if (!file_->write_at(end_, bytes))
    throw SimulationError(0, fmt::format("{} cannot be written: {}", path_, std::strerror(errno)));
  end_ += bytes.size();
}

void Journal::remove() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace tappet
