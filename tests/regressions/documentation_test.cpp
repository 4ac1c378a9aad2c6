// What the documentation says is there is there: links, citations, and models that the program accepts.
#include <cctype>
#include <cstdio>
#include <map>
#include <regex>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "regressions/source_tree.hpp"
#include "support/paths.hpp"
#include "tappet/model/contact_support.hpp"

namespace tappet::test::documentation_test {
namespace {

namespace fs = std::filesystem;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::vector<std::smatch> matches(const std::string& text, const std::regex& pattern) {
  return {std::sregex_iterator(text.begin(), text.end(), pattern), {}};
}

std::vector<fs::path> pages() {
  std::vector<fs::path> out = {"README.md"};
  for (const char* folder : {"docs", "examples"}) {
    for (const auto& file : files_below(folder)) {
      if (file.extension() == ".md") out.push_back(file);
    }
  }
  return out;
}

/// Keys and other names ("ids") of the entries of references.bib, in lower case as BibTeX compares them, each
/// with how often it occurs.
std::map<std::string, int> reference_keys() {
  const std::string text = read_text(source_dir() / "docs/references.bib");
  std::map<std::string, int> keys;
  for (const auto& m : matches(text, std::regex(R"(@[a-z]+\{([^,\s]+),)"))) ++keys[lower(m[1])];
  for (const auto& m : matches(text, std::regex(R"(\n\s*ids\s*=\s*\{([^}]*)\})"))) {
    const std::string list = m[1];
    std::set<std::string> names;  // one entry may list a name in two spellings
    for (const auto& name : matches(list, std::regex(R"([^,\s]+)"))) names.insert(lower(name.str()));
    for (const auto& name : names) ++keys[name];
  }
  return keys;
}

TEST(Documentation, ReferencesHaveOneEntryEach) {
  const auto keys = reference_keys();
  ASSERT_GT(keys.size(), 30u);
  for (const auto& [key, count] : keys)
    EXPECT_EQ(count, 1) << "'" << key << "' names two entries of references.bib";
}

// `citation = "hunt1975; flores2022, eq. 3"` in a registration names entries of references.bib.
TEST(Documentation, CitationsOfTheRegistriesExist) {
  const auto keys = reference_keys();
  for (const auto& file : files_below("src/tappet")) {
    const std::string text = read_text(source_dir() / file);
    for (const auto& m : matches(text, std::regex(R"re(\.citation\s*=\s*"([^"]*)")re"))) {
      const std::string citation = m[1];
      for (const auto& part : matches(citation, std::regex(R"(([^;,\s]+)[^;]*)"))) {
        EXPECT_TRUE(keys.contains(lower(part[1])))
            << file << " cites '" << part[1] << "', which is not in docs/references.bib";
      }
    }
  }
}

/// What the program prints when it is run with these arguments, and its exit status; both streams.
std::pair<std::string, int> run_program(const std::string& arguments) {
  const std::string command = "'" + testing::program() + "' " + arguments + " 2>&1";
  std::FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {"cannot be started", -1};
  std::string output;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) output.append(buffer, n);
  const int status = pclose(pipe);
  return {output, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

bool program_has_commands() {
  return !run_program("--version").first.empty();
}

TEST(Documentation, LinksLeadSomewhere) {
  for (const auto& page : pages()) {
    const std::string text = read_text(source_dir() / page);
    for (const auto& m : matches(text, std::regex(R"(\]\(([^)#\s]+)[^)]*\))"))) {
      const std::string target = m[1];
      if (target.find("://") != std::string::npos) continue;
      EXPECT_TRUE(fs::exists(source_dir() / page.parent_path() / target)) << page << " links to " << target;
    }
  }
}

/// The whole models of a page: its blocks of YAML that begin as a model does.
std::vector<std::string> models_of(const fs::path& page) {
  const std::string text = read_text(source_dir() / page), fence = "```";
  std::vector<std::string> out;
  for (auto at = text.find(fence + "yaml\n"); at != std::string::npos; at = text.find(fence + "yaml\n", at)) {
    const auto begin = text.find('\n', at) + 1, end = text.find(fence, begin);
    if (end == std::string::npos) break;
    if (const auto block = text.substr(begin, end - begin); block.starts_with("tappet:"))
      out.push_back(block);
    at = end + fence.size();
  }
  return out;
}

// What `tappet methods` prints, word for word.
TEST(Documentation, MethodsPageHasTheTableOfTheProgram) {
  const std::string page = read_text(source_dir() / "docs/methods.md");
  EXPECT_NE(page.find(contact_table()), std::string::npos) << contact_table();
}

// Whole models in the pages, and all example models, pass `tappet check`.
TEST(Documentation, ModelsAreAccepted) {
  ASSERT_TRUE(program_has_commands());
  for (const auto& page : pages()) {
    // scripts/check_tutorials works through these; their models need files that their commands make.
    if (page.parent_path().filename() == "tutorials") continue;
    int number = 0;
    for (const auto& text : models_of(page)) {
      const std::string name = page.stem().string() + "_" + std::to_string(++number) + ".yaml";
      const fs::path model = fs::temp_directory_path() / ("tappet_" + std::to_string(getpid()) + "_" + name);
      std::ofstream(model) << text;
      const auto [output, status] = run_program("check '" + model.string() + "'");
      fs::remove(model);
      EXPECT_EQ(status, 0) << page << ", model " << number << ":\n" << output;
    }
  }
  for (const auto& file : files_below("examples")) {
    if (file.extension() != ".yaml") continue;
    const auto [output, status] = run_program("check '" + (source_dir() / file).string() + "'");
    EXPECT_EQ(status, 0) << file << ":\n" << output;
  }
}

}  // namespace
}  // namespace tappet::test::documentation_test
