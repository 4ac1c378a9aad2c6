// The page's one clock: what time is shown, how fast it runs, which part of it the plots show.

import type { Run } from './data';

export class Player {
  time: number;
  playing = false;
  speed: number;          // simulated seconds a second
  slowAtImpacts = false;
  loop = false;           // begins again at the end
  follow = true;          // plots that are zoomed in move with the time
  window: [number, number];
  readonly speeds: number[];
  private readonly timeListeners: (() => void)[] = [];
  private readonly windowListeners: (() => void)[] = [];
  private readonly stateListeners: (() => void)[] = [];
  private last = 0;
  private slow: [number, number][] = [];  // intervals of the hard impacts, in order

  constructor(public run: Run) {
    this.time = run.start;
    this.window = [run.start, run.end];
    // The whole takes about twenty seconds, unless it can be shown as it happens.
    this.speeds = [];
    for (let power = 1; power >= -6; --power) for (const digit of [5, 2, 1]) this.speeds.push(digit * 10 ** power);
    this.speeds = this.speeds.filter((speed) => speed <= 10);
    const target = run.duration > 5 && run.duration < 30 ? 1 : run.duration / 20;
    this.speed = this.speeds.reduce((a, b) => (Math.abs(Math.log(b / target)) < Math.abs(Math.log(a / target)) ? b : a));
    this.findHardImpacts();
  }

  /** The tenth of the impacts with the highest peaks, at least five. */
  private findHardImpacts() {
    const { column, count, hardness } = this.run.impacts;
    const order = Array.from({ length: count }, (_, i) => i).sort((a, b) => hardness[b]! - hardness[a]!);
    this.slow = order.slice(0, Math.max(5, Math.ceil(count / 10)))
      .map((i): [number, number] => {
        const [start, end] = [column.start![i]!, this.run.endOf(i)];
        const margin = 0.5 * (end - start);
        return [start - margin, end + margin];
      })
      .filter(([a, b]) => b - a > 0 && b - a < 0.1 * this.run.duration)
      .sort((a, b) => a[0] - b[0]);
  }

  onTime(listener: () => void) { this.timeListeners.push(listener); }
  onWindow(listener: () => void) { this.windowListeners.push(listener); }
  onState(listener: () => void) { this.stateListeners.push(listener); }

  /** A run that replaced the old one, or has grown. */
  setRun(run: Run) {
    const whole = this.window[0] <= this.run.start && this.window[1] >= this.run.end;
    this.run = run;
    this.findHardImpacts();
    if (whole) this.window = [run.start, run.end];
    this.time = Math.min(run.end, Math.max(run.start, this.time));
    this.windowListeners.forEach((f) => f());
    this.timeListeners.forEach((f) => f());
  }

  seek(t: number) {
    this.time = Math.min(this.run.end, Math.max(this.run.start, t));
    const [low, high] = this.window;
    if (this.follow && (this.time < low || this.time > high)) {
      const width = high - low;
      this.setWindow(this.time - 0.1 * width, this.time + 0.9 * width);
    }
    this.timeListeners.forEach((f) => f());
  }

  setWindow(low: number, high: number) {
    const { start, end } = this.run;
    const width = Math.min(end - start, Math.max(high - low, 1e-7 * (end - start)));
    const first = Math.min(Math.max(low, start), end - width);
    if (first === this.window[0] && first + width === this.window[1]) return;
    this.window = [first, first + width];
    this.windowListeners.forEach((f) => f());
  }

  zoom(factor: number, centre = this.time) {
    const [low, high] = this.window;
    const c = Math.min(high, Math.max(low, centre));
    this.setWindow(c - (c - low) * factor, c + (high - c) * factor);
  }

  setSpeed(speed: number) { this.speed = speed; this.changed(); }
  faster(steps: number) {
    const at = this.speeds.indexOf(this.speed);
    this.setSpeed(this.speeds[Math.min(this.speeds.length - 1, Math.max(0, at - steps))]!);
  }
  changed() { this.stateListeners.forEach((f) => f()); }

  toggle(play = !this.playing) {
    if (play === this.playing) return;
    this.playing = play;
    if (play) {
      if (this.time >= this.run.end) this.time = this.run.start;
      this.last = performance.now();
      requestAnimationFrame(this.frame);
    }
    this.changed();
  }

  /** Simulated seconds a second at this moment: an impact that is to be seen takes a second. */
  private pace(): number {
    if (this.slowAtImpacts) {
      for (const [a, b] of this.slow) {
        if (a > this.time) break;
        if (this.time < b) return Math.min(this.speed, b - a);
      }
    }
    return this.speed;
  }

  private readonly frame = (now: number) => {
    if (!this.playing) return;
    // A page that was in the background does not leap.
    let left = Math.min(0.1, (now - this.last) / 1000);
    this.last = now;
    let t = this.time;
    // Stops at the beginning of a slow stretch on the way, so that it is not jumped over.
    const next = this.slowAtImpacts ? this.slow.find(([a]) => a > t) : undefined;
    const step = left * this.pace();
    if (next && t + step > next[0]) {
      left -= (next[0] - t) / this.pace();
      t = next[0] + left * Math.min(this.speed, next[1] - next[0]);
    } else {
      t += step;
    }
    this.seek(t);
    if (this.time >= this.run.end && this.loop) this.seek(this.run.start);
    if (this.time >= this.run.end) this.toggle(false);
    else requestAnimationFrame(this.frame);
  };

  /** To the next impact (or the one before) of any contact. */
  jump(direction: 1 | -1) {
    const starts = this.run.impacts.column.start ?? new Float64Array();
    let best: number | undefined;
    const margin = 1e-9 * this.run.duration;
    for (const t of starts) {
      if (direction > 0 ? t > this.time + margin : t < this.time - margin)
        if (best === undefined || (direction > 0 ? t < best : t > best)) best = t;
    }
    if (best !== undefined) this.seek(best);
  }

  step(direction: number) {
    const { row } = this.run.locate(this.time);
    const target = Math.min(this.run.time.length - 1, Math.max(0, row + direction));
    this.seek(this.run.time[target]!);
  }
}
