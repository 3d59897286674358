// SPDX-License-Identifier: MIT
// HTML frame and style.
#include "page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/html.hpp"
#include "percent.hpp"

namespace term {
namespace {

constexpr const char* kStyle = R"(
:root{color-scheme:light dark;--line:#d5dadf;--soft:#f4f6f8;--bar:#3b76b8;--text:#1d2328;
--back:#fff}
@media(prefers-color-scheme:dark){:root{--line:#39424b;--soft:#20262c;--bar:#5b9bd5;--text:#e4e8ec;
--back:#14181c}}
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:1.5rem auto;padding:0 1rem;
color:var(--text);background:var(--back);overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.2rem;margin-top:2rem}
.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;width:100%}
th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line);
vertical-align:top}
td.n,th.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
td.bar{min-width:8rem}td.bar div{background:var(--bar);height:.7rem;border-radius:2px;
min-width:1px}
td.bar span{font-size:.85rem}
.total{font-size:2rem;margin:.5rem 0}.note{background:var(--soft);padding:.3rem .7rem;margin:.4rem 0}
details{margin:.6rem 0}summary{cursor:pointer;font-weight:600}
.bins{display:flex;align-items:flex-end;gap:3px;height:9rem;margin:1rem 0 0}
.bins div{flex:1;background:var(--bar);min-height:1px;position:relative}
.bins div span{position:absolute;top:-1.35rem;width:100%;text-align:center;font-size:.8rem}
.axis{display:flex;gap:3px;font-size:.75rem}.axis div{flex:1;text-align:center}
@media print{body{margin:0;max-width:none}details::details-content{content-visibility:visible}
tr{break-inside:avoid}}
)";

}  // namespace

std::string page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<title>{0}</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n{2}</body></html>\n",
      base::html_escaped(std::string(title)), kStyle, body);
}

std::string list(const std::vector<std::string>& lines) {
  std::string html = "<ul>\n";
  for (const std::string& line : lines) html += "<li>" + base::html_escaped(line) + "</li>\n";
  return html + "</ul>\n";
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", kPercent * share);
}

std::string bar(double share) {
  return fmt::format("<td class=\"bar\"><div style=\"width:{:.1f}%\"></div><span>{}</span></td>",
                     kPercent * std::clamp(share, 0.0, 1.0), percent(share));
}

}  // namespace term
