// tappet view in a real browser: node view_test.mjs PROGRAM SOURCE_DIR WORK_DIR
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { check, coloursOfScene, finish, launch, open } from './browser.mjs';

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
      const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(text);
      if (found) resolve(found[0]);
    });
    server.on('exit', (status) => reject(new Error(`the server ended with ${status}: ${text}`)));
  });
  const ended = new Promise((resolve) => server.on('exit', (status) => resolve(status)));
  return { address, end: () => (server.kill('SIGINT'), ended) };
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

// A number that is not allowed says so, and the picture stays.
await knob.locator('input[type=number]').fill('-9');
await knob.locator('input[type=number]').press('Enter');
await page.waitForSelector('.parameters .remark.bad:not([hidden])');
check('a wrong number is answered with a sentence', (await page.locator('.parameters .remark.bad').textContent()).includes('journal_radius'), await page.locator('.parameters .remark.bad').textContent());
check('the picture stays', (await coloursOfScene(page)) > 12);
const others = page.problems.filter((text) => !text.includes('409'));
check('nothing went wrong', others.length === 0, others);
check('nothing was fetched from elsewhere', page.requests.every((url) => url.startsWith(server.address) || url.startsWith('data:')), page.requests);

// Only this machine, only this page.
check('a foreign host name is refused', (await ask(server.address, { host: 'evil.example' }))[0] === 403);
check('a run asked for by a foreign page is refused', (await ask(`${server.address}api/run`, { method: 'POST', body: '{"settings": []}' }))[0] === 403);
check('nonsense is refused', (await ask(`${server.address}api/run`, { method: 'POST', headers: { 'X-Tappet': '1' }, body: 'nonsense' }))[0] === 400);
check('an unknown page is unknown', (await ask(`${server.address}../../etc/passwd`))[0] === 404);
const elsewhere = Object.values(networkInterfaces()).flat().find((a) => a.family === 'IPv4' && !a.internal)?.address;
if (elsewhere)
  check('no other address answers', await ask(server.address.replace('127.0.0.1', elsewhere)).then(() => false, () => true));
check('Ctrl-C ends it well', (await server.end()) === 0);
check('and nothing is left behind', readdirSync(temporary).length === 0, readdirSync(temporary));
await page.context().close();

// ---- a result that is still growing -------------------------------------------------------------------------------
const growing = join(work, 'growing.h5');
const running = spawn(program, ['run', model, '--set', 'simulation.duration=200 s', '-o', growing, '--quiet'], { stdio: 'ignore' });
await new Promise((resolve) => setTimeout(resolve, 2500));
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
