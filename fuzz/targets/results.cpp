// Result files: opened, everything in them read, written as tables and as a page. The bytes lie in memory, under a name that HDF5 can open.
//
// `result` takes bytes; `result_parts` lines of hdf5_text.hpp that change a good result, whose tables then say what nobody wrote.
#include <cstdio>
#include <memory>
#include <string>

#include "hdf5_text.hpp"
#include "memory_file.hpp"
#include "seeds.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/results/csv.hpp"
#include "tappet/results/report.hpp"
#include "tappet/results/result_file.hpp"
#include "tappet/results/summary.hpp"
#include "target.hpp"

namespace tappet::fuzz::result_target {
namespace {

void read(std::string_view bytes) {
  const MemoryFile file(bytes);
  static_cast<void>(is_result_file(file.path()));
  try {
    const ResultFile result(file.path());
    static_cast<void>(result.columns());
    for (std::size_t i = 0; i < std::min<std::size_t>(result.columns().size(), 3); ++i)
      static_cast<void>(result.column(i));
    static_cast<void>(result.impacts());
    static_cast<void>(result.events());
    static_cast<void>(result.last_checkpoint());
    for (std::size_t s = 0; s < result.header().structures.size(); ++s)
      if (result.field_count() > 0) static_cast<void>(result.fields(s, 0));
    if (!result.columns().empty()) {
      const std::size_t zero = 0;
      static_cast<void>(result.read_all(0, std::min<std::size_t>(result.rows(), 100), std::span(&zero, 1)));
    }
  } catch (const InputError&) {
  }
}

/// What commands do with a result that can be opened.
void use(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const ResultFile result(file.path());
    static const std::unique_ptr<std::FILE, int (*)(std::FILE*)> nowhere(std::fopen("/dev/null", "w"),
                                                                         std::fclose);
    export_samples(result, {}, nowhere.get(), true);
    export_impacts(result, nowhere.get());
    export_events(result, nowhere.get());
    if (!result.summary().empty()) static_cast<void>(summary_from_json(result.summary()));
    static_cast<void>(report_data(result, 100'000));
    const auto last = result.last_checkpoint();
    if (!last) return;
    Diagnostics diagnostics;
    Simulation simulation(compile(spec_from_text(result.header().model_text, "fuzz.yaml"), diagnostics));
    simulation.restore(last->state);
  } catch (const InputError&) {
  } catch (const SimulationError&) {
  }
}

const Registration<FuzzTarget> registered{
    {.name = "result",
     .help = "result files, opened and read",
     .examples = {".h5"},
     .run = read,
     .words = {"\x89HDF\r\n\x1a\n", "OHDR", "FRHP", "BTHD", "FADB", "FAHD", "EAHD", "TREE", "SNOD", "OCHK"}}};

/// A ball that falls on a block: samples, impacts, events, rows between, fields of a structure.
constexpr char block_model[] =
    "tappet: 1\ndimension: spatial\ngravity: [0, 0, -9.81]\n"
    "materials: {m: {young: 1e6, poisson: 0.3, density: 100}}\n"
    "bodies:\n"
    "  block: {structure: {generate: {block: {size: [1, 1, 0.2], divisions: [1, 1, 1]}}, material: m, "
    "fix: {zmin: [x, y, z]}}}\n"
    "  ball: {mass: 2, inertia: [0.1, 0.1, 0.1], position: [0.5, 0.5, 0.41], velocity: [0, 0, -1], shapes: "
    "{skin: {sphere: {radius: 0.2}}}}\n"
    "contacts: {drop: {between: [block.zmax, ball.skin], normal: {restitution: 0.5}}}\n"
    "simulation: {method: moreau, duration: 0.03, step: 1e-3}\noutput: {step: 5e-3}\n";

std::string& good_result(bool block) {
  static std::string both[2];
  std::string& out = both[block ? 1 : 0];
  if (out.empty()) out = result_of(block ? block_model : ball_model);
  return out;
}

void prepare() {
  good_result(false), good_result(true);
}

void change(std::string_view lines) {
  const std::string changed = hdf5_of_text(lines, good_result(lines.starts_with("# block")));
  if (!changed.empty()) read(changed), use(changed);
}

const Registration<FuzzTarget> parts{
    {.name = "result_parts",
     .help = "results whose parts were exchanged: opened, read, exported, shown",
     .examples = {},
     .run = change,
     .words = {"\n",
               " : ",
               "samples",
               "impacts",
               "events",
               "between",
               "checkpoints",
               "checkpoint_0",
               "columns",
               "units",
               "contacts",
               "event_names",
               "structures",
               "field_samples",
               "fields/block/",
               "nodes",
               "cells",
               "ends",
               "types",
               "displacement",
               "stress",
               "status",
               "summary",
               "model/text",
               "input_files",
               "tappet_format",
               "title",
               "_checksums",
               " f ",
               " i ",
               " s ",
               " b ",
               " d",
               " r ",
               " w ",
               " l : ",
               " e : ",
               " x ",
               " n ",
               " a ",
               "0",
               "1",
               "7",
               "10",
               "-1",
               "nan",
               "inf",
               "1e300",
               "4294967296",
               "4611686018427387904",
               "18446744073709551615",
               "/etc/hostname",
               "2147483648"},
     .prepare = prepare}};

}  // namespace
}  // namespace tappet::fuzz::result_target
