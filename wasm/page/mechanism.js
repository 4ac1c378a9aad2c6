// The slider-crank at one sample, and its wrist joint magnified.
import { begin, colour } from './plots.js';

const crankLength = 0.05, rodLength = 0.12, bearing = 0.01;  // m, as in the model

export function drawMechanism(canvas, run, at, { clearance, force, largestForce }) {
  const { context, width, height } = begin(canvas);
  const value = (name) => run.column(name)[at];
  const lens = Math.min(height * 0.36, width * 0.2);
  const room = width - 2 * lens - 50;
  const scale = Math.min(room / 0.28, height / 0.15);
  const x = (v) => room / 2 + (v - 0.072) * scale + 10, y = (v) => height / 2 - v * scale;
  const crank = value('crank.angle'), rod = value('rod.angle');
  const pin = [crankLength * Math.cos(crank), crankLength * Math.sin(crank)];
  const half = rodLength / 2;
  const journal = [value('rod.x') + half * Math.cos(rod), value('rod.y') + half * Math.sin(rod)];
  const slider = [value('slider.x'), 0];
  const bar = (from, to, style, thick) => {
    context.strokeStyle = style;
    context.lineWidth = thick;
    context.lineCap = 'round';
    context.beginPath();
    context.moveTo(x(from[0]), y(from[1]));
    context.lineTo(x(to[0]), y(to[1]));
    context.stroke();
  };
  const disc = (centre, radius, fill, stroke) => {
    context.beginPath();
    context.arc(x(centre[0]), y(centre[1]), radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    if (stroke) { context.strokeStyle = stroke; context.lineWidth = 1.5; context.stroke(); }
  };
  // The guide, the slider, the rod, the crank.
  context.strokeStyle = colour('--line');
  context.lineWidth = 3;
  for (const side of [-1, 1]) {
    context.beginPath();
    context.moveTo(x(0.055), y(0.019 * side));
    context.lineTo(x(0.195), y(0.019 * side));
    context.stroke();
  }
  context.fillStyle = colour('--steel');
  context.beginPath();
  context.roundRect(x(slider[0] - 0.022), y(0.017), 0.044 * scale, 0.034 * scale, 4);
  context.fill();
  disc(slider, bearing * scale, colour('--panel'), colour('--quiet'));
  bar([0, 0], pin, colour('--quiet'), 12);
  bar(pin, journal, colour('--primary'), 8);
  disc([0, 0], 6, colour('--panel'), colour('--quiet'));
  disc(pin, 5, colour('--panel'), colour('--primary'));
  disc(journal, Math.max(2, (bearing - clearance) * scale), colour('--primary'));

  // The joint under a lens: radii as drawn are not to scale, the place of the journal in its play is.
  const centre = [width - lens - 14, height / 2];
  const inner = lens * 0.62, play = lens - 10 - inner;
  context.fillStyle = colour('--page');
  context.strokeStyle = colour('--steel');
  context.lineWidth = 6;
  context.beginPath();
  context.arc(...centre, lens - 7, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
  const ex = value('wrist.ex') / clearance, ey = value('wrist.ey') / clearance;
  const place = [centre[0] + ex * play, centre[1] - ey * play];
  context.fillStyle = colour('--primary');
  context.beginPath();
  context.arc(...place, inner, 0, 2 * Math.PI);
  context.fill();
  // The force on the journal, through the point of contact.
  if (force > 0 && (ex || ey)) {
    const length = Math.hypot(ex, ey), along = [ex / length, -ey / length];
    const touch = [place[0] + along[0] * inner, place[1] + along[1] * inner];
    const long = (inner * 1.7 * force) / largestForce;
    const tip = [touch[0] - along[0] * long, touch[1] - along[1] * long];
    context.strokeStyle = colour('--accent');
    context.fillStyle = colour('--accent');
    context.lineWidth = 3;
    context.lineCap = 'butt';
    context.beginPath();
    context.moveTo(...touch);
    context.lineTo(...tip);
    context.stroke();
    context.beginPath();
    context.arc(...touch, 4, 0, 2 * Math.PI);
    context.fill();
    if (long > 12) {
      context.beginPath();
      context.moveTo(...tip);
      context.lineTo(tip[0] + along[0] * 11 + along[1] * 5, tip[1] + along[1] * 11 - along[0] * 5);
      context.lineTo(tip[0] + along[0] * 11 - along[1] * 5, tip[1] + along[1] * 11 + along[0] * 5);
      context.fill();
    }
  }
  context.fillStyle = colour('--quiet');
  context.textAlign = 'center';
  const words = 'the wrist joint, its play magnified';
  const middle = Math.min(centre[0], width - context.measureText(words).width / 2 - 4);
  context.fillText(words, middle, centre[1] + lens + 14 > height - 4 ? height - 6 : centre[1] + lens + 14);
}
