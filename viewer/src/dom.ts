/** Makes an element: `make('button', {title: 'Play'}, '▶')`. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(label: string, title: string, act: () => void): HTMLButtonElement {
  const element = make('button', { title, 'aria-label': title, type: 'button' }, label);
  element.addEventListener('click', () => {
    act();
    element.blur(); // so that the space bar goes on to mean play
  });
  return element;
}

/** A number with three digits that count, never in exponents where people read it. */
export function digits(value: number | undefined, count = 3): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  const size = Math.floor(Math.log10(Math.abs(value)));
  return value.toFixed(Math.min(6, Math.max(0, count - 1 - size)));
}

export function download(name: string, blob: Blob): void {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
