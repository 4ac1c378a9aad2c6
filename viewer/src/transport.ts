// Play, scrub, speed: the bar below the animation.

import { el } from './dom';
import { clockText, plain } from './format';
import type { Player } from './player';
import type { SceneView } from './scene';

const steps = 10000;

export function transport(player: Player, scene: SceneView): HTMLElement {
  const play = el('button', { class: 'primary play', onclick: () => player.toggle() });
  const time = el('output', { class: 'time' });
  const scrub = el('input', { type: 'range', min: 0, max: steps, step: 1, value: 0, class: 'scrub', 'aria-label': 'Time' });
  const marks = el('canvas', { class: 'marks', 'aria-hidden': 'true', height: 5, width: 1000 });
  const speed = el('select', { 'aria-label': 'Speed', title: 'Speed: simulated time against time', onchange: () => player.setSpeed(Number(speed.value)) },
    ...player.speeds.map((s) => el('option', { value: s }, s >= 1 ? `${s}× speed` : `1/${plain(1 / s)} speed`)));
  const toggle = (text: string, title: string, on: boolean, change: (on: boolean) => void) => {
    const box = el('input', { type: 'checkbox', checked: on, onchange: () => change(box.checked) });
    return el('label', { class: 'toggle', title }, box, text);
  };
  const layer = (key: keyof SceneView['layers'], text: string, title: string) =>
    toggle(text, title, scene.layers[key], (on) => ((scene.layers[key] = on), scene.redraw()));

  scrub.addEventListener('input', () => {
    const { start, duration } = player.run;
    player.seek(start + (Number(scrub.value) / steps) * duration);
  });
  // The page's own keys move the time; the slider's would move it by another amount.
  scrub.addEventListener('keydown', (event) => {
    if (['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) event.preventDefault();
  });
  const show = () => {
    const { start, duration, end } = player.run;
    scrub.value = String(Math.round(((player.time - start) / duration) * steps));
    time.textContent = clockText(player.time, end);
    scrub.setAttribute('aria-valuetext', time.textContent);
  };
  const state = () => {
    play.textContent = player.playing ? '❚❚' : '▶';
    play.title = player.playing ? 'Pause (space)' : 'Play (space)';
    play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    speed.value = String(player.speed);
  };
  const drawMarks = () => {
    const g = marks.getContext('2d')!, { start, duration, impacts } = player.run;
    g.clearRect(0, 0, 1000, 5);
    g.fillStyle = '#e5534b';
    const most = impacts.hardness.reduce((a, b) => Math.max(a, b), 1e-300);
    impacts.column.start?.forEach((t, i) => {
      g.globalAlpha = 0.25 + 0.75 * Math.sqrt((impacts.hardness[i] ?? 0) / most);
      g.fillRect(((t - start) / duration) * 1000, 0, 1.5, 5);
    });
  };
  player.onTime(show);
  player.onState(state);
  player.onWindow(drawMarks);
  show(), state(), drawMarks();

  const impactTools = [
    el('button', { title: 'Impact before (P)', 'aria-label': 'Impact before', onclick: () => player.jump(-1) }, '⇤ impact'),
    el('button', { title: 'Next impact (N)', 'aria-label': 'Next impact', onclick: () => player.jump(1) }, 'impact ⇥'),
    toggle('slow at impacts', 'The hardest impacts take a second each', player.slowAtImpacts, (on) => (player.slowAtImpacts = on)),
  ];
  const structureTools = () => {
    const colour = el('select', { 'aria-label': 'Colour', title: 'What the colour of structures shows', onchange: () => scene.setColouring(colour.value as 'stress') },
      el('option', { value: 'stress' }, 'stress'), el('option', { value: 'displacement' }, 'displacement'), el('option', { value: 'plain' }, 'plain'));
    const magnify = el('select', { 'aria-label': 'Deformation', title: 'Deformation, magnified about the mean motion', onchange: () => scene.setMagnified(Number(magnify.value)) },
      ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((times) => el('option', { value: times }, `deformed ${times}×`)));
    return [colour, magnify];
  };
  return el('div', { class: 'transport' },
    el('div', { class: 'line' }, play, el('div', { class: 'track' }, scrub, marks), time),
    el('div', { class: 'line wrap' }, speed, ...(player.run.info.contacts.length ? impactTools : []),
      ...(player.run.info.structures?.length ? structureTools() : []),
      el('span', { class: 'gap' }),
      layer('names', 'names', 'Names of the bodies'), layer('trails', 'trails', 'Where the centres of mass went'),
      layer('contacts', 'contacts', 'Contact forces as arrows, their length by the root of the force'),
      layer('forces', 'reactions', 'Forces in the joints as arrows, their length by the root of the force'),
      el('button', { title: 'See everything (F)', onclick: () => scene.home() }, 'fit')));
}
