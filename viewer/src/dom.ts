// Elements made in one line. Text always goes in as text, never as HTML: names come from models of strangers.

type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;

/** `el('button', {class: 'x', onclick: f}, 'text', child)` */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: (Node | string | null | undefined | false)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** A titled box of the page. */
export function panel(title: string, className: string, ...tools: (Node | string)[]): { box: HTMLElement; body: HTMLElement } {
  const body = el('div', { class: 'body' });
  const box = el('section', { class: `panel ${className}`, 'aria-label': title },
    el('header', {}, el('h2', {}, title), el('div', { class: 'tools' }, ...tools)), body);
  return { box, body };
}

export const css = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** A canvas as sharp as the screen; `draw` is called with CSS pixels whenever its size changes. */
export function sharpCanvas(canvas: HTMLCanvasElement, draw: () => void): () => CanvasRenderingContext2D | null {
  new ResizeObserver(() => draw()).observe(canvas);
  return () => {
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return null;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (canvas.width !== w || canvas.height !== h) (canvas.width = w), (canvas.height = h);
    const context = canvas.getContext('2d')!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  };
}
