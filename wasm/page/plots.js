// Lines over time, and the orbit of the journal, on canvases.

export const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** The canvas's context, in CSS pixels, cleared. */
export function begin(canvas) {
  const ratio = window.devicePixelRatio || 1, { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
  }
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '11.5px system-ui, sans-serif';
  context.lineJoin = 'round';
  return { context, width, height };
}

/** Round numbers between two values, some `count` of them. */
export function ticks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].find((f) => f * power >= raw) * power;
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1) out.push(k * step);
  return { step, values: out };
}

const written = (value, step) => (Math.abs(value) < 1e-9 * step ? 0 : value).toFixed(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));

/** The largest magnitude says the unit: N or kN. */
export function scaled(unit, largest) {
  if (largest >= 2000) return { unit: `k${unit}`, factor: 1e-3 };
  if (largest > 0 && largest < 0.5) return { unit: `m${unit}`, factor: 1e3 };
  return { unit, factor: 1 };
}

/** Least and greatest of each pixel's samples, so that no peak is lost. */
function line(context, x, y, xs, ys, style, width) {
  context.beginPath();
  let pixel = NaN, low = 0, high = 0, last = 0;
  const close = () => {
    if (Number.isNaN(pixel)) return;
    context.lineTo(pixel, low);
    if (high !== low) context.lineTo(pixel, high);
    if (last !== high) context.lineTo(pixel, last);
  };
  for (let i = 0; i < xs.length; i += 1) {
    const at = Math.round(x(xs[i]) * 2) / 2, value = y(ys[i]);
    if (at !== pixel) {
      close();
      [pixel, low, high] = [at, value, value];
    }
    low = Math.min(low, value);
    high = Math.max(high, value);
    last = value;
  }
  close();
  context.strokeStyle = style;
  context.lineWidth = width;
  context.stroke();
}

/** `lines`: [{x, y, style, width}], the first in front; x in ms. Returns where a time is on the canvas, and which time is at a place. */
export function plot(canvas, { lines, end, unit, cursor }) {
  const { context, width, height } = begin(canvas);
  const [left, right, top, bottom] = [50, 10, 10, 34];
  let low = 0, high = 0;
  for (const { y } of lines) for (const value of y) { low = Math.min(low, value); high = Math.max(high, value); }
  if (high === low) high = low + 1;
  const { unit: shown, factor } = scaled(unit, Math.max(high, -low));
  const pad = 0.05 * (high - low);
  [low, high] = [(low - (low < 0 ? pad : 0)) * factor, (high + (high > 0 ? pad : 0)) * factor];
  const x = (t) => left + ((width - left - right) * t) / end;
  const y = (value) => top + ((height - top - bottom) * (high - value * factor)) / (high - low);
  context.fillStyle = colour('--quiet');
  context.strokeStyle = colour('--grid');
  context.lineWidth = 1;
  context.textBaseline = 'middle';
  context.textAlign = 'right';
  const levels = ticks(low, high, 5);
  for (const value of levels.values) {
    const at = Math.round(y(value / factor)) + 0.5;
    context.beginPath();
    context.moveTo(left, at);
    context.lineTo(width - right, at);
    context.stroke();
    context.fillText(written(value, levels.step), left - 6, at);
  }
  context.textAlign = 'center';
  const times = ticks(0, end, Math.max(3, Math.min(8, (width - left) / 60)));
  for (const value of times.values) context.fillText(written(value, times.step), x(value), height - bottom + 12);
  context.fillText('time, ms', (left + width - right) / 2, height - 7);
  context.save();
  context.translate(10, (top + height - bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.fillText(shown, 0, 0);
  context.restore();
  context.save();
  context.beginPath();
  context.rect(left, 0, width - left - right, height - bottom + 1);
  context.clip();
  for (const each of [...lines].reverse()) line(context, x, y, each.x, each.y, each.style, each.width ?? 1.5);
  context.strokeStyle = colour('--accent');
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x(cursor), top);
  context.lineTo(x(cursor), height - bottom);
  context.stroke();
  context.restore();
  return { timeAt: (pixel) => Math.min(end, Math.max(0, ((pixel - left) / (width - left - right)) * end)) };
}

/** The centre of the journal within the circle of its play, all in mm; `at`: the sample that is now. */
export function orbit(canvas, { ex, ey, clearance, from, at }) {
  const { context, width, height } = begin(canvas);
  const size = Math.min(width, height) / 2 - 22, reach = clearance * 1.08;
  const x = (value) => width / 2 + (size * value) / reach, y = (value) => height / 2 - (size * value) / reach;
  context.strokeStyle = colour('--grid');
  context.fillStyle = colour('--quiet');
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const marks = ticks(-clearance, clearance, 4);
  context.beginPath();
  context.moveTo(x(-reach), y(0));
  context.lineTo(x(reach), y(0));
  context.moveTo(x(0), y(-reach));
  context.lineTo(x(0), y(reach));
  context.stroke();
  for (const value of marks.values) {
    context.fillText(written(value, marks.step), x(value), height - 10);
    if (Math.abs(value) > 1e-12) context.fillText(written(value, marks.step), Math.max(16, x(-reach) - 20), y(value));
  }
  context.strokeStyle = colour('--steel');
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x(0), y(0), (size * clearance) / reach, 0, 2 * Math.PI);
  context.stroke();
  context.strokeStyle = colour('--primary');
  context.lineWidth = 1.2;
  context.beginPath();
  for (let i = from; i < ex.length; i += 1) context.lineTo(x(ex[i]), y(ey[i]));
  context.stroke();
  context.fillStyle = colour('--accent');
  context.beginPath();
  if (at < ex.length) context.arc(x(ex[at]), y(ey[at]), 4, 0, 2 * Math.PI);
  context.fill();
}
