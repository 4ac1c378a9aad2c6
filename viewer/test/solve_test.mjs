// The page of `tappet solve --report` in a real browser: node solve_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, coloursOfScene, finish, launch, open, run } from './browser.mjs';

const [program, , work] = process.argv.slice(2);
const browser = await launch();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const at = (name) => join(work, name);

// A plate that is clamped at one end and carries a head at the other.
writeFileSync(at('plate.yaml'), `tappet: 1
title: A plate with a head
dimension: spatial
gravity: [0, 0, -9.81]
materials: {steel: {young: 2e11, poisson: 0.3, density: 7800}}
bodies:
  plate:
    structure:
      generate: {plate: {size: [1, 0.2], divisions: [20, 4]}}
      material: steel
      section: {thickness: 5 mm}
      fix: {xmin: [x, y, z, rx, ry, rz]}
      attach: {xmax: {body: head}}
  head: {mass: 5, inertia: [0.05, 0.02, 0.05], position: [1.05, 0.1, 0], shapes: {b: {box: {size: [0.1, 0.2, 0.1]}}}}
`);
const said = run(program, 'solve', at('plate.yaml'), '--static', '--modes', '4', '--report', at('plate.html'));
check('solve --report ends by naming the page', said.trimEnd().endsWith(at('plate.html')), said);
const frequencies = [...said.matchAll(/mode \d\s+([\d.]+) Hz/g)].map((found) => Number(found[1]));
check('four modes are printed', frequencies.length === 4, said);

const page = await open(browser, pathToFileURL(at('plate.html')).href);
check('the title is the model’s', (await page.title()).startsWith('A plate with a head'), await page.title());
check('the scene is drawn', (await coloursOfScene(page)) > 12, await coloursOfScene(page));
const cases = await page.locator('.case').allTextContents();
check('equilibrium and four modes are listed', cases.length === 5 && cases[0].includes('static equilibrium'), cases);
check('with the frequencies that were printed', frequencies.every((f, k) => Math.abs(parseFloat(cases[k + 1].split(/mode \d/)[1]) / f - 1) < 1e-3), cases);
check('facts of the equilibrium are shown', (await page.locator('.facts').textContent()).includes('largest von Mises stress'));
check('the equilibrium does not play', await page.locator('.play').isHidden());

// The head goes down with the tip of the plate, and where nothing moved it is back.
const head = () => page.evaluate(() => window.tappet.scene.placeOf('head'));
const deformed = await head();
await page.evaluate(() => window.tappet.player.seek(0));
const undeformed = await head();
check('the head sags', deformed[1] - undeformed[1] > 10, [deformed, undeformed]);
const tip = () => page.evaluate(() => {
  const { scene } = window.tappet, part = scene.mechanism.structures.parts[0], to = part.position.array;
  let most = 0;
  for (let i = 0; i < to.length; i += 3) most = Math.min(most, to[i + 2]);
  return most;
});
await page.evaluate(() => { const { player, scene } = window.tappet; player.seek(player.run.end), scene.draw(); });
check('by a tenth of the size', Math.abs(await tip()) > 0.03 && Math.abs(await tip()) < 0.2, await tip());

await page.locator('.case').nth(1).click();
check('a click chooses a mode', await page.evaluate(() => window.tappet.chosen) === 1);
await page.evaluate(() => { const { player, scene } = window.tappet; player.toggle(false), player.seek(0.25 * player.run.end), scene.draw(); });
const up = await tip();
await page.evaluate(() => { const { player, scene } = window.tappet; player.seek(0.75 * player.run.end), scene.draw(); });
check('half a period later it is on the other side', Math.abs(up - await tip()) > 0.03, [up, await tip()]);
check('colours of a mode are relative', (await page.locator('.legend').textContent()).includes('largest'));
await page.keyboard.press('ArrowDown');
check('keys go through the list', await page.evaluate(() => window.tappet.chosen) === 2);
check('nothing went wrong', page.problems.length === 0, page.problems);
check('nothing was fetched', page.requests.every((url) => url.startsWith('file:') || url.startsWith('blob:') || url.startsWith('data:')), page.requests);
await browser.close();
finish();
