// The look of the report, for pages that studies write: its colours, letters and panels, light and dark.
#pragma once

namespace tappet {

inline constexpr char page_style[] = R"(
:root { color-scheme: light dark; --page: #f4f6f8; --panel: #ffffff; --line: #dde2e8; --text: #1b2430; --quiet: #66717f;
  --soft: #f1f4f8; --good: #1a7f4b; --fair: #9a6700; --bad: #c02f2f; }
@media (prefers-color-scheme: dark) { :root { --page: #0e1217; --panel: #161c23; --line: #2a323c; --text: #e3e9f0;
  --quiet: #93a0ae; --soft: #1d252e; --good: #4cc38a; --fair: #e0b13e; --bad: #ff7b72; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1100px; padding: 14px 16px 24px; background: var(--page); color: var(--text);
  font: 14px/1.45 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 21px; font-weight: 650; letter-spacing: -.01em; margin: 0; }
h2 { font-size: 13px; font-weight: 650; margin: 0; }
p { margin: .4em 0; } .quiet, small, caption { color: var(--quiet); font-size: 12.5px; } a { color: inherit; }
.panel { background: var(--panel); border: 1px solid var(--line); border-radius: 10px; margin: 14px 0; overflow: hidden; }
.panel > header { padding: 9px 12px; border-bottom: 1px solid var(--line); }
.panel > .body { padding: 10px 12px; overflow-x: auto; }
table { border-collapse: collapse; font-size: 12.5px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; font-weight: 400; }
tr:first-child th { font-weight: 650; } th:first-child { text-align: left; color: var(--quiet); padding-left: 0; }
tr:last-child > * { border-bottom: 0; } ul { margin: 0; padding-left: 1.2em; }
.picture { background: #ffffff; } .picture svg { display: block; max-width: 100%; height: auto; margin: 0 auto; }
.bad { color: var(--bad); }
)";

}  // namespace tappet
