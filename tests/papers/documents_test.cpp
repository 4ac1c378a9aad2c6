// Every figure and table of the five documents, three structures of their size among them. It takes minutes, so it is made only where
// TAPPET_DOCUMENTS is set: .ci/run documents.
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "regressions/program.hpp"
#include "regressions/source_tree.hpp"
#include "tappet/studies/reproduce.hpp"

namespace tappet::testing::documents_test {
namespace {

using ::testing::HasSubstr;

class Documents : public test::ProgramTest {
 protected:
  void SetUp() override {
    if (std::getenv("TAPPET_DOCUMENTS") == nullptr)
      GTEST_SKIP() << "takes minutes; .ci/run documents makes it, or TAPPET_DOCUMENTS=1";
  }
};

// The counts are those of docs/reproduce.md, and what does not hold has a reason. The figures of Theodosiou 2008 are runs of structures with
// about as many unknowns as the document's: 7,068, 49,598 and 1,869; there 7,710, a little more than 49,000, and 1,861.
TEST_F(Documents, FiguresAndTablesAreSeenAsTheDocsSay) {
  std::vector<Catalogue> documents;
  for (const std::string& name : catalogue_names())
    documents.push_back(load_catalogue(catalogue_folder() + "/" + name + ".yaml"));
  const std::vector<Reproduction> made = reproduce(documents, {.folder = path("out")});
  EXPECT_THAT(test::read_text(test::source_dir() / "docs/reproduce.md"),
              HasSubstr("    " + counts_text(made) + "\n"));
  for (const Reproduction& r : made) {
    const std::string name = r.document->name + " " + r.figure->called();
    EXPECT_TRUE(r.faults.empty()) << name << ": " << r.faults[0];
    for (std::size_t i = 0; i < r.judgements.size(); ++i) {
      const FigureClaim& claim = r.figure->claims[i];
      EXPECT_TRUE(r.judgements[i].holds || !reason_of(claim, r.judgements[i]).empty())
          << name << ": " << claim.name;
      // A reason why a claim does not hold is out of place where all hold.
      EXPECT_TRUE(r.verdict != Verdict::seen || claim.because.empty()) << name << ": " << claim.name;
    }
  }
}

}  // namespace
}  // namespace tappet::testing::documents_test
