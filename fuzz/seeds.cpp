#include "seeds.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unistd.h>

#include "names.hpp"
#include "random.hpp"
#include "tappet/base/diagnostics.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/results/result_writer.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"

namespace tappet::fuzz {

namespace {

namespace fs = std::filesystem;

const fs::path sources = TAPPET_SOURCE_DIR;

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> files_under(const fs::path& folder) {
  std::vector<fs::path> out;
  if (!fs::exists(folder)) return out;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Samples and impacts of a ball that bounces, written as the command run writes them.
class Recorder final : public Observer {
 public:
  explicit Recorder(ResultWriter& writer) : writer_(writer) {}
  void sample(std::span<const double> row) override { writer_.sample(row); }
  void between(std::span<const double> row) override { writer_.between(row); }
  bool wants_between() const override { return true; }
  void fields(int structure, const fem::Fields& fields) override { writer_.fields(structure, fields); }
  bool wants_fields() const override { return true; }
  void event(const EventRecord& event) override { writer_.event(event); }
  void impact(const Impact& impact) override { writer_.impact(impact); }
  bool checkpoint_due() override { return writer_.checkpoint_due(); }
  void checkpoint(const State& state) override { writer_.checkpoint(state); }
  void end(const State& state) override { writer_.end(state); }

 private:
  ResultWriter& writer_;
};

}  // namespace

std::string result_of(const std::string& model) {
  const Spec spec = spec_from_text(model, "model.yaml");
  Diagnostics diagnostics;
  Simulation simulation(compile(spec, diagnostics));
  const fs::path path = fs::temp_directory_path() / ("tappet-fuzz-" + std::to_string(::getpid()) + ".h5");
  ResultHeader header;
  header.signals = simulation.signals();
  header.contacts = simulation.contact_names();
  header.events = simulation.event_names();
  header.structures = simulation.field_meshes();
  header.field_samples = static_cast<std::size_t>(simulation.field_samples());
  header.model_text = spec.model_text;
  ResultWriter writer = ResultWriter::create(path.string(), header, {.checkpoint_seconds = 0});
  Recorder recorder(writer);
  writer.finish(simulation.run(recorder));
  const std::string bytes = content(path);
  fs::remove(path);
  return bytes;
}

const char ball_model[] =
    "tappet: 1\ndimension: planar\ngravity: [0, -9.81]\n"
    "bodies: {ball: {mass: 1, inertia: 0.1, position: [0, 0.2], shapes: {skin: {circle: {radius: 0.1}}}}}\n"
    "ground: {shapes: {floor: {plane: {point: [0, 0], normal: [0, 1]}}}}\n"
    "contacts: {bounce: {between: [ground.floor, ball.skin], normal: {restitution: 0.5}}}\n"
    "simulation: {method: moreau, step: 1e-3, duration: 0.3}\noutput: {step: 0.02}\n";

namespace {

// ---- bytes ----

const std::vector<std::string>& odd_numbers() {
  static const std::vector<std::string> odd = {
      "0",     "-1",  "1e300", "-1e-300", "4294967296", "2147483647", "9223372036854775808",
      "65536", "nan", "inf",   "1e999",   "0x10",       "1.",         ".5",
      "-",     "1e"};
  return odd;
}

void mutate_bytes(Random& random, std::string& bytes, const FuzzTarget& target,
                  const std::vector<std::string>& seeds) {
  const std::size_t at = pick(random, bytes.size() + 1);
  const std::size_t length = std::min(bytes.size() - at, 1 + pick(random, 1u << pick(random, 8)));
  switch (pick(random, 10)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << pick(random, 8)));
      break;
    case 1:
      if (at < bytes.size()) bytes[at] = static_cast<char>(random());
      break;
    case 2:
      bytes.insert(at, 1, static_cast<char>(random()));
      break;
    case 3:
      bytes.erase(at, length);
      break;
    case 4:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 5: {  // a piece of another seed
      const std::string& other = seeds[pick(random, seeds.size())];
      const std::size_t from = pick(random, other.size() + 1);
      bytes.insert(at, other.substr(from, 1 + pick(random, 200)));
      break;
    }
    case 6:
    case 7: {  // a word
      const std::vector<std::string>& words = target.names ? known_words() : target.words;
      if (!words.empty()) bytes.insert(at, words[pick(random, words.size())]);
      break;
    }
    case 8: {  // another number
      auto digit = std::find_if(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(),
                                [](char c) { return c >= '0' && c <= '9'; });
      const auto end =
          std::find_if(digit, bytes.end(), [](char c) { return (c < '0' || c > '9') && c != '.'; });
      const auto start = static_cast<std::size_t>(digit - bytes.begin());
      bytes.replace(start, static_cast<std::size_t>(end - digit),
                    odd_numbers()[pick(random, odd_numbers().size())]);
      break;
    }
    default:
      if (pick(random, 4) == 0) bytes.resize(at);
  }
}

}  // namespace

std::vector<std::string> seeds_of(const FuzzTarget& target) {
  if (target.show) return {};
  std::vector<std::string> out;
  for (const fs::path& file : files_under(sources / "fuzz/corpus" / target.name))
    out.push_back(content(file));
  for (const fs::path& file : files_under(sources / "examples")) {
    if (std::find(target.examples.begin(), target.examples.end(), file.extension()) ==
            target.examples.end() ||
        fs::file_size(file) > max_seed_bytes)
      continue;
    const std::string folder =
        target.names ? "#@ " + fs::relative(file.parent_path(), sources).string() + "\n" : "";
    out.push_back(folder + content(file));
  }
  if (std::find(target.examples.begin(), target.examples.end(), ".h5") != target.examples.end())
    out.push_back(result_of(ball_model));
  if (out.empty()) out.emplace_back();
  return out;
}

std::string neighbour_of(const FuzzTarget& target, const std::vector<std::string>& seeds,
                         const std::string& input, unsigned seed) {
  Random random(seed);
  if (target.names && pick(random, 4) != 0) {
    std::string out = name_neighbour(input, random());
    if (!out.empty()) return out;
  }
  std::string out = input;
  const std::size_t times = 1u << pick(random, 4);
  for (std::size_t i = 0; i < times; ++i) mutate_bytes(random, out, target, seeds);
  return out;
}

std::string neighbour(const FuzzTarget& target, const std::vector<std::string>& seeds, unsigned long number) {
  if (target.show) return std::to_string(number);
  Random random(number);
  const std::string& input = seeds[pick(random, seeds.size())];
  return neighbour_of(target, seeds, input, random());
}

}  // namespace tappet::fuzz
