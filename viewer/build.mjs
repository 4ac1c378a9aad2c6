// Bundles the viewer into one HTML page, and that into a C++ source: node build.mjs OUTPUT_FOLDER
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? here;

const bundled = await build({
  entryPoints: [join(here, 'src/main.ts')],
  bundle: true,
  minify: true,
  write: false,
  format: 'iife',
  target: ['chrome100', 'firefox100', 'safari15'],
  legalComments: 'inline',
  charset: 'utf8',
  outdir: out,
});
const text = (ending) => bundled.outputFiles.find((file) => file.path.endsWith(ending)).text;

// Functions as replacements: the text may contain "$&".
const page = readFileSync(join(here, 'src/page.html'), 'utf8')
  .replace('__STYLE__', () => text('.css'))
  .replace('__SCRIPT__', () => text('.js').replaceAll('</script', '<\\/script'));
if (page.split('__TAPPET_DATA__').length !== 2) throw new Error('the page needs exactly one place for its data');
writeFileSync(join(out, 'page.html'), page);

// A raw string each 8 kB, which every compiler takes.
const pieces = page.match(/[\s\S]{1,8000}/gu);
writeFileSync(join(out, 'viewer_page.cpp'), `// Made by viewer/build.mjs.
#include "tappet/results/viewer_page.hpp"

namespace tappet {
namespace {
constexpr char page[] =
${pieces.map((piece) => `R"tappet#(${piece})tappet#"`).join('\n')};
}  // namespace
std::string_view viewer_page() {
  return {page, sizeof page - 1};
}
}  // namespace tappet
`);
