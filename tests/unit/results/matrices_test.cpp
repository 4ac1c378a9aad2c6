#include "tappet/results/matrices.hpp"

#include <cstring>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/folder_test.hpp"
#include "support/run_model.hpp"
#include "tappet/fmi/archive.hpp"
#include "tappet/results/result_writer.hpp"

namespace tappet::matrices_test {
namespace {

using ::testing::HasSubstr;

class MatricesTest : public FolderTest {
 protected:
  /// The bouncing ball, in a file.
  ResultFile ball() const {
    struct Recorder final : Observer {
      explicit Recorder(ResultWriter& w) : writer(w) {}
      void sample(std::span<const double> row) override { writer.sample(row); }
      void impact(const Impact& i) override { writer.impact(i); }
      ResultWriter& writer;
    };
    const auto model = testing::model_of_example("bouncing_ball/impact.yaml",
                                                 {"simulation.duration=0.8 s", "output.step=1 ms"});
    Simulation simulation(model);
    ResultWriter writer = ResultWriter::create(path("ball.h5"), {.signals = simulation.signals(),
                                                                 .contacts = simulation.contact_names(),
                                                                 .events = {},
                                                                 .title = "Ball",
                                                                 .model_file = "ball.yaml",
                                                                 .model_text = model->text,
                                                                 .created = "",
                                                                 .program_version = ""});
    Recorder recorder(writer);
    writer.finish(simulation.run(recorder));
    return ResultFile(path("ball.h5"));
  }
};

/// A reader of level 5 as its description says: what matrices there are, structs by "name.field".
class MatReader {
 public:
  explicit MatReader(std::string bytes) : all_(std::move(bytes)) {
    if (all_.size() < 128 || all_.substr(126, 2) != "IM") throw std::runtime_error("no level 5");
    for (std::size_t at = 128; at < all_.size();) at = matrix(at, "");
  }
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::string> texts;

 private:
  template <class Number>
  Number get(std::size_t at) const {
    Number out;
    if (at + sizeof out > all_.size()) throw std::runtime_error("too short");
    std::memcpy(&out, all_.data() + at, sizeof out);
    return out;
  }
  struct Element {
    std::uint32_t type, size;
    std::size_t data, next;
  };
  Element element(std::size_t at) const {
    const auto first = get<std::uint32_t>(at);
    if (first >> 16) return {first & 0xffff, first >> 16, at + 4, at + 8};  // a small one
    const auto size = get<std::uint32_t>(at + 4);
    return {first, size, at + 8, at + 8 + (size + 7) / 8 * 8};
  }
  std::size_t matrix(std::size_t at, const std::string& owner) {
    const Element whole = element(at);
    if (whole.type != 14) throw std::runtime_error("no matrix");
    const Element flags = element(whole.data), size = element(flags.next), name = element(size.next);
    const auto kind = get<std::uint32_t>(flags.data) & 0xff;
    const int count = get<std::int32_t>(size.data) * get<std::int32_t>(size.data + 4);
    const std::string own = owner + all_.substr(name.data, name.size);
    std::size_t inside = name.next;
    if (kind == 6) {
      const Element data = element(inside);
      std::vector<double>& out = numbers[own];
      for (int i = 0; i < count; ++i) out.push_back(get<double>(data.data + 8 * static_cast<std::size_t>(i)));
      inside = data.next;
    } else if (kind == 4) {
      const Element data = element(inside);
      for (int i = 0; i < count; ++i)
        texts[own] += static_cast<char>(get<std::uint16_t>(data.data + 2 * static_cast<std::size_t>(i)));
      inside = data.next;
    } else if (kind == 2) {
      const Element length = element(inside), names = element(length.next);
      const auto each = static_cast<std::size_t>(get<std::int32_t>(length.data));
      inside = names.next;
      for (std::size_t i = 0; i < names.size / each; ++i)
        inside = matrix(inside, own + "." + std::string(all_.c_str() + names.data + i * each));
    } else if (kind == 1) {
      for (int i = 0; i < count; ++i) inside = matrix(inside, own + "{" + std::to_string(i + 1) + "}");
    }
    if (inside > whole.next) throw std::runtime_error("runs over its end");
    return whole.next;
  }
  const std::string all_;
};

TEST_F(MatricesTest, MatlabsFileHoldsWhatTheResultHolds) {
  const ResultFile result = ball();
  const MatReader mat(mat_of(result, {}));
  EXPECT_EQ(mat.numbers.at("time"), result.column("time"));
  EXPECT_EQ(mat.numbers.at("ball.y"), result.column("ball.y"));
  EXPECT_EQ(mat.numbers.at("bounce.normal"), result.column("bounce.normal"));
  EXPECT_EQ(mat.texts.at("units.ball.y"), "m");
  EXPECT_EQ(mat.texts.at("title"), "Ball");
  std::vector<double> starts;
  for (const Impact& impact : result.impacts()) starts.push_back(impact.start);
  ASSERT_GT(starts.size(), 0u);
  EXPECT_EQ(mat.numbers.at("impacts.start"), starts);
  EXPECT_EQ(mat.numbers.at("impacts.contact"), std::vector<double>(starts.size(), 1.0));
  EXPECT_EQ(mat.texts.at("impacts.names{1}"), "bounce");
  // Few signals, where few are asked for.
  const MatReader few(mat_of(result, {"ball.v*"}));
  EXPECT_FALSE(few.numbers.contains("ball.y"));
  EXPECT_EQ(few.numbers.at("ball.vy"), result.column("ball.vy"));
  EXPECT_THROW(mat_of(result, {"ball.q"}), InputError);
}

#ifdef TAPPET_FMI
TEST_F(MatricesTest, NumpysFileHoldsWhatTheResultHolds) {
  const ResultFile result = ball();
  const fmi::Archive archive(npz_of(result, {}));
  const auto array = [&](const std::string& name) {
    const std::string bytes = archive.read(name + ".npy");
    EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t head =
        static_cast<unsigned char>(bytes[8]) + 256u * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + head) % 64, 0u);
    std::vector<double> out((bytes.size() - 10 - head) / sizeof(double));
    EXPECT_THAT(bytes.substr(10, head), HasSubstr("'shape': (" + std::to_string(out.size()) + ",)"));
    std::memcpy(out.data(), bytes.data() + 10 + head, out.size() * sizeof(double));
    return out;
  };
  EXPECT_EQ(array("time"), result.column("time"));
  EXPECT_EQ(array("ball.y"), result.column("ball.y"));
  EXPECT_EQ(array("impacts/start").size(), result.impact_count());
}
#endif

}  // namespace
}  // namespace tappet::matrices_test
