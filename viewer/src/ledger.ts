// Where the energy went, at the player's time:
//   kinetic + potential = at the start + input − losses + residual

import type { Run } from './data';
import { el, panel } from './dom';
import { plain, quantity } from './format';
import type { Player } from './player';
import { Plots } from './plots';

const entries: { signal: string; title: string; colour: string; help: string }[] = [
  { signal: 'energy.kinetic', title: 'kinetic', colour: '--c1', help: 'of the moving bodies' },
  { signal: 'energy.potential', title: 'potential', colour: '--c2', help: 'of gravity, springs and contacts that are pressed' },
  { signal: 'energy.input', title: 'input', colour: '--c3', help: 'done by motions and prescribed forces since the start' },
  { signal: 'energy.damping_loss', title: 'lost in dampers', colour: '--c4', help: 'since the start' },
  { signal: 'energy.normal_loss', title: 'lost in impacts', colour: '--c5', help: 'along the normal, since the start' },
  { signal: 'energy.friction_loss', title: 'lost to friction', colour: '--c6', help: 'since the start' },
  { signal: 'energy.film_loss', title: 'lost in oil films', colour: '--c7', help: 'since the start' },
  { signal: 'energy.wear_loss', title: 'given up by wear', colour: '--c8', help: 'of springs that are worn away, since the start' },
  { signal: 'energy.residual', title: 'residual', colour: '--quiet', help: 'what does not add up: the error of the integration' },
];

export class Ledger {
  readonly box: HTMLElement;
  private readonly list = el('div', { class: 'ledger' });
  private readonly note = el('p', { class: 'quiet' });
  readonly plots: Plots;
  private updates: (() => void)[] = [];

  constructor(private readonly player: Player, run: Run) {
    const { box, body } = panel('Energy ledger', 'energy');
    this.box = box;
    // The colours of the bars are those of the curves.
    this.plots = new Plots(player, [run], [entries.slice(0, -1).map(({ signal }) => signal)], 170);
    body.append(this.list, this.plots.box, this.note);
    player.onTime(() => this.updates.forEach((f) => f()));
    this.setRun(run);
  }

  setRun(run: Run) {
    const shown = entries.filter(({ signal }) => run.has(signal));
    this.box.hidden = !shown.length;
    const most = Math.max(1e-300, ...shown.map(({ signal }) => Math.max(...run.range(signal).map(Math.abs))));
    this.updates = [];
    this.list.replaceChildren(...shown.map(({ signal, title, colour, help }) => {
      const bar = el('i', { style: `background: var(${colour})` }), number = el('b');
      this.updates.push(() => {
        const value = run.value(signal, this.player.time);
        bar.style.width = `${Math.min(100, (100 * Math.abs(value)) / most) || 0}%`;
        number.textContent = quantity(value, 'J', 4);
      });
      return el('div', { title: help }, el('span', {}, title), el('div', { class: 'bar' }, bar), number);
    }));
    const residual = run.info.summary?.energy_residual;
    this.note.textContent = 'kinetic + potential = at the start + input − losses + residual' +
      (residual == null ? '' : `; largest residual of the run: ${plain(residual, 2)} of the energy that moved.`);
    this.plots.setRuns([run]);
    this.updates.forEach((f) => f());
  }
}
