// The page of a comparison: figures, picture, impacts, and how long the variants agree.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "tappet/base/version.hpp"
#include "tappet/studies/compare.hpp"
#include "tappet/studies/html.hpp"
#include "tappet/studies/page_style.hpp"

namespace tappet {

namespace {

constexpr std::size_t shown_impacts = 20;
/// Of the time between two impacts: how far an impact may be off to count as the same.
constexpr double same = 0.05;

std::string cell(const std::string& text) {
  return fmt::format("<td>{}</td>", escaped(text));
}

std::string figures_table(const Comparison& c) {
  std::string out = "<table>\n<tr><th></th>";
  for (const ComparedVariant& v : c.variants) out += fmt::format("<th>{}</th>", escaped(v.name));
  out += "</tr>\n";
  const auto add = [&](const std::string& name, auto value) {
    out += fmt::format("<tr><th>{}</th>", escaped(name));
    for (const ComparedVariant& v : c.variants) out += cell(v.reason.empty() ? value(v) : "failed");
    out += "</tr>\n";
  };
  for (std::size_t i = 0; i < c.figures.size(); ++i)
    add(c.figures[i].unit.empty() ? c.figures[i].name
                                  : fmt::format("{} [{}]", c.figures[i].name, c.figures[i].unit),
        [&](const ComparedVariant& v) {
          return std::isnan(v.values[i]) ? std::string() : fmt::format("{:.5g}", v.values[i]);
        });
  add("impacts", [](const ComparedVariant& v) { return fmt::format("{}", v.recording.impacts.size()); });
  add("energy residual",
      [](const ComparedVariant& v) { return fmt::format("{:.1e}", v.summary.energy_residual); });
  add("steps", [](const ComparedVariant& v) { return fmt::format("{}", v.summary.steps); });
  add("evaluations", [](const ComparedVariant& v) { return fmt::format("{}", v.summary.evaluations); });
  add("wall time [s]",
      [](const ComparedVariant& v) { return fmt::format("{:.2g}", v.summary.wall_seconds); });
  out += "</table>\n";
  for (const ComparedVariant& v : c.variants)
    if (!v.reason.empty())
      out += fmt::format("<p class=\"bad\">{} failed: {}</p>\n", escaped(v.name), escaped(v.reason));
  return out;
}

bool has_impacts(const ComparedVariant& v) {
  return v.reason.empty() && !v.recording.impacts.empty();
}

/// In the order in which they began: a table is written as contacts end.
std::vector<Impact> in_order(const ComparedVariant& v) {
  std::vector<Impact> out = v.recording.impacts;
  std::stable_sort(out.begin(), out.end(),
                   [](const Impact& a, const Impact& b) { return a.start < b.start; });
  return out;
}

std::string impacts_table(const Comparison& c) {
  std::string head = "<tr><th></th>", names = "<tr><th></th>";
  std::vector<std::vector<Impact>> impacts;
  std::size_t rows = 0;
  for (const ComparedVariant& v : c.variants) {
    if (!has_impacts(v)) continue;
    impacts.push_back(in_order(v));
    rows = std::max(rows, std::min(impacts.back().size(), shown_impacts));
    names += fmt::format("<th colspan=4>{}</th>", escaped(v.name));
    head += "<th>t [ms]</th><th>in [m/s]</th><th>out [m/s]</th><th>impulse [N s]</th>";
  }
  if (rows == 0) return "";
  std::string out = "<table>\n" + names + "</tr>\n" + head + "</tr>\n";
  for (std::size_t n = 0; n < rows; ++n) {
    out += fmt::format("<tr><th>{}</th>", n + 1);
    for (const auto& own : impacts) {
      if (n >= own.size()) {
        out += "<td></td><td></td><td></td><td></td>";
        continue;
      }
      out += cell(fmt::format("{:.6g}", 1e3 * own[n].start)) + cell(fmt::format("{:.4g}", own[n].speed_in)) +
             cell(std::isnan(own[n].speed_out) ? "" : fmt::format("{:.4g}", own[n].speed_out)) +
             cell(fmt::format("{:.4g}", own[n].impulse));
    }
    out += "</tr>\n";
  }
  return out + "</table>\n";
}

/// How many of the first impacts are the same.
std::size_t agreement(const std::vector<Impact>& a, const std::vector<Impact>& b) {
  const std::size_t n = std::min(a.size(), b.size());
  std::size_t k = 0;
  for (double before = 0; k < n; ++k) {
    const double between = a[k].start - before;
    if (a[k].contact != b[k].contact || std::abs(a[k].start - b[k].start) > same * between) break;
    before = a[k].start;
  }
  return k;
}

// Against the variant whose impacts are located exactly, or else the first.
std::string agreements(const Comparison& c) {
  const ComparedVariant* reference = nullptr;
  for (const ComparedVariant& v : c.variants)
    if (has_impacts(v) && (!reference || v.name == "event-driven")) reference = &v;
  if (!reference) return "";
  const std::vector<Impact> exact = in_order(*reference);
  std::string out;
  for (const ComparedVariant& v : c.variants) {
    if (&v == reference || !has_impacts(v)) continue;
    const std::vector<Impact> own = in_order(v);
    const std::size_t k = agreement(exact, own);
    if (k == exact.size() && k == own.size())
      out += fmt::format(
          "<li>{} and {} agree: all {} impacts come within {:g} % of the time between them.</li>\n",
          escaped(v.name), escaped(reference->name), k, 100 * same);
    else if (k == 0)
      out += fmt::format("<li>{} and {} differ from the first impact on.</li>\n", escaped(v.name),
                         escaped(reference->name));
    else
      out += fmt::format(
          "<li>{} and {} agree over the first {} impacts, until {:.4g} ms: each comes within {:g} % of the "
          "time since the one before. Then they "
          "part.</li>\n",
          escaped(v.name), escaped(reference->name), k, 1e3 * exact[k - 1].start, 100 * same);
  }
  return out.empty() ? "" : "<ul>\n" + out + "</ul>\n";
}

}  // namespace

std::string comparison_page(const Comparison& c, const std::string& picture) {
  const auto panel = [](const char* title, const std::string& body, const char* more = "") {
    return body.empty() ? std::string()
                        : fmt::format(
                              "<section class=\"panel\"><header><h2>{}</h2></header><div "
                              "class=\"body{}\">\n{}</div></section>\n",
                              title, more, body);
  };
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"Tappet\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, "
      "initial-scale=1\">\n<title>{0}</title>\n<style>{1}</style>\n"
      "<h1>{0}</h1>\n<p class=\"quiet\">{2} · {3} variants · Tappet {4}</p>\n",
      escaped(c.title.empty() ? c.model : c.title), page_style, escaped(c.model), c.variants.size(),
      version());
  // The picture without the declarations that stand before it in a file of its own.
  if (const std::size_t begin = picture.find("<svg"); begin != std::string::npos)
    out += panel("Signals", picture.substr(begin) + "\n", " picture");
  out += panel("Figures", figures_table(c));
  out += panel("Where they agree", agreements(c));
  std::string caveats;
  for (const std::string& sentence : c.caveats) caveats += fmt::format("<li>{}</li>\n", escaped(sentence));
  if (!caveats.empty()) out += panel("Where they cannot", "<ul>\n" + caveats + "</ul>\n");
  return out + panel("The first impacts", impacts_table(c)) + "</html>\n";
}

}  // namespace tappet
