// A report in a real browser: node report_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { check, coloursOfScene, finish, launch, open, run } from './browser.mjs';

const [program, source, work] = process.argv.slice(2);
const browser = await launch();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const at = (name) => join(work, name);

// ---- the slider-crank ---------------------------------------------------------------------------------------------
const model = join(source, 'examples/slider_crank/clearance.yaml');
const said = run(program, 'run', model, '--report', '-o', at('crank.h5'));
check('run --report ends by naming the page', said.trimEnd().endsWith(at('crank.html')), said);
check('the page is smaller than 5 MB', statSync(at('crank.html')).size < 5e6, statSync(at('crank.html')).size);

let page = await open(browser, pathToFileURL(at('crank.html')).href);
check('the title is the model’s', (await page.title()).startsWith('Slider-crank with a dry revolute clearance joint'));
check('the scene is drawn', (await coloursOfScene(page)) > 12, await coloursOfScene(page));
check('three plots are drawn', (await page.locator('.signals .uplot').count()) === 3);
check('the crank moment is among them', (await page.locator('.signals .chip').first().textContent()).includes('motor.torque'));
check('warnings are shown', (await page.locator('.remark.fair').first().textContent()).includes('Love'));

// Scrubbing moves the crank by as much as it turns: half a turn of 5000 rpm takes 6 ms.
const crankAt = async (ms) => {
  await page.evaluate((t) => {
    const scrub = document.querySelector('.scrub');
    scrub.value = String(Math.round((t / 240) * Number(scrub.max)));
    scrub.dispatchEvent(new Event('input'));
  }, ms);
  return page.evaluate(() => window.tappet.scene.placeOf('crank'));
};
const [x0, y0] = await crankAt(0), [x1, y1] = await crankAt(3), [x2] = await crankAt(6), [x4] = await crankAt(12);
check('a quarter turn lifts the crank', y0 - y1 > 20 && x0 - x1 > 20, [x0, y0, x1, y1]);
check('half a turn puts it on the other side', x0 - x2 > 40, [x0, x2]);
check('a whole turn brings it back', Math.abs(x4 - x0) < 2, [x0, x4]);
check('the clock shows it', (await page.locator('.time').textContent()).startsWith('12.'), await page.locator('.time').textContent());
const colours = await page.evaluate(() => document.querySelector('.scene canvas').toDataURL());
await crankAt(9);
check('the picture changes', colours !== await page.evaluate(() => { window.tappet.scene.draw(); return document.querySelector('.scene canvas').toDataURL(); }));

// The table sorts, and a click goes to the impact.
const cells = (column) => page.locator(`.rows .row > div:nth-child(${column})`).allTextContents();
const rows = () => page.evaluate(() => [...document.querySelectorAll('.rows .row')].map((row) => Number(row.dataset.row)));
check('the table is in order of time', JSON.stringify((await rows()).slice(0, 4)) === '[0,1,2,3]', await rows());
await page.click('.row.head button[data-key=peak_force]');
const peak = (row) => page.evaluate((i) => window.tappet.player.run.impacts.column.peak_force[i], row);
const falling = await Promise.all((await rows()).map(peak));
check('a click sorts by peak force, the hardest first', falling.length > 5 && falling.every((f, i) => i === 0 || f <= falling[i - 1]), falling);
await page.click('.row.head button[data-key=peak_force]');
const rising = await Promise.all((await rows()).map(peak));
check('another click turns the order', rising.every((f, i) => i === 0 || f >= rising[i - 1]), rising);
check('the header says so', (await page.locator('[aria-sort=ascending]').count()) === 1);
await page.click('.row.head button[data-key=peak_force]');
await page.locator('.rows .row').first().click();
const [time, start, end] = await page.evaluate(() => {
  const { player } = window.tappet, row = Number(document.querySelector('.row.chosen').dataset.row), { column } = player.run.impacts;
  return [player.time, column.start[row], column.end[row]];
});
check('a click on an impact goes to it', time >= start && time <= end, [time, start, end]);
check('forces in table cells carry their unit', /N$/.test((await cells(9))[0]), (await cells(9))[0]);
check('its contact force is drawn', await page.evaluate(() => { window.tappet.scene.draw(); return window.tappet.scene.mechanism.contacts.children.some((a) => a.visible); }));
check('its peak is in the drawn samples', await page.evaluate(() => {
  const { player } = window.tappet, row = Number(document.querySelector('.row.chosen').dataset.row);
  return player.run.value('wrist.normal', player.time) > 0.8 * player.run.impacts.column.peak_force[row];
}));

// Keys.
await page.locator('.scene').focus();
await page.keyboard.press('Home');
check('Home goes to the start', await page.evaluate(() => window.tappet.player.time === 0));
await page.keyboard.press('n');
check('N goes to the first impact', await page.evaluate(() => Math.abs(window.tappet.player.time - window.tappet.player.run.impacts.column.start[0]) < 1e-12));
await page.keyboard.press('a');
await page.keyboard.press(' ');
await page.waitForTimeout(400);
await page.keyboard.press(' ');
check('space plays', await page.evaluate(() => window.tappet.player.time > window.tappet.player.run.impacts.column.start[0] && !window.tappet.player.playing));
await page.keyboard.press('z');
check('Z zooms in', await page.evaluate(() => { const [a, b] = window.tappet.player.window; return Math.abs(b - a - 0.12) < 1e-6; }));

// Any signal can be drawn.
await page.locator('.signals .chips button.small').first().click();
await page.fill('dialog.chooser input[type=search]', 'rod.omega');
await page.check('dialog.chooser .list input');
await page.click('dialog.chooser button.primary');
check('a chosen signal is drawn', (await page.locator('.signals .plot').first().locator('.chip').allTextContents()).some((text) => text.includes('rod.omega')));

// Another report beside this one.
run(program, 'run', model, '--report', '-o', at('flores.h5'), '--set', 'joints.wrist.clearance.normal.law=flores', '--set', 'simulation.duration=24ms', '--quiet');
await page.setInputFiles('input[type=file]', at('flores.html'));
await page.waitForSelector('.comparing .run1');
check('another report is compared', (await page.locator('.comparing .run').allTextContents()).join().includes('flores.h5'));
check('nothing went wrong', page.problems.length === 0, page.problems);
check('nothing was fetched', page.requests.every((url) => url.startsWith('file:')), page.requests);
await page.context().close();

// ---- on a phone, in the dark --------------------------------------------------------------------------------------
page = await open(browser, pathToFileURL(at('crank.html')).href, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
check('nothing sticks out on a phone', await page.evaluate(() => document.documentElement.scrollWidth <= 390), await page.evaluate(() => document.documentElement.scrollWidth));
const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const dark = await background();
await page.keyboard.press('d');
check('D changes dark to light', dark === 'rgb(14, 18, 23)' && (await background()) !== dark, [dark, await background()]);
check('nothing went wrong on the phone', page.problems.length === 0, page.problems);
await page.context().close();

// ---- names that want to be more than names ------------------------------------------------------------------------
const evil = '</script><script>window.caught = 1</script><img src=x onerror="window.caught = 2">';
writeFileSync(at('evil.yaml'), readFileSync(join(source, 'examples/pendulum/pendulum.yaml'), 'utf8').replace(/^title:.*$/m, `title: ${JSON.stringify(evil)}`));
run(program, 'run', at('evil.yaml'), '--report', '-o', at('evil.h5'));
page = await open(browser, pathToFileURL(at('evil.html')).href);
check('a title with a script stays text', (await page.locator('h1').textContent()) === evil, await page.locator('h1').textContent());
check('it does not run', await page.evaluate(() => window.caught === undefined));
check('nothing went wrong there either', page.problems.length === 0, page.problems);

// ---- every example draws ------------------------------------------------------------------------------------------
for (const name of ['andrews/squeezer', 'governor/governor', 'free_rotation/flip', 'translational_clearance/model']) {
  const file = at(name.replace('/', '_'));
  run(program, 'run', join(source, 'examples', `${name}.yaml`), '--report', '--quiet', '-o', `${file}.h5`);
  page = await open(browser, `${pathToFileURL(file).href}.html`);
  check(`${name} is drawn`, (await coloursOfScene(page)) > 8, await coloursOfScene(page));
  check(`${name} opens without an error`, page.problems.length === 0, page.problems);
  await page.context().close();
}

// ---- what people stumbled over ------------------------------------------------------------------------------------
const report = async (name, model, ...args) => {
  run(program, 'run', model, '--report', '--quiet', '-o', at(`${name}.h5`), ...args);
  return open(browser, pathToFileURL(at(`${name}.html`)).href);
};
// Plots zoomed to an interval without the time cursor have no cursor, and one with it has it in its place.
page = await open(browser, pathToFileURL(at('crank.html')).href);
const cursors = (from, to, t) => page.evaluate(async ([a, b, time]) => {
  const { player } = window.tappet;
  player.seek(time), player.setWindow(a, b);
  await new Promise((resolve) => setTimeout(resolve, 50));
  return [...document.querySelectorAll('.signals .now')].map((line) => {
    const { left, width } = line.parentElement.getBoundingClientRect(), box = line.getBoundingClientRect();
    return line.hidden ? null : (box.left + 0.5 * box.width - left) / width;
  });
}, [from, to, t]);
check('there is no cursor outside the window', (await cursors(0.1, 0.2, 0.05)).every((x) => x === null), await cursors(0.1, 0.2, 0.05));
check('the cursor is where its time is', (await cursors(0.1, 0.2, 0.125)).every((x) => Math.abs(x - 0.25) < 0.01), await cursors(0.1, 0.2, 0.125));
const figures = await page.locator('.figure').allTextContents();
check('bodies and degrees of freedom are two figures', figures.includes('3bodies') && figures.includes('2degrees of freedom'), figures);
await page.context().close();

// Up is against gravity, and forces are seen inside bodies.
writeFileSync(at('up.yaml'), `tappet: 1
title: A ball falls along -y
dimension: spatial
gravity: [0, -9.81, 0]
ground: {shapes: {floor: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}}}
bodies: {ball: {mass: 1, inertia: [4e-3, 4e-3, 4e-3], position: [0, 0.4, 0], shapes: {skin: {sphere: {radius: 0.1}}}}}
contacts: {bounce: {between: [ground.floor, ball.skin], normal: {law: flores, stiffness: 1e5, restitution: 0.8}}}
simulation: {duration: 0.5}
output: {step: 1 ms}
`);
page = await report('up', at('up.yaml'));
const heightAt = (t) => page.evaluate((time) => (window.tappet.player.seek(time), window.tappet.scene.placeOf('ball')[1]), t);
check('what falls moves down the screen', (await heightAt(0.24)) > (await heightAt(0)) + 50, [await heightAt(0), await heightAt(0.24)]);
const hit = await page.evaluate(() => { const { column } = window.tappet.player.run.impacts; return 0.5 * (column.start[0] + column.end[0]); });
const red = (t) => page.evaluate((time) => {
  const { player, scene } = window.tappet;
  player.seek(time), scene.draw();
  const canvas = document.querySelector('.scene canvas'), copy = document.createElement('canvas');
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0);
  const { data } = context.getImageData(0, 0, copy.width, copy.height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4) count += data[i] > 180 && data[i + 1] < 130 && data[i + 2] < 120;
  return count;
}, t);
check('the contact force is seen through the ball', (await red(hit)) > (await red(0)) + 200, [await red(hit), await red(0)]);
await page.context().close();

// Labels stand on their bodies, and never on each other.
page = await report('wall', join(source, 'examples/wall/wall.yaml'), '--set', 'simulation.duration=50ms');
const labels = () => page.evaluate(() => {
  const { scene } = window.tappet;
  scene.draw();
  const frame = scene.box.getBoundingClientRect();
  return [...document.querySelectorAll('.labels span')].filter((label) => !label.hidden).map((label) => {
    const box = label.getBoundingClientRect(), [x, y] = scene.placeOf(label.textContent);
    return { name: label.textContent, off: Math.hypot(box.left + 0.5 * box.width - frame.left - x, box.top + 0.5 * box.height - frame.top - y),
      box: [box.left, box.top, box.right, box.bottom] };
  });
});
let shown = await labels();
check('labels of the wall stand on their own boxes', shown.length > 10 && shown.every(({ off }) => off < 3), shown.filter(({ off }) => off >= 3).slice(0, 3));
const overlaps = (all) => all.some((a, i) => all.slice(i + 1).some((b) => a.box[0] < b.box[2] && b.box[0] < a.box[2] && a.box[1] < b.box[3] && b.box[1] < a.box[3]));
check('no two of them overlap', !overlaps(shown));
const [hx, hy] = await page.evaluate(() => window.tappet.scene.placeOf('b5_5'));
const frame = await page.locator('.scene').boundingBox();
await page.mouse.move(frame.x + hx, frame.y + hy);
await page.waitForTimeout(100);
shown = await labels();
check('the one under the pointer comes forward', (await page.locator('.labels .near').textContent()) === 'b5_5' && !overlaps(shown), shown.map(({ name }) => name));
await page.context().close();

// ---- an elastic structure in its deformed shape -------------------------------------------------------------------
run(program, 'run', join(source, 'examples/bouncing_shell/shell.yaml'), '--report', '--quiet', '-o', at('shell.h5'), '--set', 'simulation.duration=30ms',
  '--set', 'simulation.step=0.2ms', '--set', 'bodies.ball.structure.generate.spherical-shell.divisions=6');
page = await open(browser, pathToFileURL(at('shell.html')).href);
const ballAt = (t) => page.evaluate((time) => {
  const { player, scene } = window.tappet;
  player.seek(time), scene.draw();
  const p = scene.mechanism.structures.parts[0].position.array, z = [...p].filter((_, i) => i % 3 === 2);
  return [Math.min(...z), Math.max(...z) - Math.min(...z)];
}, t);
// Height of the node that is highest at the start above the one that is lowest then.
const betweenPoles = (t) => page.evaluate((time) => {
  const { player, scene } = window.tappet;
  const heights = (at) => {
    player.seek(at), scene.draw();
    return [...scene.mechanism.structures.parts[0].position.array].filter((_, i) => i % 3 === 2);
  };
  const start = heights(0), low = start.indexOf(Math.min(...start)), high = start.indexOf(Math.max(...start));
  const now = heights(time);
  return now[high] - now[low];
}, t);
const [low, height] = await ballAt(0), [lowest, pressed] = await ballAt(0.016);
check('the ball begins round and above the ground', Math.abs(low - 0.01) < 1e-4 && Math.abs(height - 0.1) < 1e-4, [low, height]);
check('it is pressed flat on the ground', Math.abs(lowest) < 1e-3 && pressed < 0.095, [lowest, pressed]);
const picture = () => page.evaluate(() => { window.tappet.scene.draw(); return document.querySelector('.scene canvas').toDataURL(); });
const byStress = await picture();
await page.selectOption('select[aria-label=Colour]', 'displacement');
check('its colour can be chosen', (await picture()) !== byStress);
check('the legend says what it means', (await page.locator('.legend').textContent()).startsWith('displacement 0'), await page.locator('.legend').textContent());
const once = height - (await betweenPoles(0.016));
await page.selectOption('select[aria-label=Deformation]', '2');
const twice = height - (await betweenPoles(0.016));
check('the deformation can be magnified', once > 0.003 && Math.abs(twice - 2 * once) < 0.02 * once, [once, twice]);
check('the page says what was left out', (await page.locator('footer').textContent()).includes('Structures are drawn'));
check('the ball is drawn', (await coloursOfScene(page)) > 8, await coloursOfScene(page));
check('the structure opens without an error', page.problems.length === 0, page.problems);
await page.context().close();
await browser.close();
finish();
