// Files that models name: integrals of a flexible body (HDF5, said in lines: hdf5_text.hpp), tables of prescribed motions, film tables of
// the cache; and XML by itself.
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "hdf5_text.hpp"
#include "memory_file.hpp"
#include "tappet/base/input_file.hpp"
#include "tappet/base/xml.hpp"
#include "tappet/fem/time_table.hpp"
#include "tappet/lubrication/film_table.hpp"
#include "tappet/model/compile.hpp"
#include "tappet/model/model.hpp"
#include "tappet/run/simulation.hpp"
#include "tappet/spec/spec.hpp"
#include "target.hpp"

namespace tappet::fuzz::file_targets {
namespace {

/// Ends a run.
struct Watch final : Observer {
  int asked = 0;
  bool stop_requested() override { return ++asked >= 3; }
};

void run_matrices(std::string_view lines) {
  const MemoryFile file(hdf5_of_text(lines));
  for (const char* dimension : {"planar", "spatial"}) {
    const std::string model = fmt::format(
        "tappet: 1\ndimension: {}\nbodies: {{bar: {{flexible: {{matrices: {}}}}}}}\n"
        "simulation: {{duration: 0.1}}\noutput: {{step: 0.05}}\n",
        dimension, file.path());
    try {
      Diagnostics diagnostics;
      Simulation simulation(compile(spec_from_text(model, "fuzz.yaml"), diagnostics));
      Watch watch;
      const RunSummary summary = simulation.run(watch);
      if (!summary.completed && summary.stop_reason.empty())
        throw Contradiction("a run stopped and does not say why");
    } catch (const InputError&) {
    } catch (const SimulationError&) {
    }
  }
}

void run_table(std::string_view text) {
  const MemoryFile file(text);
  Diagnostics diagnostics;
  const fem::TimeTable table = fem::read_time_table(file.path(), {}, diagnostics);
  if (diagnostics.has_errors()) return;
  for (const std::vector<double>& column : table.columns) {
    if (column.size() != table.t.size()) throw Contradiction("a column is not as long as the times");
    const fem::TimeSpline spline(table.t, column);
    for (const double t : {table.t.front(), table.t[table.t.size() / 2], table.t.back()})
      static_cast<void>(spline.at(t));
  }
}

void run_film(std::string_view text) {
  // Its last line is made right, or nothing but that would be looked at.
  std::string body(text.substr(0, text.rfind("end")));
  body += fmt::format("end {}\n", content_hash(body));
  std::string why;
  const auto table = lubrication::FilmTable::of_text(body, why);
  if (!table) {
    if (why.empty()) throw Contradiction("a film table is refused without a reason");
    return;
  }
  for (const double eps : {0.0, 0.3, 0.999, 0.9999})
    for (const double w : {-1.0, -0.2, 0.0, 0.7, 1.0})
      static_cast<void>(table->at(eps, w, std::sqrt(1 - w * w)));
}

bool same(const XmlElement& a, const XmlElement& b) {
  if (a.name != b.name || a.attributes != b.attributes || a.children.size() != b.children.size())
    return false;
  for (std::size_t i = 0; i < a.children.size(); ++i)
    if (!same(a.children[i], b.children[i])) return false;
  return a.text == b.text;
}

void run_xml(std::string_view text) {
  std::string why;
  const auto root = read_xml(text, why);
  if (!root) {
    if (why.empty()) throw Contradiction("an XML text is refused without a reason");
    return;
  }
  const auto again = read_xml(to_xml(*root), why);
  if (!again || !same(*root, *again)) throw Contradiction("an XML text written anew reads otherwise: " + why);
}

const Registration<FuzzTarget> matrices{{.name = "matrices",
                                         .help = "integrals of flexible bodies in HDF5 files",
                                         .examples = {},
                                         .run = run_matrices,
                                         .words = {"\n",
                                                   " : ",
                                                   "mass",
                                                   "first_moment",
                                                   "inertia",
                                                   "p",
                                                   "X/xy",
                                                   "S/xx",
                                                   "S/yy",
                                                   "S/zz",
                                                   "S/xy",
                                                   "S/yx",
                                                   "stiffness",
                                                   "damping",
                                                   "rotary",
                                                   "C/x",
                                                   "X2/xy",
                                                   "interfaces/end/",
                                                   "interfaces/a/",
                                                   "position",
                                                   "translation",
                                                   "rotation",
                                                   "orientation",
                                                   "angle",
                                                   "shift/x",
                                                   "turn/z",
                                                   " f ",
                                                   " i ",
                                                   " s 4 ",
                                                   " g",
                                                   " d",
                                                   " x ",
                                                   " e : ",
                                                   " l : ",
                                                   "/etc/hostname",
                                                   "0",
                                                   "1",
                                                   "2",
                                                   "3",
                                                   "1000",
                                                   "100000",
                                                   "4294967296",
                                                   "18446744073709551615",
                                                   "nan",
                                                   "inf",
                                                   "1e300",
                                                   "-1",
                                                   "1e-300"}}};
const Registration<FuzzTarget> table{{.name = "table",
                                      .help = "tables of prescribed motions",
                                      .examples = {".csv"},
                                      .run = run_table,
                                      .words = {"t", ",", ";", "\n", "\r\n", "#", "t,z\n", "0,0\n", "1,1\n",
                                                "1e308", "-1e308", "1e-320", "nan", "inf", " "}}};
const Registration<FuzzTarget> film{
    {.name = "film",
     .help = "film tables of the cache",
     .examples = {},
     .run = run_film,
     .words = {"\n", "0x1p+0", "-0x1p+0", "0x1p+1023", "0", "4", "1000", "1001", "nan", "inf", "2147483648",
               "tappet film table 2\n", "end"}}};
const Registration<FuzzTarget> xml{{.name = "xml",
                                    .help = "XML, read, written and read again",
                                    .examples = {".urdf"},
                                    .run = run_xml,
                                    .words = {"<a>",
                                              "</a>",
                                              "<a/>",
                                              " b=\"c\"",
                                              " b='c'",
                                              "<!--",
                                              "-->",
                                              "<![CDATA[",
                                              "]]>",
                                              "<?xml version=\"1.0\"?>",
                                              "<!DOCTYPE a [",
                                              "]>",
                                              "&amp;",
                                              "&#65;",
                                              "&#x10ffff;",
                                              "&#x110000;",
                                              "&lt;",
                                              "&none;",
                                              "\xef\xbb\xbf",
                                              "\n",
                                              "/",
                                              ">",
                                              "=",
                                              "\""}}};

}  // namespace
}  // namespace tappet::fuzz::file_targets
