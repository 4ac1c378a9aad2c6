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

std::string first_line(const std::string& fingerprint) {
  return "tappet study journal 1 " + fingerprint + "\n";
}

}  // namespace

Journal::Journal(const std::string& path, const std::string& fingerprint, bool restart)
    : path_(path), file_(std::make_unique<OwnedFile>(path, path)) {
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::string head = first_line(fingerprint);
  if (restart || bytes.size() < head.size()) {
    std::filesystem::resize_file(path, 0);
    if (!file_->write_at(0, head)) refuse(path, fmt::format("cannot be written: {}", std::strerror(errno)));
    end_ = head.size();
    return;
  }
  if (!bytes.starts_with(head))
    refuse(path,
           "belongs to another study, or to this one before it (or its model, or the program) was changed: "
           "use --restart to begin anew, or remove the file");
  end_ = head.size();
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
  std::filesystem::resize_file(path, end_);
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
