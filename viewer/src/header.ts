// Title, headline figures, warnings and notes.

import type { Run } from './data';
import { el, panel } from './dom';
import { count, plain, quantity } from './format';

export function headline(run: Run): HTMLElement {
  const { info } = run, s = info.summary;
  const state = info.status === 'completed' ? ['completed', 'good'] : info.status === 'stopped' ? ['stopped', 'bad'] : ['running, or killed', 'fair'];
  const figure = (value: string, label: string, title = '') => el('div', { class: 'figure', title }, el('b', {}, value), el('span', {}, label));
  const hardest = run.impacts.hardness.reduce((a, b) => Math.max(a, b), 0);
  const figures = [
    figure(quantity(run.end, 's', 4), 'simulated'),
    ...(s ? [
      figure(count(s.bodies), s.bodies === 1 ? 'body' : 'bodies'),
      figure(count(s.degrees_of_freedom), s.degrees_of_freedom === 1 ? 'degree of freedom' : 'degrees of freedom'),
      figure(count(s.steps), 'steps', `${count(s.rejected)} rejected, ${count(s.evaluations)} evaluations, ${s.method}, ${s.integrator}`),
    ] : []),
    ...(run.impacts.total ? [
      figure(count(run.impacts.total), run.impacts.total === 1 ? 'impact' : 'impacts'),
      figure(quantity(hardest, run.impacts.hardnessUnit, 3), 'hardest impact'),
    ] : []),
    ...(s ? [
      figure(plain(s.energy_residual ?? NaN, 2), 'energy residual', 'largest residual of the energy ledger, relative to the energy that moved'),
      figure(quantity(s.constraint_violation ?? NaN, 'm', 2), 'constraint violation', 'largest at the end of a step'),
      ...(run.impacts.total ? [figure(quantity(s.max_first_penetration ?? NaN, 'm', 2), 'first penetration', 'largest penetration when a contact was first seen')] : []),
    ] : []),
  ];
  return el('div', { class: 'headline' },
    el('div', { class: 'name' },
      el('h1', {}, info.title || info.result_file),
      el('p', {}, el('span', { class: `state ${state[1]}` }, state[0]!), ` ${info.model_file} · ${info.created.replace('T', ' ').replace('Z', ' UTC')} · Tappet ${info.version}`)),
    el('div', { class: 'figures' }, ...figures));
}

export function remarks(run: Run): HTMLElement | null {
  const s = run.info.summary;
  const problems = [...(s?.stop_reason ? [`The run stopped at t = ${plain(s.t_end, 6)} s: ${s.stop_reason}`] : []), ...(run.info.problem ? [run.info.problem] : [])];
  const warnings = s?.warnings ?? [], notes = s?.notes ?? [];
  if (!problems.length && !warnings.length && !notes.length) return null;
  const { box, body } = panel('Warnings and notes', 'remarks', el('small', {}, `${problems.length + warnings.length} to look at`));
  for (const text of problems) body.append(el('p', { class: 'remark bad' }, text));
  for (const text of warnings) body.append(el('p', { class: 'remark fair' }, text));
  for (const text of notes) body.append(el('p', { class: 'remark' }, text));
  return box;
}

export function modelText(run: Run): HTMLElement {
  const { box, body } = panel('Model', 'model');
  body.append(el('details', {}, el('summary', {}, `The model that made this result, ${count(run.info.model_text.split('\n').length)} lines`),
    el('pre', {}, run.info.model_text)));
  return box;
}
