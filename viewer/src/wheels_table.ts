import { make } from './dom';
import type { RunStore } from './store';

export const kWheelColours = ['#5cc8ff', '#ffb454', '#7ee787', '#ff7b9c', '#d2a8ff', '#ffe066', '#4fd6c2', '#ff9e7a'];

interface Column {
  head: string;
  unit: string;
  title: string;
  path: string;
  factor: number;
}

export const kWheelColumns: Column[] = [
  { head: 'slip', unit: '%', title: '1 − v/(ωr) driving, ωr/v − 1 braking', path: '/wheels/slip', factor: 100 },
  { head: 'sink', unit: 'mm', title: 'sinkage below the untouched ground', path: '/wheels/sinkage', factor: 1000 },
  { head: 'load', unit: 'N', title: 'force of the ground along its normal', path: '/wheels/normal', factor: 1 },
  { head: 'pull', unit: 'N', title: 'force of the ground forwards', path: '/wheels/pull', factor: 1 },
  { head: 'torque', unit: 'N m', title: 'of the drive', path: '/wheels/torque', factor: 1 },
  { head: 'power', unit: 'W', title: 'of the drive', path: '/wheels/power', factor: 1 },
];

/** What each wheel does at the instant shown: the values of its sample, not interpolated. */
export class WheelsTable {
  readonly element: HTMLElement;
  private readonly rows: HTMLTableRowElement[] = [];
  private readonly cells: HTMLTableCellElement[][] = [];

  constructor(
    private readonly store: RunStore,
    onSelect: (wheel: number) => void,
  ) {
    const head = make('tr', {}, make('th', {}, 'wheel'));
    for (const c of kWheelColumns) head.append(make('th', { title: c.title }, c.head, make('br'), make('small', {}, c.unit)));
    const body = make('tbody');
    store.about.wheels.forEach((wheel, index) => {
      const dot = make('i', { class: 'dot' });
      dot.style.background = kWheelColours[index % kWheelColours.length];
      const row = make('tr', { tabindex: '0' }, make('td', {}, dot, shortName(wheel.name)));
      const cells = kWheelColumns.map(() => make('td'));
      row.append(...cells);
      row.addEventListener('click', () => onSelect(index));
      this.rows.push(row);
      this.cells.push(cells);
      body.append(row);
    });
    this.element = make('div', { class: 'wheels' }, make('table', {}, make('thead', {}, head), body));
  }

  update(row: number): void {
    this.cells.forEach((cells, wheel) => {
      cells.forEach((cell, k) => {
        const { path, factor } = kWheelColumns[k];
        const value = this.store.value(path, row, wheel);
        cell.textContent = value === undefined ? '–' : (value * factor).toFixed(Math.abs(value * factor) < 99.95 ? 1 : 0);
        if (k === 0) cell.classList.toggle('high', value !== undefined && Math.abs(value) > 0.6);
      });
    });
  }

  select(wheel: number): void {
    this.rows.forEach((row, index) => row.classList.toggle('selected', index === wheel));
  }
}

/** Without the name of the model, if there is one alone. */
export function shortName(name: string): string {
  return name.includes('/') ? name.slice(name.indexOf('/') + 1).replaceAll('_', ' ') : name;
}

