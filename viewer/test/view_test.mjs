// tappet view in a real browser: node view_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { check, coloursOfScene, finish, launch, open, openPage } from './browser.mjs';

const [program, source, work] = process.argv.slice(2);
const browser = await launch();
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
const temporary = join(work, 'tmp');
mkdirSync(temporary);

/** Starts the server; `address` is what it prints. */
async function serve(file, ...args) {
  const server = spawn(program, ['view', file, ...args], { env: { ...process.env, TMPDIR: temporary }, stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (data) => {
      text += data;
      const found = /http:\/\/127\.0\.0\.1:\d+\/\?token=[0-9a-f]{32}/.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('exit', (status) => reject(new Error(`the server ended with ${status}: ${text}`)));
  });
  const ended = new Promise((resolve) => server.on('exit', (status) => resolve(status)));
  const { origin, searchParams } = new URL(address);
  return { address, origin: `${origin}/`, own: { 'X-Tappet': searchParams.get('token') }, end: () => (server.kill('SIGINT'), ended) };
}

/** One request by hand: status and text. */
const ask = (address, { host, method = 'GET', headers = {}, body } = {}) => new Promise((resolve, reject) => {
  const asked = request(address, { method, headers: { ...headers, ...(host ? { Host: host } : {}) } }, (answer) => {
    let text = '';
    answer.on('data', (data) => (text += data));
    answer.on('end', () => resolve([answer.statusCode, text]));
  });
  asked.on('error', reject);
  asked.end(body);
});

// ---- a model ------------------------------------------------------------------------------------------------------
const model = join(source, 'examples/slider_crank/clearance.yaml');
let server = await serve(model);
let page = await open(browser, server.address);
await page.waitForFunction(() => window.tappet.player.run.info.status === 'completed', undefined);
check('the run is drawn', (await coloursOfScene(page)) > 12);
check('it is the whole run', await page.evaluate(() => Math.abs(window.tappet.player.run.end - 0.24) < 1e-9));
const impacts = await page.evaluate(() => window.tappet.player.run.impacts.total);

// A slider runs the model anew: a wider bearing gives a larger orbit.
const orbit = () => page.evaluate(() => Math.max(...window.tappet.player.run.column('wrist.ex').map(Math.abs)));
const before = await orbit();
const knob = page.locator('[data-path="joints.wrist.clearance.journal_radius"]');
await knob.locator('input[type=number]').fill('9');
await knob.locator('input[type=number]').press('Enter');
await page.waitForFunction(() => {
  const { run } = window.tappet.player;
  return run.info.status === 'completed' && run.info.model_text.includes('journal_radius: 9 mm');
}, undefined);
check('twice the clearance, about twice the orbit', (await orbit()) > 1.8 * before, [before, await orbit()]);
check('other impacts', (await page.evaluate(() => window.tappet.player.run.impacts.total)) !== impacts);
check('the command line that does the same', (await page.locator('.parameters code').textContent()).endsWith("--set 'joints.wrist.clearance.journal_radius=9 mm'"), await page.locator('.parameters code').textContent());

// Around zero a slider reaches as far as its neighbours are large: the crank's position is [25 mm, 0].
const zero = page.locator('[data-path="bodies.crank.position.1"]');
check('a zero has the unit and the size of its neighbours', (await zero.locator('input[type=range]').getAttribute('max')) === '25' && (await zero.locator('small').textContent()) === 'mm',
  [await zero.locator('input[type=range]').getAttribute('max'), await zero.locator('small').textContent()]);

// A number that is not allowed says so, and the picture stays.
await knob.locator('input[type=number]').fill('-9');
await knob.locator('input[type=number]').press('Enter');
await page.waitForSelector('.parameters .remark.bad:not([hidden])');
check('a wrong number is answered with a sentence', (await page.locator('.parameters .remark.bad').textContent()).includes('journal_radius'), await page.locator('.parameters .remark.bad').textContent());
check('the picture stays', (await coloursOfScene(page)) > 12);
check('the model has its own name', (await page.locator('.name p').textContent()).includes('clearance.yaml') && !(await page.content()).includes('tappet-view-'));
await page.reload();
await page.waitForFunction(() => window.tappet?.player.run.info.status === 'completed');
check('after a reload the picture is there', (await coloursOfScene(page)) > 12);
check('and the model has its own name in a page that holds the whole run', !(await page.content()).includes('tappet-view-'));
check('and the numbers are those that it was made with', (await page.locator('.changed[data-path="joints.wrist.clearance.journal_radius"] input[type=number]').inputValue()) === '9');
const others = page.problems.filter((text) => !text.includes('409'));
check('nothing went wrong', others.length === 0, others);
check('nothing was fetched from elsewhere', page.requests.every((url) => url.startsWith(server.origin) || url.startsWith('data:')), page.requests);

// Only this machine, only this page, only who has its secret. An account of this machine that has not is told nothing.
const { origin, own } = server;
const run = { method: 'POST', body: '{"settings": []}' };
check('without the secret nothing is answered', (await Promise.all(['', 'api/state', 'api/parameters', 'api/data', '?token=', `?token=${'0'.repeat(32)}`]
  .map((path) => ask(`${origin}${path}`)))).every(([status, text]) => status === 403 && !text.includes('crank')));
check('with it, all', (await Promise.all(['api/state', 'api/parameters', 'api/data'].map((path) => ask(`${origin}${path}`, { headers: own })))).every(([status]) => status === 200));
check('a foreign host name is refused', (await ask(server.address, { host: 'evil.example' }))[0] === 403);
check('a foreign page is refused', (await ask(`${origin}api/run`, { ...run, headers: { ...own, Origin: 'http://evil.example' } }))[0] === 403);
check('one of another port too', (await ask(`${origin}api/run`, { ...run, headers: { ...own, Origin: 'http://127.0.0.1:1' } }))[0] === 403);
check('and what a browser says another site asked for', (await ask(server.address, { headers: { 'Sec-Fetch-Site': 'cross-site' } }))[0] === 403);
check('a run without the secret is refused', (await ask(`${origin}api/run`, { ...run, headers: { 'X-Tappet': '1' } }))[0] === 403);
check('nonsense is refused', (await ask(`${origin}api/run`, { method: 'POST', headers: own, body: 'nonsense' }))[0] === 400);
// A file's first line must not come back in an error: no setting but a number of the model is taken.
writeFileSync(join(work, 'secret'), 'top secret\n');
for (const setting of [`bodies.crank.shapes={a: {mesh: {file: ${join(work, 'secret')}}}}`, `tables.a={file: ${join(work, 'secret')}}`, 'title=x', 'bodies.crank.mass={a: 1}',
  'bodies.crank.mass=1 kg}', 'bodies.none.mass=1 kg'])
  check(`not a number: ${setting}`, await ask(`${origin}api/run`, { method: 'POST', headers: own, body: JSON.stringify({ settings: [setting] }) })
    .then(([status, text]) => status === 400 && !text.includes('secret')));
check('an unknown page is unknown', (await ask(`${origin}../../etc/passwd`, { headers: own }))[0] === 404);
// Who only holds connections does not shut others out.
const held = await Promise.all(Array.from({ length: 200 }, () => new Promise((resolve) => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => resolve(socket));
  socket.on('error', () => {});
})));
for (const socket of held) socket.write('GET / HT');
// The server waits 5 s for each that says nothing: who is answered before that did not wait for them.
const begun = Date.now();
check('two hundred idle connections do not matter', (await ask(`${origin}api/state`, { headers: own }))[0] === 200 && Date.now() - begun < 5000, Date.now() - begun);
for (const socket of held) socket.destroy();
const elsewhere = Object.values(networkInterfaces()).flat().find((a) => a.family === 'IPv4' && !a.internal)?.address;
if (elsewhere)
  check('no other address answers', await ask(origin.replace('127.0.0.1', elsewhere)).then(() => false, () => true));
check('Ctrl-C ends it well', (await server.end()) === 0);
check('and nothing is left behind', readdirSync(temporary).length === 0, readdirSync(temporary));
await page.context().close();

// ---- a model that starts, and cannot go on ------------------------------------------------------------------------
writeFileSync(join(work, 'stuck.yaml'), `tappet: 1
bodies: {a: {mass: 1, inertia: 1, position: [1, 0]}}
joints: {p: {type: revolute, bodies: [ground, a], points: [[0, 0], [-1, 0]]}}
forces: {f: {type: expression, body: a, fx: 1/(t-t)}}
simulation: {duration: 1}
`);
server = await serve(join(work, 'stuck.yaml'));
page = await openPage(browser, server.address);
await page.waitForFunction(() => document.body.textContent.includes('The run ended before it had anything to show'));
await page.waitForFunction(() => (document.querySelector('.parameters .remark.bad')?.textContent.length ?? 0) > 10);
check('it says why', (await page.locator('.parameters .remark.bad').textContent()).includes("'f'"), await page.locator('.parameters .remark.bad').textContent());
await server.end();
await page.context().close();

// ---- many numbers --------------------------------------------------------------------------------------------------
server = await serve(join(source, 'examples/hexapod/hexapod.yaml'));
page = await open(browser, server.address, { viewport: { width: 1366, height: 900 } });
await page.waitForSelector('.knob-group');
check('the panel is no wider than the page', await page.evaluate(() => document.querySelector('.knobs').scrollWidth <= 1366 && document.documentElement.scrollWidth <= 1366),
  await page.evaluate(() => [document.querySelector('.knobs').scrollWidth, document.documentElement.scrollWidth]));
check('groups are shut, and hold no inputs yet', (await page.locator('.knob').count()) < 20, await page.locator('.knob').count());
await page.fill('.parameters input[type=search]', 'frame position');
check('a search opens what it finds', (await page.locator('.knob').count()) > 0 && (await page.locator('.knob').count()) < 20);
const first = page.locator('.knob').first();
const starred = await first.getAttribute('data-path');
await first.locator('.star').click();
await page.fill('.parameters input[type=search]', '');
check('favourites stand at the top', (await page.locator('.knob-group').first().locator('.knob').first().getAttribute('data-path')) === starred);
await page.reload();
await page.waitForSelector('.knob-group.starred');
check('and stay there', (await page.locator('.knob-group.starred .knob').getAttribute('data-path')) === starred);
await server.end();
await page.context().close();

// ---- a result that is still growing -------------------------------------------------------------------------------
const growing = join(work, 'growing.h5');
// Longer than any machine takes to open the page: it is killed below.
const running = spawn(program, ['run', model, '--set', 'simulation.duration=20000 s', '--set', 'output.step=1 ms', '-o', growing, '--quiet'], { stdio: 'ignore' });
const samples = () => JSON.parse(spawnSync(program, ['info', growing, '--json'], { encoding: 'utf8' }).stdout || '{}').samples ?? 0;
while (running.exitCode === null && samples() === 0) await new Promise((resolve) => setTimeout(resolve, 200));
server = await serve(growing);
page = await open(browser, server.address);
const rows = () => page.evaluate(() => window.tappet.player.run.info.samples);
const early = await rows();
await page.waitForFunction((n) => window.tappet.player.run.info.samples > n, early);
check('the page grows with its result', (await rows()) > early);
running.kill('SIGKILL');
await server.end();
await page.context().close();
await browser.close();
finish();
