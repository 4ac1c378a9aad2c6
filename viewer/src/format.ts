// Numbers for people: four digits, a metric prefix where the unit takes one.

const prefixes: [number, string][] = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, ''], [1e-3, 'm'], [1e-6, 'µ'], [1e-9, 'n']];
const prefixed = new Set(['m', 's', 'N', 'J', 'W', 'N m', 'm/s', 'N s', 'Pa']);

export interface Scale { factor: number; unit: string }

/** The prefix that suits numbers of this size: 0.0005 m → 1e-3, "mm". */
export function scaleFor(unit: string, size: number): Scale {
  if (unit === '1') return { factor: 1, unit: '' };
  if (!prefixed.has(unit) || !(size > 0) || !isFinite(size)) return { factor: 1, unit };
  // Nobody speaks of kiloseconds and kilometres a second.
  const small = unit === 's' || unit === 'm/s';
  for (const [factor, letter] of prefixes) if (small && factor > 1) continue; else if (size >= 0.999999 * factor) return { factor, unit: letter + unit };
  return { factor: 1, unit };
}

export function plain(value: number, digits = 4): string {
  if (!isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
    return `${mantissa!.replace(/\.?0+$/, '')}e${Number(exponent)}`;
  }
  return String(Number(value.toPrecision(digits))).replace('-', '−');
}

/** "4.386 m/s", "78.01 µm". */
export function quantity(value: number, unit: string, digits = 4): string {
  if (!isFinite(value)) return '–';
  const scale = scaleFor(unit, Math.abs(value));
  // What is smaller than the smallest prefix is written in powers of ten.
  return `${plain(value / scale.factor, digits)}${scale.unit ? ' ' + scale.unit : ''}`;
}

export const pretty = (unit: string) => unit.replace(/\^2/g, '²').replace(/\^3/g, '³').replace(/ /g, ' ');

export const count = (n: number) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ' ');

/** Time with as many digits as tell neighbouring samples apart. */
export function clockText(t: number, duration: number): string {
  const scale = scaleFor('s', duration);
  return `${(t / scale.factor).toFixed(duration / scale.factor >= 100 ? 3 : 4)} ${scale.unit}`;
}
