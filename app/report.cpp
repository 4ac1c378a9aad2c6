// tappet report: a result as one page for the browser.

#include "tappet/results/report.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace tappet::app::report_command {
namespace {

struct Options {
  std::string result, output;
  ReportOptions report;
  bool json = false;
};

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  command.add_option("-o,--output", options->output,
                     "the page; default: the result's name with .html, in this directory");
  command
      .add_option("--compare", options->report.compared,
                  "another result, drawn beside the first; may be repeated")
      ->allow_extra_args(false)
      ->type_name("RESULT");
  add_json(command, options->json);
  return [options] {
    if (options->output.empty())
      options->output = std::filesystem::path(options->result).stem().string() + ".html";
    write_report(options->result, options->report, options->output);
    if (options->json)
      fmt::print("{}\n", nlohmann::ordered_json{{"report", options->output}}.dump(2));
    else
      fmt::print("  {:<22}{}\n", "report", options->output);
    return Exit::done;
  };
}

const Registration<Command> registered{{.name = "report",
                                        .help = "write a page with animation, plots and impact table",
                                        .place = 42,
                                        .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::report_command
