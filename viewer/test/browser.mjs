// What the tests in a browser share: a Chromium, the program, and checks that say what failed.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'];

function findBrowser() {
  if (process.env.TAPPET_CHROMIUM) return process.env.TAPPET_CHROMIUM;
  for (const folder of (process.env.PATH ?? '').split(delimiter))
    for (const name of names) if (existsSync(join(folder, name))) return join(folder, name);
  return undefined;
}

/** Starts the browser, or ends the test as skipped (status 77). */
export async function launch() {
  const executablePath = findBrowser();
  if (!executablePath) {
    console.log(`skipped: no Chromium on this machine (looked for ${names.join(', ')}); scripts/install_packages browser installs it`);
    process.exit(77);
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--enable-unsafe-swiftshader', '--disable-background-networking'] });
}

/** A page that remembers everything that went wrong in it, and everything it asked the network for. */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 }, reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(240000);  // a machine that is busy is no failure
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on('console', (message) => message.type() === 'error' && page.problems.push(message.text()));
  page.on('pageerror', (error) => page.problems.push(String(error)));
  page.on('dialog', (dialog) => { page.problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  page.on('request', (request) => page.requests.push(request.url()));
  await page.goto(address);
  return page;
}

/** A report, once it is drawn. */
export async function open(browser, address, options = {}) {
  const page = await openPage(browser, address, options);
  await page.waitForFunction(() => window.tappet);
  return page;
}

export function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tappet ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  return stdout;
}

let failures = 0;
export function check(what, holds, detail = '') {
  if (holds) return;
  console.log(`FAILED: ${what}${detail === '' ? '' : `: ${JSON.stringify(detail)}`}`);
  failures += 1;
}
export function finish() {
  console.log(failures ? `${failures} failed` : 'all well');
  process.exitCode = failures ? 1 : 0;
}

/** Different colours in the middle of the animation: more than background and one body. */
export const coloursOfScene = (page) => page.evaluate(() => {
  const canvas = document.querySelector('.scene canvas');
  const copy = document.createElement('canvas');
  [copy.width, copy.height] = [200, 120];
  const context = copy.getContext('2d');
  context.drawImage(canvas, 0, 0, 200, 120);
  const { data } = context.getImageData(0, 0, 200, 120);
  const seen = new Set();
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 0) seen.add(`${data[i] >> 4},${data[i + 1] >> 4},${data[i + 2] >> 4}`);
  return seen.size;
});
