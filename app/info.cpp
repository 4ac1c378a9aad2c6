// tappet info: what a result file holds.

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/results/result_file.hpp"
#include "tappet/results/summary.hpp"

namespace tappet::app::info_command {
namespace {

struct Options {
  std::string result;
  bool json = false, model = false;
};

void print_json(const ResultFile& result) {
  using Json = nlohmann::ordered_json;
  const ResultHeader& header = result.header();
  Json columns = Json::array();
  for (const auto& column : result.columns())
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  const Json json{
      {"title", header.title},
      {"model_file", header.model_file},
      {"created", header.created},
      {"program_version", header.program_version},
      {"status", result.status()},
      {"samples", result.rows()},
      {"impacts", result.impact_count()},
      {"events", result.event_count()},
      {"columns", columns},
      {"contacts", header.contacts},
      {"event_names", header.events},
      {"summary", result.summary().empty() ? Json() : Json::parse(result.summary(), nullptr, false)}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

void print_text(const ResultFile& result) {
  const ResultHeader& header = result.header();
  fmt::print("{}\n", header.title.empty() ? result.path() : header.title);
  const auto line = [](const char* label, const std::string& value) {
    fmt::print("  {:<22}{}\n", label, value);
  };
  line("model", header.model_file);
  line("created", fmt::format("{} by version {}", header.created, header.program_version));
  line("status", result.status() == "running" ? "running, or killed: tappet run --resume continues it"
                                              : result.status());
  std::string rows = fmt::format("{}", result.rows());
  if (result.rows() > 0) {
    const std::size_t time = 0;
    rows += fmt::format(", from {:.9g} s to {:.9g} s", result.read(0, 1, {&time, 1})[0],
                        result.read(result.rows() - 1, 1, {&time, 1})[0]);
  }
  line("samples", rows);
  line("impacts", fmt::format("{}", result.impact_count()));
  line("events", fmt::format("{}", result.event_count()));
  if (!header.contacts.empty()) line("contacts", join_names(header.contacts));

  fmt::print("\nSignals\n");
  std::size_t longest = 0;
  for (const auto& column : result.columns()) longest = std::max(longest, column.name.size());
  for (const auto& column : result.columns()) {
    fmt::print("  {:<{}}{}\n", column.name, longest + 2, column.unit);
  }
  if (!result.summary().empty()) {
    fmt::print("\n{}", summary_text(summary_from_json(result.summary()), result.path()));
  }
}

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  auto* json = command.add_flag("--json", options->json, "as one JSON object");
  command.add_flag("--model", options->model, "print the model that made it, as YAML, and nothing else")
      ->excludes(json);
  return [options] {
    const ResultFile result(options->result);
    if (options->model) {
      fmt::print("{}", result.header().model_text);
    } else if (options->json) {
      print_json(result);
    } else {
      print_text(result);
    }
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "info", .help = "say what a result file holds", .place = 50, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::info_command
