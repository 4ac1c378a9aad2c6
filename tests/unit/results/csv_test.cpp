#include "tappet/results/csv.hpp"

#include <cmath>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "tappet/results/result_writer.hpp"
#include "unit/results/toy_run.hpp"

namespace tappet::csv_test {
namespace {

class CsvTest : public FolderTest {
 protected:
  template <class Export>
  std::string exported(Export write) {
    std::FILE* out = std::fopen(path("out.csv").c_str(), "wb");
    EXPECT_TRUE(write(out));
    std::fclose(out);
    return text("out.csv");
  }
};

TEST_F(CsvTest, EveryNumberReadsBackAsTheSameBits) {
  ResultHeader header;
  header.signals = {{"a.x", "m"}, {"b.x", "m"}};
  const double values[] = {1.0 / 3,
                           0.1,
                           1e300,
                           5e-324,
                           -0.0,
                           123456789.123456789,
                           std::numeric_limits<double>::max(),
                           std::numeric_limits<double>::epsilon(),
                           -1e-5};
  {
    auto writer = ResultWriter::create(path("a.h5"), header);
    double t = 0;
    for (const double value : values) {
      const double row[] = {t += 0.1, value, -value};
      writer.sample(row);
    }
    writer.finish({});
  }
  const ResultFile result(path("a.h5"));
  std::istringstream lines(exported([&](std::FILE* out) { return export_samples(result, {}, out); }));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "time [s],a.x [m],b.x [m]");
  for (const double value : values) {
    ASSERT_TRUE(std::getline(lines, line));
    const char* at = line.c_str() + line.find(',') + 1;
    char* end = nullptr;
    const double read = std::strtod(at, &end);
    EXPECT_EQ(read, value);
    EXPECT_EQ(std::signbit(read), std::signbit(value));
    EXPECT_EQ(*end, ',');
    EXPECT_EQ(std::strtod(end + 1, nullptr), -value);
  }
  EXPECT_FALSE(std::getline(lines, line));
}

TEST_F(CsvTest, ChosenSignalsAndTables) {
  ToyRun run;
  run.steps = 12;
  {
    auto writer = ResultWriter::create(path("a.h5"), run.header());
    run.run(writer);
    writer.finish(run.summary());
  }
  const ResultFile result(path("a.h5"));
  const auto chosen = exported([&](std::FILE* out) {
    return export_samples(result, {"body2*", "time"}, out);
  });
  EXPECT_EQ(chosen.substr(0, chosen.find('\n')), "time [s],body2.x [m]");
  EXPECT_EQ(std::count(chosen.begin(), chosen.end(), '\n'), 13);

  const auto impacts = exported([&](std::FILE* out) { return export_impacts(result, out); });
  EXPECT_EQ(
      impacts.substr(0, impacts.find('\n')),
      "contact,start [s],end [s],speed_in [m/s],speed_out [m/s],restitution,requested,max_penetration [m],"
      "peak_force [N],impulse [N s]");
  EXPECT_NE(impacts.find("\nfloor,0,0.01,"), std::string::npos);
  EXPECT_NE(impacts.find("\nwall,0.7"), std::string::npos);

  EXPECT_EQ(exported([&](std::FILE* out) { return export_events(result, out); }),
            "event,time [s]\ntop,0\ntop,1.1\n");
}

TEST_F(CsvTest, NamesWithCommasAreQuoted) {
  ResultHeader header;
  header.signals = {{"odd, \"name\".x", "m"}};
  ResultWriter::create(path("a.h5"), header).finish({});
  const ResultFile result(path("a.h5"));
  EXPECT_EQ(exported([&](std::FILE* out) { return export_samples(result, {}, out); }),
            "time [s],\"odd, \"\"name\"\".x [m]\"\n");
}

TEST_F(CsvTest, AFullDiskIsNoticed) {
  ToyRun run;
  auto writer = ResultWriter::create(path("a.h5"), run.header());
  run.run(writer);
  writer.finish(run.summary());
  std::FILE* full = std::fopen("/dev/full", "wb");
  ASSERT_TRUE(full);
  EXPECT_FALSE(export_samples(ResultFile(path("a.h5")), {}, full));
  std::fclose(full);
}

}  // namespace
}  // namespace tappet::csv_test
