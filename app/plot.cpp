// tappet plot: signals of a result as a picture.

#include "tappet/results/plot.hpp"

#include "command.hpp"

namespace tappet::app::plot_command {
namespace {

struct Options {
  std::string result, output;
  PlotOptions plot;
};

std::function<int()> set_up(CLI::App& command) {
  auto options = std::make_shared<Options>();
  command.add_option("RESULT", options->result, "the result file")->required();
  command
      .add_option("SIGNAL", options->plot.signals,
                  "signals, such as crank.x or 'crank.*'; one panel for each unit")
      ->required();
  command.add_option("-o,--output", options->output, "the picture: .svg, .png or .pdf")->required();
  command.add_option("--x", options->plot.x,
                     "the signal of the horizontal axis (phase plots, orbits); default: time");
  command.add_option("--from", options->plot.from, "begin at this time, s");
  command.add_option("--to", options->plot.to, "end at this time, s");
  command.add_option("--title", options->plot.title, "the picture's title; default: the model's");
  return [options] {
    const ResultFile result(options->result);
    plot(result, options->plot, options->output);
    for (const std::string& text : result.warnings()) fmt::print(stderr, "warning: {}\n", text);
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "plot", .help = "draw signals of a result", .place = 40, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::plot_command
