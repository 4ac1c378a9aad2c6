// The page: sliders, one run after another, pictures of it.
import { drawMechanism } from './mechanism.js';
import { colour, orbit, plot } from './plots.js';
import { Run, startSolver } from './solver.js';

const models = JSON.parse(document.getElementById('models').textContent);
const element = (id) => document.getElementById(id);
const turns = 3, piece = 40;  // of the crank; milliseconds between two pictures

/** What can be changed: how it is shown, and the settings that it means. */
const values = {
  clearance: { label: 'Radial clearance', unit: 'mm', min: 0.02, max: 1, step: 0.01, value: 0.5,
    settings: (v) => [`joints.wrist.clearance.journal_radius=${(10 - v).toFixed(2)} mm`] },
  speed: { label: 'Crank speed', unit: 'rpm', min: 500, max: 6000, step: 100, value: 5000,
    settings: (v) => [`motions.motor.speed=${v} rpm`, `simulation.duration=${turns}*60/${v} s`, `output.step=60/${v}/1500 s`] },
  restitution: { label: 'Restitution', unit: '', min: 0.3, max: 1, step: 0.01, value: 0.9, settings: () => [] },
  friction: { label: 'Friction', unit: '', min: 0, max: 0.3, step: 0.01, value: 0.03,
    settings: (v) => [`joints.wrist.clearance.friction.coefficient=${v}`] },
};
/** Laws of the normal force, and whether they take a restitution. */
const laws = { 'lankarani-nikravesh': true, 'hunt-crossley': true, flores: true, hertz: false };
let law = 'lankarani-nikravesh';

function settings() {
  const out = Object.values(values).flatMap((each) => each.settings(each.value));
  out.push(`joints.wrist.clearance.normal={law: ${law}${laws[law] ? `, restitution: ${values.restitution.value}` : ''}}`);
  return out;
}

/** The same without play. */
const idealSettings = () => values.speed.settings(values.speed.value);

const quoted = (text) => (/^[\w.=-]+$/.test(text) ? text : `"${text}"`);

let solver, run, ideal, idealSpeed, timer = 0;
let now = 0, playing = !window.matchMedia('(prefers-reduced-motion: reduce)').matches, cache = null, previous = 0;
const slowness = 4;  // seconds for a turn

const end = () => (turns * 60) / values.speed.value;
const sampleAt = (time) => Math.min(run.length - 1, Math.max(0, Math.round((time / end()) * turns * 1500)));

/** What pictures share, anew when there are new samples. */
function prepared() {
  if (cache?.length === run.length && cache.run === run) return cache;
  const milli = (column) => column.map((v) => 1e3 * v);
  const normal = run.column('wrist.normal');
  cache = {
    run, length: run.length, time: milli(run.column('time')), force: normal, moment: run.column('motor.torque'),
    ex: milli(run.column('wrist.ex')), ey: milli(run.column('wrist.ey')), largestForce: normal.reduce((a, b) => Math.max(a, b), 1e-9),
    idealTime: ideal ? milli(ideal.column('time')) : [], idealMoment: ideal ? ideal.column('motor.torque') : [],
  };
  return cache;
}

function figures() {
  const list = [['impacts', String(run.impacts.length)]];
  const { largestForce, moment } = prepared();
  list.push(['largest force', largestForce >= 1000 ? `${(largestForce / 1000).toPrecision(3)} kN` : `${largestForce.toPrecision(3)} N`]);
  list.push(['largest moment', `${moment.reduce((a, b) => Math.max(a, Math.abs(b)), 0).toPrecision(3)} N m`]);
  list.push(['computed in', `${Math.round(run.milliseconds)} ms`]);
  element('figures').replaceChildren(...list.map(([name, text]) => {
    const box = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
    dt.textContent = name;
    dd.textContent = text;
    box.append(dt, dd);
    return box;
  }));
}

let force, moment;
function draw() {
  if (!run?.length) return;
  const data = prepared(), at = sampleAt(now), clearance = values.clearance.value;
  drawMechanism(element('mechanism'), run, at, { clearance: clearance / 1e3, force: data.force[at], largestForce: data.largestForce });
  const common = { end: 1e3 * end(), cursor: 1e3 * now };
  force = plot(element('force'), { ...common, unit: 'N', lines: [{ x: data.time, y: data.force, style: colour('--primary') }] });
  moment = plot(element('moment'), { ...common, unit: 'N m', lines: [
    { x: data.time, y: data.moment, style: colour('--second') }, { x: data.idealTime, y: data.idealMoment, style: colour('--quiet'), width: 1 }] });
  orbit(element('orbit'), { ex: data.ex, ey: data.ey, clearance, from: Math.max(0, Math.min(data.length, turns * 1500) - 1500), at });
  element('time').value = now / end();
  element('clock').textContent = `${(1e3 * now).toFixed(2)} of ${(1e3 * end()).toFixed(1)} ms`;
}

function say(text, bad = false) {
  element('status').textContent = text;
  element('status').classList.toggle('bad', bad);
}

/** A piece of the run, its picture, and so on until it is over. */
function compute() {
  timer = 0;
  try {
    run.advance(piece);
    figures();
    draw();
    live.drawn += 1;
    if (run.running) timer = setTimeout(compute);
    else {
      live.finished += 1;
      const warnings = run.about.warnings.map((text) => ` ${text}.`).join('');
      say(`${run.about.method}, ${run.about.integrator}: ${run.length} samples of ${turns} turns.${warnings}`);
    }
  } catch (fault) {
    run.running = false;
    live.finished += 1;
    say(fault.message, true);
  }
}

function start() {
  clearTimeout(timer);
  element('slow').textContent = `${Math.round((slowness * values.speed.value) / 60)} times slower than it is`;
  element('command').textContent = `tappet run examples/slider_crank/clearance.yaml --report ${settings().map((s) => `--set ${quoted(s)}`).join(' ')}`;
  try {
    if (idealSpeed !== values.speed.value) {
      ideal = new Run(solver, models.ideal, idealSettings());
      while (ideal.running) ideal.advance(1000);
      idealSpeed = values.speed.value;
    }
    run = new Run(solver, models.clearance, settings());
    now = Math.min(now, end());
    live.run = run;
    compute();
  } catch (fault) {
    live.finished += 1;
    say(fault.message, true);
  }
}

function controls() {
  for (const [name, each] of Object.entries(values)) {
    const label = document.createElement('label'), text = document.createElement('span'), output = document.createElement('output'), input = document.createElement('input');
    Object.assign(input, { type: 'range', min: each.min, max: each.max, step: each.step, value: each.value, id: name });
    text.textContent = each.label;
    const show = () => (output.textContent = `${each.value} ${each.unit}`);
    input.addEventListener('input', () => {
      each.value = input.valueAsNumber;
      show();
      start();
    });
    show();
    label.append(text, output, input);
    element('controls').append(label);
  }
  const label = document.createElement('label'), text = document.createElement('span'), select = document.createElement('select');
  text.textContent = 'Contact law';
  select.id = 'law';
  select.append(...Object.keys(laws).map((name) => new Option(name, name)));
  select.addEventListener('input', () => {
    law = select.value;
    element('restitution').disabled = !laws[law];
    start();
  });
  label.append(text, select);
  element('controls').append(label);
  element('play').addEventListener('click', () => {
    playing = !playing;
    shown();
  });
  element('time').addEventListener('input', () => {
    playing = false;
    shown();
    now = element('time').valueAsNumber * end();
    draw();
  });
  for (const [id, at] of [['force', () => force], ['moment', () => moment]])
    element(id).addEventListener('pointermove', (event) => {
      if (!event.buttons) return;
      playing = false;
      shown();
      now = at().timeAt(event.offsetX) / 1e3;
      draw();
    });
  element('copy').addEventListener('click', () => navigator.clipboard?.writeText(element('command').textContent));
  element('model').textContent = models.clearance;
}

function shown() {
  element('play').textContent = playing ? 'Pause' : 'Play';
  element('play').setAttribute('aria-pressed', String(playing));
}

function frame(time) {
  const passed = Math.min(100, time - previous) / 1e3;
  previous = time;
  if (playing && run?.length) {
    now += (passed * 60) / values.speed.value / slowness;
    if (now > end()) now = 0;
    draw();
  }
  requestAnimationFrame(frame);
}

/** For tests, and for the curious at the console: `drawn` counts pictures of new samples, `finished` runs that are over. */
const live = { drawn: 0, finished: 0, run: null, models, Run, settings, get solver() { return solver; } };
window.live = live;

try {
  solver = await startSolver();
  controls();
  shown();
  start();
  window.addEventListener('resize', draw);
  requestAnimationFrame(frame);
} catch (fault) {
  say(`The solver cannot be started: ${fault.message}. A browser of 2022 or later is needed.`, true);
}
