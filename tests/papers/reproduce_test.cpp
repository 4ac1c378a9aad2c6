// The catalogues of `tappet reproduce`: all figures of the documents are in them, every condition can fail,
// and the quick figures are made from beginning to end.
#include "tappet/studies/reproduce.hpp"

#include <algorithm>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "regressions/source_tree.hpp"
#include "tappet/base/expression.hpp"

namespace tappet::testing::reproduce_test {
namespace {

Catalogue document(const std::string& name) {
  return load_catalogue((std::filesystem::path(catalogue_folder()) / (name + ".yaml")).string());
}

std::vector<std::string> numbers(int first, int last) {
  std::vector<std::string> out;
  for (int i = first; i <= last; ++i) out.push_back(std::to_string(i));
  return out;
}

struct Printed {
  const char* name;
  std::vector<std::string> figures;  ///< as the document numbers them
  int tables = 0;
};
const Printed printed[] = {
    {"flores-2006", numbers(1, 12), 2},          {"flores-2022", numbers(1, 2)},
    {"flores-ambrosio-2004", numbers(1, 14), 2}, {"giesbers-2012", numbers(1, 27), 1},
    {"theodosiou-2008", numbers(1, 3)},
};

TEST(Reproduce, EveryFigureAndTableOfTheDocumentsIsListed) {
  std::vector<std::string> names;
  for (Printed wanted : printed) {
    names.push_back(wanted.name);
    std::vector<std::string> listed;
    for (const CatalogueFigure& figure : document(wanted.name).figures) listed.push_back(figure.number);
    for (int table = 1; table <= wanted.tables; ++table)
      wanted.figures.push_back(fmt::format("table {}", table));
    EXPECT_EQ(listed, wanted.figures) << wanted.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(catalogue_names(), names);
}

// With numbers by chance no condition holds always: none is true whatever the runs give.
TEST(Reproduce, EveryConditionCanFail) {
  std::mt19937 random(1);
  std::lognormal_distribution<double> size(0, 3), common(0, 6);
  for (const Printed& wanted : printed)
    for (const CatalogueFigure& figure : document(wanted.name).figures)
      for (const FigureClaim& claim : figure.claims) {
        if (claim.holds.empty()) continue;
        bool failed = false;
        for (int trial = 0; trial < 200 && !failed; ++trial) {
          NumberTable table;
          const double scale = common(random) * (trial % 3 == 0 ? -1 : 1);
          for (const FigureNumber& number : figure.numbers) table.names.push_back(number.name);
          for (const FigureRun& run : figure.runs) {
            table.runs.push_back(run.name);
            table.groups.push_back(run.group);
            table.failed.push_back(false);
            table.values.emplace_back();
            for (std::size_t j = 0; j < table.names.size(); ++j)
              table.values.back().push_back(scale * (random() % 4 == 0 ? -size(random) : size(random)));
          }
          failed = !judge(claim.holds, table).holds;
        }
        EXPECT_TRUE(failed) << wanted.name << " figure " << figure.number << ": " << claim.holds;
      }
}

// The page's table of what is seen in part names the figures whose claims have a reason why they do not hold, and no others.
TEST(Reproduce, DocsNameWhatIsSeenInPart) {
  const std::string page = test::read_text(test::source_dir() / "docs/reproduce.md");
  std::size_t rows = 0, figures = 0, tables = 0, missing = 0, partly = 0;
  for (const Printed& wanted : printed) {
    for (std::size_t at = 0; (at = page.find(fmt::format("\n| {} | ", wanted.name), at)) != std::string::npos;
         ++at)
      ++rows;
    for (const CatalogueFigure& figure : document(wanted.name).figures) {
      ++(figure.table ? tables : figures);
      missing += !figure.missing.empty();
      const bool reasoned = std::any_of(
          figure.claims.begin(), figure.claims.end(),
          [](const FigureClaim& claim) { return !claim.because.empty() || !claim.unchecked.empty(); });
      partly += reasoned;
      EXPECT_EQ(page.find(fmt::format("\n| {} | {} | ", wanted.name, figure.number)) != std::string::npos,
                reasoned)
          << wanted.name << " " << figure.called();
    }
  }
  EXPECT_EQ(rows, partly);
  EXPECT_NE(page.find(fmt::format("{} figures: {} seen, {} partly seen, {} not made; {} tables: {} seen",
                                  figures, figures - partly - missing, partly, missing, tables, tables)),
            std::string::npos);
}

class ReproduceCommand : public test::ProgramTest {};

TEST_F(ReproduceCommand, ListsDocumentsAndFigures) {
  const test::Outcome outcome = run({"reproduce"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const Printed& wanted : printed) EXPECT_NE(outcome.out.find(wanted.name), std::string::npos);
  EXPECT_NE(outcome.out.find("not made: a drawing"), std::string::npos);
}

TEST_F(ReproduceCommand, MakesFigures) {
  const test::Outcome outcome =
      run({"reproduce", "flores-2006", "--figure", "2", "--figure", "7", "--figure", "10", "-o", "out"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("3 figures: 2 seen, 1 partly seen"), std::string::npos) << outcome.out;
  const std::string page = text("out/index.html");
  EXPECT_NE(page.find("flores-2006-2"), std::string::npos);
  EXPECT_EQ(page.find("http://"), std::string::npos);  // nothing is fetched
  EXPECT_EQ(page.find("https://"), std::string::npos);
  EXPECT_NE(text("out/flores-2006/figure_2_loop.csv").find("run,wall.penetration,wall.normal"),
            std::string::npos);
  EXPECT_NE(text("out/verdicts.csv").find("flores-2006,2,seen,stiffness,yes"), std::string::npos);
}

// What the page says of the figures that take no time; where a document saw what is not there, or we see
// less, it says that too.
TEST_F(ReproduceCommand, SeesWhatTheDocumentsSaw) {
  const std::pair<const char*, std::vector<std::string>> quick[] = {
      {"flores-2006", {"1", "3", "5", "8", "9", "table 1", "table 2"}},
      {"flores-ambrosio-2004", {"4", "5", "6", "7", "8", "10", "table 1", "table 2"}},
      {"giesbers-2012", {"1", "5", "7", "11", "12", "13", "15", "19", "20", "21", "table 1"}}};
  const std::vector<std::string> partly = {"flores-ambrosio-2004 8"};
  for (const auto& [document_name, figures] : quick) {
    const std::vector<Catalogue> documents = {document(document_name)};
    for (const Reproduction& r : reproduce(documents, {.folder = path("out"), .figures = figures})) {
      const std::string name = fmt::format("{} {}", document_name, r.figure->number);
      const bool less = std::find(partly.begin(), partly.end(), name) != partly.end();
      EXPECT_STREQ(text_of(r.verdict), text_of(less ? Verdict::partly : Verdict::seen)) << name << r.reason;
      EXPECT_EQ(r.pictures.empty(), r.figure->table) << name;
      EXPECT_TRUE(r.faults.empty()) << name;
    }
  }
}

// With another law in the place of Hertz' the document's words about it are no longer true.
TEST_F(ReproduceCommand, SeesWhatIsNotThere) {
  std::vector<Catalogue> documents = {document("flores-2006")};
  const auto at = std::find_if(documents[0].figures.begin(), documents[0].figures.end(),
                               [](const CatalogueFigure& figure) { return figure.number == "2"; });
  at->runs[0].settings = {"joints.wall.clearance.normal={law: hooke, stiffness: 1e8, damping: 100}"};
  EXPECT_EQ(reproduce(documents, {.folder = path("out"), .figures = {"2"}})[0].verdict, Verdict::not_seen);
}

TEST_F(ReproduceCommand, UnknownNamesAreSentences) {
  const test::Outcome unknown = run({"reproduce", "flores-2007"});
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("did you mean 'flores-2006'"), std::string::npos) << unknown.err;
  const test::Outcome figure = run({"reproduce", "flores-2006", "--figure", "13"});
  EXPECT_EQ(figure.status, 2);
  EXPECT_NE(figure.err.find("there is no figure '13'"), std::string::npos) << figure.err;
  EXPECT_EQ(run({"reproduce", "--figure", "1"}).status, 2);
  EXPECT_EQ(run({"reproduce", "none.yaml"}).status, 2);
}

}  // namespace
}  // namespace tappet::testing::reproduce_test
