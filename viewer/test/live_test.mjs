// The page of scripts/make_live in a real browser: node live_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, finish, launch, openPage, run } from './browser.mjs';

const [program, source, work] = process.argv.slice(2);
const file = process.env.TAPPET_LIVE ?? join(source, 'build/live/live.html');
if (!existsSync(file)) {
  console.log(`skipped: there is no ${file}; scripts/make_live makes it`);
  process.exit(77);
}
const browser = await launch();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

check('one file of less than 5 MB', statSync(file).size < 5e6, statSync(file).size);
const page = await openPage(browser, pathToFileURL(file).href);
const finished = (runs) => page.waitForFunction((n) => window.live.finished >= n, runs, { timeout: 120000 });
await finished(1);
check('the run ends well', (await page.locator('#status').getAttribute('class')) !== 'bad', await page.locator('#status').textContent());

// ---- a slider: the picture follows within 200 ms -------------------------------------------------------------------
// Where others want the processor as well, frames of a page at rest come late, and times say nothing of this page.
const frame = await page.evaluate(async () => {
  const begin = performance.now();
  for (let i = 0; i < 30; i += 1) await new Promise(requestAnimationFrame);
  return (performance.now() - begin) / 30;
});
const moves = await page.evaluate(async () => {
  const slider = document.getElementById('clearance'), out = [];
  for (const value of [0.3, 0.42, 0.1, 0.77, 0.5]) {
    const drawn = window.live.drawn, finished = window.live.finished, begin = performance.now();
    const before = document.getElementById('orbit').toDataURL();
    slider.value = value;
    slider.dispatchEvent(new Event('input'));
    while (window.live.drawn === drawn) await new Promise(requestAnimationFrame);
    const first = performance.now() - begin;
    while (window.live.finished === finished) await new Promise((resolve) => setTimeout(resolve));
    out.push({ value, first, whole: performance.now() - begin, changed: document.getElementById('orbit').toDataURL() !== before });
  }
  return out;
});
console.log(moves.map(({ value, first, whole }) => `clearance ${value} mm: drawn after ${first.toFixed(0)} ms, all of it after ${whole.toFixed(0)} ms`).join('\n'));
if (frame > 25) console.log(`a frame takes ${frame.toFixed(0)} ms: the machine is too busy to time the page`);
else check('a move is drawn within 200 ms', moves.map(({ first }) => first).sort((a, b) => a - b)[2] < 200, moves);
check('every move changes the orbit', moves.every(({ changed }) => changed), moves);
check('the orbit fills the play that was asked for', await page.evaluate(() => {
  const { run } = window.live;
  const largest = Math.max(...run.column('wrist.ex').map((x, i) => Math.hypot(x, run.column('wrist.ey')[i])));
  return largest > 0.5e-3 && largest < 0.6e-3;
}));

// ---- every law, and both ends of every slider -----------------------------------------------------------------------
for (const [id, ends] of [['law', ['hunt-crossley', 'flores', 'hertz', 'lankarani-nikravesh']], ...['clearance', 'speed', 'restitution', 'friction'].map((name) => [name, ['min', 'max', 'value']])]) {
  for (const end of ends) {
    const runs = await page.evaluate(([name, place]) => {
      const control = document.getElementById(name), runs = window.live.finished;
      control.value = name === 'law' ? place : place === 'value' ? control.getAttribute('value') : control[place];
      control.dispatchEvent(new Event('input'));
      return runs;
    }, [id, end]);
    await finished(runs + 1);
    check(`${id} ${end} runs`, !(await page.locator('#status').getAttribute('class')), await page.locator('#status').textContent());
    check(`${id} ${end}: without a law's restitution its slider rests`, (await page.locator('#restitution').isDisabled()) === (end === 'hertz'));
  }
}

// ---- what the page says to try ------------------------------------------------------------------------------------
const impactsAfter = (list, begin) => page.evaluate(([settings, from]) => {
  const one = new window.live.Run(window.live.solver, window.live.models.clearance, ['simulation.duration=36 ms', ...settings]);
  while (one.running) one.advance(10000);
  return one.impacts.filter(({ start }) => start > from).length;
}, [list, begin]);
check('0.05 mm: it stays on its bearing', (await impactsAfter(['joints.wrist.clearance.journal_radius=9.95 mm'], 0.012)) === 0);
check('friction of 0.3 calms it', (await impactsAfter(['joints.wrist.clearance.friction.coefficient=0.3'], 0.012)) === 0);
check("Hertz' law: it goes on", (await impactsAfter(['joints.wrist.clearance.normal={law: hertz}'], 0.024)) > 10);

// ---- the same numbers as the program --------------------------------------------------------------------------------
/** Columns by name, of a CSV file with units in its heading. */
function table(text) {
  const [head, ...rows] = text.trim().split('\n').map((line) => line.split(','));
  return new Map(head.map((name, i) => [name.replace(/ \[.*/, ''), rows.map((row) => Number(row[i]))]));
}
const compared = [
  ['ideal', []],
  ['clearance', ['simulation.duration=24 ms']],
  ['clearance', ['simulation.duration=24 ms', 'simulation.integrator=dopri5', 'joints.wrist.clearance.normal={law: flores, restitution: 0.6}']],
  ['clearance', ['simulation.duration=12 ms', 'simulation.method=moreau', 'simulation.step=10 us', 'joints.wrist.clearance.friction={law: coulomb, coefficient: 0.03}']],
];
for (const [name, settings] of compared) {
  const result = join(work, `${name}.h5`);
  run(program, 'run', join(source, `examples/slider_crank/${name}.yaml`), '-o', result, '-q', ...settings.flatMap((s) => ['--set', s]));
  run(program, 'export', result, '-o', join(work, `${name}.csv`), '-q');
  const native = table(readFileSync(join(work, `${name}.csv`), 'utf8'));
  const live = await page.evaluate(([model, list]) => {
    const one = new window.live.Run(window.live.solver, window.live.models[model], list);
    while (one.running) one.advance(10000);
    return { columns: one.columns.map(({ name: column }) => column), values: one.values, impacts: one.impacts.length };
  }, [name, settings]);
  let worst = [-1, '', 0];
  live.columns.forEach((column, i) => {
    const own = native.get(column);
    check(`${name}: the program has ${column}`, own?.length === live.values[i].length, [own?.length, live.values[i].length]);
    if (!own) return;
    const size = Math.max(...own.map(Math.abs), 1e-300);
    own.forEach((value, row) => {
      const off = Math.abs(value - live.values[i][row]) / size;
      if (!(off <= worst[0])) worst = [Number.isNaN(off) ? Infinity : off, column, native.get('time')[row]];
    });
  });
  console.log(`${name}: ${live.columns.length} signals, ${live.values[0].length} samples, ${live.impacts} impacts; off by ${worst[0].toExponential(1)} of the largest value at most (${worst[1]}, t = ${worst[2]} s)`);
  check(`${name}: equal to 1e-9`, worst[0] < 1e-9, worst);
}

// ---- what is not in the page says so ------------------------------------------------------------------------------
const refused = (settings) => page.evaluate((list) => {
  try {
    new window.live.Run(window.live.solver, window.live.models.clearance, list);
    return '';
  } catch (fault) { return fault.message; }
}, settings);
check('integrators of SUNDIALS', (await refused(['simulation.integrator=bdf'])).includes("'bdf' needs SUNDIALS, which the solver in this page has not"), await refused(['simulation.integrator=bdf']));
check('a mistake is told as by the program', (await refused(['bodies.crank.mass=-1 kg'])).includes('mass'), await refused(['bodies.crank.mass=-1 kg']));
check('an unknown unit', (await refused(['bodies.crank.mass=1 furlong'])).includes("unknown unit 'furlong'"), await refused(['bodies.crank.mass=1 furlong']));

check('nothing is fetched', page.requests.every((address) => address.startsWith('file:') || address.startsWith('data:') || address.startsWith('blob:')), page.requests.map((r) => r.slice(0, 60)));
check('nothing goes wrong in it', page.problems.length === 0, page.problems);
writeFileSync(join(work, 'live.png'), await page.screenshot({ fullPage: true }));
for (const [name, options] of [['phone', { viewport: { width: 390, height: 800 } }], ['dark', { colorScheme: 'dark' }]]) {
  const other = await openPage(browser, pathToFileURL(file).href, options);
  await other.waitForFunction(() => window.live.finished >= 1, undefined, { timeout: 120000 });
  writeFileSync(join(work, `${name}.png`), await other.screenshot({ fullPage: true }));
  check(`${name}: no sideways scrolling`, await other.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
}
check('the command below the pictures is one of the program', (await page.locator('#command').textContent()).startsWith('tappet run examples/slider_crank/clearance.yaml'));
await browser.close();
finish();
