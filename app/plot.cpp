// tappet plot: signals of a result as a picture.

#include "tappet/results/plot.hpp"

#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "tappet/results/output_file.hpp"

namespace tappet::app::plot_command {
namespace {

struct Options {
  std::string result, output, size, log;
  PlotOptions plot;
  bool json = false;
};

void read_size(Options& options) {
  if (options.size.empty()) return;
  double width = 0, height = 0;
  char rest = 0;
  if (std::sscanf(options.size.c_str(), "%lfx%lf%c", &width, &height, &rest) != 2 ||
      !(width >= 20 && width <= 2000) || !(height >= 20 && height <= 2000))
    refuse("plot",
           fmt::format("--size is {}, but must be a width and a height from 20 to 2000 mm, such as 85x60",
                       quote(options.size)));
  options.plot.width = static_cast<int>(std::lround(width / 25.4 * 90));
  options.plot.height = static_cast<int>(std::lround(height / 25.4 * 90));
  if (options.plot.resolution == PlotOptions{}.resolution) options.plot.resolution = 300;
}

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
  add_quantity(command, "--from", options->plot.from, "s", "begin at this time, such as 300ms");
  add_quantity(command, "--to", options->plot.to, "s", "end at this time");
  command.add_option("--title", options->plot.title, "the picture's title; default: the model's");
  command.add_flag("--no-title", options->plot.untitled, "no title, for figures with a caption")
      ->excludes("--title");
  command
      .add_option("--compare", options->plot.others,
                  "another result, whose signals of these names are drawn as well; may be repeated")
      ->allow_extra_args(false)
      ->type_name("RESULT");
  command
      .add_option("--size", options->size,
                  "width and height on paper in mm, such as 85x60; default: 254 mm wide")
      ->type_name("WxH");
  command.add_option("--font", options->plot.font, "size of the letters, points")
      ->check(CLI::Range(3, 72))
      ->capture_default_str();
  command
      .add_option("--dpi", options->plot.resolution,
                  "pixels to the inch of a PNG; default: 90, with --size 300")
      ->check(CLI::Range(30, 2400));
  command.add_option("--log", options->log, "logarithmic axes: x, y or xy")
      ->check(CLI::IsMember({"x", "y", "xy"}));
  add_json(command, options->json);
  return [options] {
    check_output(options->output, OutputKind::picture, {options->result});
    read_size(*options);
    options->plot.log_x = options->log.find('x') != std::string::npos;
    options->plot.log_y = options->log.find('y') != std::string::npos;
    const ResultFile result(options->result);
    plot(result, options->plot, options->output);
    if (options->json)
      fmt::print(
          "{}\n",
          nlohmann::ordered_json{{"picture", options->output}, {"warnings", result.warnings()}}.dump(2));
    for (const std::string& text : result.warnings())
      if (!options->json) fmt::print(stderr, "warning: {}\n", text);
    return Exit::done;
  };
}

const Registration<Command> registered{
    {.name = "plot", .help = "draw signals of a result", .place = 40, .set_up = set_up}};

}  // namespace
}  // namespace tappet::app::plot_command
