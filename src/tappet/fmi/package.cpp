#include "tappet/fmi/package.hpp"

#include <fmt/format.h>

#include "tappet/base/input_file.hpp"

namespace tappet::fmi {

std::string binary_folder(int version) {
#if defined(__linux__) && defined(__x86_64__)
  return version == 2 ? "binaries/linux64/" : "binaries/x86_64-linux/";
#elif defined(__linux__) && defined(__aarch64__)
  // FMI 2 names no such platform.
  return version == 2 ? "" : "binaries/aarch64-linux/";
#else
  return "";
#endif
}

namespace {

/// The platforms that it has binaries for, in words.
std::string platforms(const Archive& archive) {
  constexpr std::string_view folder = "binaries/";
  std::string out;
  for (const std::string& name : archive.names()) {
    if (!name.starts_with(folder)) continue;
    const std::string platform = name.substr(folder.size(), name.find('/', folder.size()) - folder.size());
    if (out.find(platform) == std::string::npos) out += (out.empty() ? "" : ", ") + platform;
  }
  return out.empty() ? "none" : out;
}

}  // namespace

std::shared_ptr<const Package> open_package_bytes(std::string bytes, const std::string& file,
                                                  std::string& fault) {
  auto out = std::make_shared<Package>();
  out->file = file;
  out->hash = content_hash(bytes);
  try {
    auto archive = std::make_shared<Archive>(std::move(bytes));
    if (!archive->has("modelDescription.xml"))
      throw ArchiveError("is no FMU: it holds no modelDescription.xml");
    auto description = read_description(archive->read("modelDescription.xml", most_description_bytes), fault);
    if (!description) return nullptr;
    out->description = std::move(*description);
    out->archive = std::move(archive);
  } catch (const ArchiveError& error) {
    fault = error.what();
    return nullptr;
  }
  const Description& d = out->description;
  if (!d.co_simulation)
    return fault = "has no co-simulation: FMUs for model exchange alone are not run", nullptr;
  if (d.needs_execution_tool)
    return fault = "needs the program that wrote it to run (needsExecutionTool), and such FMUs are not run",
           nullptr;
  const std::string folder = binary_folder(d.version);
  out->binary = folder + d.identifier + ".so";
  if (folder.empty() || d.identifier.empty() || !is_safe_name(out->binary) ||
      !out->archive->has(out->binary)) {
    fault = fmt::format("has no binary for this platform, {}; it has binaries for: {}",
                        folder.empty() ? "which FMI does not name" : "'" + out->binary + "'",
                        platforms(*out->archive));
    return nullptr;
  }
  return out;
}

std::shared_ptr<const Package> open_package(const std::string& file, std::string& fault) {
  auto bytes = read_input_file(file, fault, most_archive_bytes);
  if (!bytes) return nullptr;
  return open_package_bytes(std::move(*bytes), file, fault);
}

}  // namespace tappet::fmi
