// The page of `tappet reproduce` in a real browser: node gallery_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, finish, launch, openPage, run } from './browser.mjs';

const [program, source, work] = process.argv.slice(2);
const browser = await launch();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const at = (name) => join(work, name);

const open = (name, options = {}) =>
  openPage(browser, pathToFileURL(at(name)).href, { viewport: { width: 1200, height: 900 }, ...options });

// ---- figures of a document ------------------------------------------------------------------------------------------
run(program, 'reproduce', 'giesbers-2012', '--figure', '1', '--figure', '2', '--figure', '3', '-o', at('out'));
let page = await open('out/index.html');
check('two figures are shown', (await page.locator('article').count()) === 2);
check('the third is listed with its reason', (await page.locator('.missing dd').textContent()).includes('tree of oriented boxes'));
check('verdicts are those of the runs', (await page.locator('article .verdict').allTextContents()).every((text) => text === 'seen'));
check('every claim has its mark and condition', (await page.locator('.claims li').count()) === (await page.locator('.claims li code').count()));
await page.evaluate(async () => {
  for (const picture of document.images) picture.loading = 'eager';
  await Promise.all([...document.images].map((picture) => picture.decode()));
});
const sizes = await page.evaluate(() => [...document.images].map((picture) => [picture.naturalWidth, picture.width, picture.alt.length]));
check('its pictures are drawn, with words for those who do not see them', sizes.length === 3 && sizes.every(([natural, shown, words]) => natural > 300 && shown > 200 && words > 5), sizes);
await page.locator('article details').last().locator('summary').click();
check('it says how a figure was made', (await page.locator('article details[open] code').last().isVisible()));
await page.click('a[href="#giesbers-2012-3"]');
check('links lead to figures', await page.evaluate(() => Math.abs(document.getElementById('giesbers-2012-3').getBoundingClientRect().top) < 900));
check('nothing is fetched', page.requests.every((address) => address.startsWith('file:') || address.startsWith('data:')), page.requests.map((r) => r.slice(0, 60)));
check('nothing goes wrong in it', page.problems.length === 0, page.problems);

const narrow = await open('out/index.html', { viewport: { width: 390, height: 800 } });
check('a phone need not scroll sideways', await narrow.evaluate(() => document.documentElement.scrollWidth <= 390), await narrow.evaluate(() => document.documentElement.scrollWidth));
const dark = await open('out/index.html', { colorScheme: 'dark' });
check('it is dark where that is wanted', await dark.evaluate(() => getComputedStyle(document.body).backgroundColor) === 'rgb(14, 18, 23)');

// ---- a catalogue of somebody's own: its words stay words ------------------------------------------------------------
const script = "<script>alert('no')</script>";
writeFileSync(at('mine.yaml'), JSON.stringify({
  catalogue: 1, title: script, authors: script, published: script,
  figures: {
    1: {
      title: script, note: `${script} \`code\``, model: join(source, 'examples/pendulum/pendulum.yaml'), set: ['simulation.duration=0.1 s'],
      numbers: { steps: 'run.steps', kinetic: 'max(energy.kinetic)' },
      plots: { energy: { y: ['energy.kinetic'], title: script } },
      claims: { moves: { says: script, holds: 'kinetic > 1e9' } },
    },
    2: { title: script, missing: script },
  },
}));
run(program, 'reproduce', at('mine.yaml'), '-o', at('mine'));
page = await open('mine/index.html');
check('no word of a catalogue is run', page.problems.length === 0 && (await page.locator('script').count()) === 0, page.problems);
check('what is not so is not seen', (await page.locator('article .verdict').textContent()) === 'not seen');
check('words between back quotes are code', (await page.locator('article p code').first().textContent()) === 'code');
await browser.close();
finish();
