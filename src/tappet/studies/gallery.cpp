#include "tappet/studies/gallery.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include "tappet/base/version.hpp"
#include "tappet/studies/html.hpp"
#include "tappet/studies/reproduce.hpp"

namespace tappet {

namespace {

constexpr char style[] = R"(
:root { color-scheme: light dark; --ink: #1b2430; --paper: #f4f6f8; --panel: #ffffff; --quiet: #66717f; --line: #dde2e8;
  --card: #f1f4f8; --good: #1a7f4b; --half: #9a6700; --bad: #c02f2f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e3e9f0; --paper: #0e1217; --panel: #161c23; --quiet: #93a0ae;
  --line: #2a323c; --card: #1d252e; --good: #4cc38a; --half: #e0b13e; --bad: #ff7b72; } }
* { box-sizing: border-box; }
body { font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--paper); max-width: 62rem; margin: 0 auto;
  padding: 1rem; overflow-wrap: break-word; }
h1 { margin-bottom: 0.2em; } h2 { margin: 3rem 0 0; border-top: 2px solid var(--ink); padding-top: 0.6rem; }
h3 { margin: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 0.8rem; align-items: baseline; }
h3 .number { color: var(--quiet); font-weight: normal; }
p { margin: 0.5rem 0; } .quiet, caption { color: var(--quiet); } a { color: inherit; }
article { margin: 1.5rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
.verdict { font-size: 0.9rem; font-weight: 600; padding: 0 0.6em; border: 1px solid; border-radius: 1em; margin-left: auto; white-space: nowrap; }
.seen { color: var(--good); } .partly { color: var(--half); } .not { color: var(--bad); } .none { color: var(--quiet); }
ul.claims { list-style: none; padding: 0; margin: 0.8rem 0; }
ul.claims li { margin: 0.5rem 0; padding-left: 1.8em; text-indent: -1.8em; } ul.claims li > * { text-indent: 0; }
.mark { display: inline-block; width: 1.8em; font-weight: bold; }
.claims small { display: block; color: var(--quiet); } .claims small.why { color: var(--ink); }
code { font: 0.88em/1.4 ui-monospace, monospace; background: var(--card); border-radius: 4px; padding: 0.05em 0.3em; }
.pictures { display: grid; gap: 0.6rem; margin: 0.8rem 0; }
.pictures.small { grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
img { width: 100%; height: auto; background: #fff; border: 1px solid var(--line); border-radius: 4px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.88rem; font-variant-numeric: tabular-nums; margin: 0.4rem 0; }
th, td { padding: 0.15rem 0.8rem 0.15rem 0; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; } th { font-weight: 600; } td.reason { white-space: normal; text-align: left; }
details { margin: 0.5rem 0; } summary { cursor: pointer; color: var(--quiet); }
.missing dt { float: left; clear: left; width: 5.5rem; color: var(--quiet); } .missing dd { margin: 0 0 0.35rem 5.5rem; }
@media (max-width: 40rem) { article { padding: 0.7rem; } .verdict { margin-left: 0; } }
)";

/// A sentence of a catalogue; what stands between back quotes is code.
std::string prose(const std::string& text) {
  std::string out;
  bool code = false;
  for (const char c : escaped(text)) {
    if (c != '`') {
      out += c;
      continue;
    }
    out += code ? "</code>" : "<code>";
    code = !code;
  }
  return code ? escaped(text) : out;
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += k <= count ? digits[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string five_digits(double value) {
  return std::isnan(value) ? "–" : fmt::format("{:.5g}", value);
}

const char* class_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::seen:
      return "seen";
    case Verdict::partly:
      return "partly";
    case Verdict::not_seen:
    case Verdict::failed:
      return "not";
    default:
      return "none";
  }
}

std::string anchor(const Reproduction& r) {
  std::string number = r.figure->number;
  std::replace(number.begin(), number.end(), ' ', '-');
  return fmt::format("{}-{}", r.document->name, number);
}

/// "Figure 3", "Table 2".
std::string heading(const Reproduction& r) {
  std::string out = r.figure->called();
  out[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(out[0])));
  return out;
}

bool is_made(const Reproduction& r) {
  return r.verdict != Verdict::missing && r.verdict != Verdict::left_out;
}

// ---- a figure

std::string claims_list(const Reproduction& r) {
  std::string out = "<ul class=\"claims\">\n";
  for (std::size_t i = 0; i < r.figure->claims.size(); ++i) {
    const FigureClaim& claim = r.figure->claims[i];
    const Judgement none, &judgement = i < r.judgements.size() ? r.judgements[i] : none;
    const bool open = claim.holds.empty() || !judgement.decided || judgement.open();
    out += fmt::format("<li><span class=\"mark {}\" role=\"img\" aria-label=\"{}\">{}</span>{}\n",
                       open              ? "none"
                       : judgement.holds ? "seen"
                                         : "not",
                       open              ? "not decided"
                       : judgement.holds ? "seen"
                                         : "not seen",
                       open              ? "?"
                       : judgement.holds ? "✓"
                                         : "✗",
                       escaped(claim.says));
    if (claim.holds.empty()) {
      out += fmt::format("<small>Not examined: {}</small></li>\n", escaped(claim.unchecked));
      continue;
    }
    std::vector<std::string> terms;
    for (const auto& [name, value] : judgement.terms)
      terms.push_back(fmt::format("{} = {}", escaped(name), five_digits(value)));
    out += fmt::format("<small><code>{}</code>{}{}{}</small></li>\n", escaped(claim.holds),
                       terms.empty() ? "" : ": ", fmt::join(terms, ", "),
                       std::isnan(judgement.confidence)
                           ? ""
                           : fmt::format("; holds in {:.1f} % of the ensembles drawn anew, {:g} % are needed",
                                         100 * judgement.confidence, 100 * enough_confidence));
    if (const std::string why = reason_of(claim, judgement); !why.empty())
      out.insert(out.size() - std::string("</li>\n").size(),
                 fmt::format("<small class=\"why\">Why not: {}</small>", prose(why)));
  }
  return out + "</ul>\n";
}

std::string pictures(const Reproduction& r, const std::string& folder) {
  std::string out;
  for (const bool small : {false, true}) {
    std::string group;
    for (const MadePicture& picture : r.pictures)
      if (picture.small == small)
        group +=
            fmt::format("<img loading=\"lazy\" alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n",
                        escaped(picture.alt), base64(contents(std::filesystem::path(folder) / picture.file)));
    if (!group.empty())
      out += fmt::format("<div class=\"pictures{}\">\n{}</div>\n", small ? " small" : "", group);
  }
  return out;
}

std::string numbers_table(const Reproduction& r) {
  const NumberTable& table = r.numbers;
  if (table.runs.empty()) return "";
  std::string out = "<div class=\"wide\"><table>\n<tr><th>run</th>";
  for (std::size_t j = 0; j < table.names.size(); ++j)
    out += fmt::format("<th>{}{}</th>", escaped(table.names[j]),
                       table.units[j].empty() ? "" : fmt::format(" [{}]", escaped(table.units[j])));
  out += "</tr>\n";
  for (std::size_t i = 0; i < table.runs.size(); ++i) {
    out += fmt::format("<tr><td>{}</td>", escaped(table.runs[i]));
    if (table.failed[i])
      out += fmt::format("<td class=\"reason\" colspan=\"{}\">failed: {}</td>",
                         std::max<std::size_t>(1, table.names.size()), escaped(r.run_reasons[i]));
    else
      for (std::size_t j = 0; j < table.names.size(); ++j) {
        const double half = table.half_width(i, j);
        out += fmt::format("<td>{}{}</td>", five_digits(table.values[i][j]),
                           std::isnan(half) ? "" : fmt::format(" ± {:.2g}", half));
      }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string how_made(const Reproduction& r) {
  std::string out = "<p>";
  for (std::size_t i = 0; i < r.tables.size(); ++i)
    out += fmt::format("{0}<a href=\"{1}\">{1}</a>", i > 0 ? " · " : "Data: ", escaped(r.tables[i]));
  out +=
      "</p>\n<div class=\"wide\"><table>\n<tr><th>run</th><th style=\"text-align: left\">what is "
      "run</th></tr>\n";
  for (const FigureRun& run : r.figure->runs) {
    std::string what = run.curve ? "the law's own curve"
                                 : std::filesystem::path(run.model_file).parent_path().filename().string() +
                                       "/" + std::filesystem::path(run.model_file).filename().string();
    std::vector<std::string> settings = run.settings;
    if (r.quick) settings.insert(settings.end(), r.figure->quick.begin(), r.figure->quick.end());
    for (const std::string& setting : settings) what += fmt::format(" --set '{}'", setting);
    out += fmt::format("<tr><td>{}</td><td class=\"reason\"><code>{}</code></td></tr>\n", escaped(run.name),
                       escaped(what));
  }
  return out + "</table></div>\n";
}

std::string article(const Reproduction& r, const std::string& folder) {
  std::string out = fmt::format(
      "<article id=\"{}\">\n<h3><span class=\"number\">{}</span> {} <span class=\"verdict "
      "{}\">{}</span></h3>\n",
      escaped(anchor(r)), escaped(heading(r)), escaped(r.figure->title), class_of(r.verdict),
      text_of(r.verdict));
  if (r.verdict == Verdict::failed)
    out += fmt::format("<p class=\"not\">It could not be made: {}</p>\n", escaped(r.reason));
  if (r.quick) out += "<p class=\"half\">Made with the short settings of <code>--quick</code>.</p>\n";
  out += claims_list(r);
  if (!r.figure->note.empty()) out += fmt::format("<p class=\"quiet\">{}</p>\n", prose(r.figure->note));
  for (const std::string& fault : r.faults) out += fmt::format("<p class=\"not\">{}</p>\n", escaped(fault));
  out += pictures(r, folder);
  out += fmt::format("<details{}><summary>Numbers of the runs</summary>\n{}</details>\n",
                     r.numbers.runs.size() <= 1 ? " open" : "", numbers_table(r));
  out += fmt::format(
      "<details><summary>Data, and how it was made ({})</summary>\n"
      "<p><code>tappet reproduce {} --figure {}</code></p>\n{}</details>\n</article>\n",
      r.seconds < 10 ? fmt::format("{:.2g} s", r.seconds) : fmt::format("{:.0f} s", r.seconds),
      escaped(r.document->name),
      escaped(r.figure->table ? fmt::format("'{}'", r.figure->number) : r.figure->number), how_made(r));
  return out;
}

// ---- the page

struct Counts {
  std::map<Verdict, std::size_t> by;
  std::size_t all = 0;
  void add(Verdict verdict) { ++by[verdict], ++all; }
  std::size_t of(Verdict verdict) const { return by.contains(verdict) ? by.at(verdict) : 0; }
};

constexpr Verdict columns[] = {Verdict::seen,   Verdict::partly,  Verdict::not_seen,
                               Verdict::failed, Verdict::missing, Verdict::left_out};

std::string overview(const std::vector<Reproduction>& figures) {
  std::vector<std::pair<const Catalogue*, Counts>> documents;
  Counts all;
  for (const Reproduction& r : figures) {
    if (documents.empty() || documents.back().first != r.document) documents.push_back({r.document, {}});
    documents.back().second.add(r.verdict);
    all.add(r.verdict);
  }
  std::string out = "<div class=\"wide\"><table>\n<tr><th>document</th>";
  for (const Verdict verdict : columns)
    if (all.of(verdict) > 0)
      out += fmt::format("<th class=\"{}\">{}</th>", class_of(verdict), text_of(verdict));
  out += "<th>figures and tables</th></tr>\n";
  const auto row = [&](const std::string& name, const Counts& counts) {
    out += fmt::format("<tr><td>{}</td>", name);
    for (const Verdict verdict : columns)
      if (all.of(verdict) > 0) out += fmt::format("<td>{}</td>", counts.of(verdict));
    out += fmt::format("<td>{}</td></tr>\n", counts.all);
  };
  for (const auto& [document, counts] : documents)
    row(fmt::format("<a href=\"#{0}\">{0}</a>", escaped(document->name)), counts);
  if (documents.size() > 1) row("all", all);
  return out + "</table></div>\n";
}

/// Figures that are not made: what they are and why.
std::string left_out(const std::vector<const Reproduction*>& figures) {
  if (figures.empty()) return "";
  std::string out = "<h3>Not made</h3>\n<dl class=\"missing\">\n";
  for (const Reproduction* r : figures) {
    const std::string why = r->verdict == Verdict::left_out
                                ? "left out by --quick: it takes longer than some seconds"
                                : r->figure->missing;
    out += fmt::format("<dt id=\"{}\">{}</dt><dd>{} <span class=\"quiet\">— {}</span></dd>\n",
                       escaped(anchor(*r)), escaped(heading(*r)), escaped(r->figure->title), escaped(why));
  }
  return out + "</dl>\n";
}

std::string document_part(const Catalogue& document, const std::vector<Reproduction>& figures,
                          const std::string& folder) {
  std::string out =
      fmt::format("<h2 id=\"{0}\">{0}</h2>\n<p>{1}: <cite>{2}</cite>. {3}</p>\n", escaped(document.name),
                  escaped(document.authors), escaped(document.title), escaped(document.published));
  std::vector<const Reproduction*> others;
  std::string links, articles;
  for (const Reproduction& r : figures) {
    if (r.document != &document) continue;
    if (!is_made(r)) {
      others.push_back(&r);
      continue;
    }
    links += fmt::format(" <a class=\"{}\" href=\"#{}\" title=\"{}: {}\">{}</a>", class_of(r.verdict),
                         escaped(anchor(r)), escaped(r.figure->title), text_of(r.verdict),
                         escaped(r.figure->number));
    articles += article(r, folder);
  }
  if (!links.empty()) out += fmt::format("<p class=\"quiet\">Figures{}</p>\n", links);
  return out + articles + left_out(others);
}

}  // namespace

std::string gallery_page(const std::vector<Reproduction>& figures, const std::string& folder) {
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">\n<meta name=\"generator\" "
      "content=\"Tappet\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>Figures of the documents, made anew</title>\n<style>{}</style></head>\n<body>\n"
      "<h1>Figures of the documents, made anew</h1>\n"
      "<p class=\"quiet\">by Tappet {}. What a document says about a figure stands behind a mark, in our "
      "words; below it the "
      "condition on the runs' numbers that decides whether we see it, and what the numbers were. A figure is "
      "<span "
      "class=\"seen\">seen</span> if all conditions hold, <span class=\"partly\">partly seen</span> if some "
      "do, <span "
      "class=\"not\">not seen</span> if none does.</p>\n",
      style, version());
  out += overview(figures);
  const Catalogue* last = nullptr;
  for (const Reproduction& r : figures) {
    if (r.document != last) out += document_part(*r.document, figures, folder);
    last = r.document;
  }
  return out + "</body>\n</html>\n";
}

}  // namespace tappet
