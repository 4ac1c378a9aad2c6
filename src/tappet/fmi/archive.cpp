#include "tappet/fmi/archive.hpp"

#include <algorithm>

#include <fmt/format.h>

#ifdef TAPPET_FMI
#include <zip.h>
#endif

namespace tappet::fmi {

bool is_safe_name(std::string_view name) {
  if (name.empty() || name.size() > 1000 || name.front() == '/') return false;
  const bool strange = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == '\\' || c == ':' || c == 0x7f;
  });
  if (strange) return false;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    // A folder's name ends with a slash; nothing else has an empty part.
    if (part == "." || part == ".." || (part.empty() && end != name.size())) return false;
    begin = end + 1;
  }
  return true;
}

void ArchiveWriter::add(std::string name, std::string bytes, bool stored) {
  entries_.push_back({std::move(name), std::move(bytes), stored});
}

#ifdef TAPPET_FMI

bool archives_available() {
  return true;
}

namespace {

std::string words(zip_error_t& error) {
  std::string out = zip_error_strerror(&error);
  zip_error_fini(&error);
  return out;
}

struct Closes {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

}  // namespace

struct Archive::Data {
  std::string bytes;
  std::unique_ptr<zip_t, Closes> archive;
  std::vector<std::string> names;
};

Archive::Archive(std::string bytes) : data_(std::make_unique<Data>()) {
  // libzip takes no bytes for a new archive.
  constexpr std::size_t shortest = 22;
  if (bytes.size() < shortest) throw ArchiveError("is not a zip archive: it is too short for one");
  data_->bytes = std::move(bytes);
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(data_->bytes.data(), data_->bytes.size(), 0, &error);
  if (!source) throw ArchiveError("cannot be read: " + words(error));
  data_->archive.reset(zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error));
  if (!data_->archive) {
    zip_source_free(source);
    throw ArchiveError("is not a zip archive, or a damaged one: " + words(error));
  }
  const auto count =
      static_cast<std::uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(data_->archive.get(), 0)));
  if (count > most_entries)
    throw ArchiveError(fmt::format("holds {} files; at most {} are read", count, most_entries));
  std::uint64_t unpacked = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    zip_stat_t found;
    if (zip_stat_index(data_->archive.get(), i, 0, &found) != 0 || !(found.valid & ZIP_STAT_NAME))
      throw ArchiveError("is damaged: an entry has no name");
    const std::string name = found.name;
    if (!is_safe_name(name))
      throw ArchiveError(fmt::format("holds a file named '{}', which leads out of the archive's folder",
                                     name.substr(0, std::min<std::size_t>(name.size(), 100))));
    unpacked += found.valid & ZIP_STAT_SIZE ? found.size : 0;
    if (unpacked > most_unpacked_bytes)
      throw ArchiveError(fmt::format("unpacks to more than {} MiB, which is the most that is read",
                                     most_unpacked_bytes >> 20));
    if (name.back() != '/') data_->names.push_back(name);
  }
}

Archive::~Archive() = default;

const std::vector<std::string>& Archive::names() const {
  return data_->names;
}

bool Archive::has(const std::string& name) const {
  return std::find(data_->names.begin(), data_->names.end(), name) != data_->names.end();
}

const std::string& Archive::bytes() const {
  return data_->bytes;
}

std::string Archive::read(const std::string& name, std::uint64_t most) const {
  const std::unique_ptr<zip_file_t, Closes> file(zip_fopen(data_->archive.get(), name.c_str(), 0));
  if (!file)
    throw ArchiveError(fmt::format("holds no readable '{}': {}", name, zip_strerror(data_->archive.get())));
  std::string out;
  // What an entry says about its size is a stranger's word: it is read until it ends or is too large.
  constexpr std::size_t piece = std::size_t{1} << 16;
  while (true) {
    const std::size_t before = out.size();
    out.resize(before + piece);
    const zip_int64_t got = zip_fread(file.get(), out.data() + before, piece);
    if (got < 0) throw ArchiveError(fmt::format("is damaged: '{}' cannot be unpacked", name));
    out.resize(before + static_cast<std::size_t>(got));
    if (out.size() > most)
      throw ArchiveError(
          fmt::format("holds a '{}' of more than {} MiB, which is the most that is read", name, most >> 20));
    if (got == 0) return out;
  }
}

std::string ArchiveWriter::finish() const {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  if (!buffer) throw ArchiveError("cannot be made: " + words(error));
  zip_source_keep(buffer);
  zip_t* archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
  if (!archive) {
    zip_source_free(buffer);
    zip_source_free(buffer);
    throw ArchiveError("cannot be made: " + words(error));
  }
  const auto fail = [&](const std::string& name) {
    const std::string why = zip_strerror(archive);
    zip_discard(archive);
    zip_source_free(buffer);
    throw ArchiveError(fmt::format("cannot be made, at '{}': {}", name, why));
  };
  for (const Entry& entry : entries_) {
    zip_source_t* source = zip_source_buffer(archive, entry.bytes.data(), entry.bytes.size(), 0);
    const zip_int64_t at = source ? zip_file_add(archive, entry.name.c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (at < 0) {
      if (source) zip_source_free(source);
      fail(entry.name);
    }
    const auto index = static_cast<zip_uint64_t>(at);
    // 1980-01-01 00:00, the first that the format knows.
    if (zip_set_file_compression(archive, index, entry.stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE, 0) != 0 ||
        zip_file_set_dostime(archive, index, 0, 0x21, 0) != 0)
      fail(entry.name);
  }
  if (zip_close(archive) != 0) fail("the end");
  std::string out;
  zip_stat_t found;
  if (zip_source_stat(buffer, &found) == 0 && zip_source_open(buffer) == 0) {
    out.resize(found.size);
    const zip_int64_t got = zip_source_read(buffer, out.data(), out.size());
    zip_source_close(buffer);
    out.resize(static_cast<std::size_t>(std::max<zip_int64_t>(0, got)));
  }
  zip_source_free(buffer);
  return out;
}

#else

bool archives_available() {
  return false;
}

struct Archive::Data {
  std::string bytes;
  std::vector<std::string> names;
};

Archive::Archive(std::string) {
  throw ArchiveError(std::string("cannot be read: ") + archives_missing);
}
Archive::~Archive() = default;
const std::vector<std::string>& Archive::names() const {
  return data_->names;
}
bool Archive::has(const std::string&) const {
  return false;
}
const std::string& Archive::bytes() const {
  return data_->bytes;
}
std::string Archive::read(const std::string&, std::uint64_t) const {
  return "";
}
std::string ArchiveWriter::finish() const {
  throw ArchiveError(std::string("cannot be made: ") + archives_missing);
}

#endif

}  // namespace tappet::fmi
