import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Clock } from './clock';
import { button, download, make } from './dom';
import { parseCsv, spreadRows } from './plot_data';
import type { RunStore } from './store';
import { kWheelColours, shortName } from './wheels_table';

interface PlotSpec {
  id: string;
  title: string;
  unit: string;
  path: string;
  factor: number;
  labels?: string[];
  most?: number; // values beyond ± this leave the plot
}

const kDegrees = 180 / Math.PI;
const kPlots: PlotSpec[] = [
  { id: 'slip', title: 'Slip', unit: '%', path: '/wheels/slip', factor: 100, most: 100 },
  { id: 'sinkage', title: 'Sinkage', unit: 'mm', path: '/wheels/sinkage', factor: 1000 },
  { id: 'torque', title: 'Drive torque', unit: 'N m', path: '/wheels/torque', factor: 1 },
  { id: 'load', title: 'Wheel load', unit: 'N', path: '/wheels/normal', factor: 1 },
  { id: 'pull', title: 'Pull', unit: 'N', path: '/wheels/pull', factor: 1 },
  { id: 'power', title: 'Drive power', unit: 'W', path: '/wheels/power', factor: 1 },
  { id: 'steer', title: 'Steering', unit: '°', path: '/wheels/steer', factor: kDegrees },
  { id: 'attitude', title: 'Attitude', unit: '°', path: '/rovers/attitude', factor: kDegrees, labels: ['roll', 'pitch', 'yaw'] },
  { id: 'deviation', title: 'Off the path', unit: 'mm', path: '/rovers/path_deviation', factor: 1000 },
  { id: 'kinetic', title: 'Kinetic energy', unit: 'J', path: '/energy/kinetic', factor: 1 },
];
const kFirst = ['slip', 'sinkage', 'torque', 'attitude'];
const kMostRows = 1500;
const kRedraw = 250; // between new samples in the curves [ms]

/** Ends of an axis with a little room, within ± `most`. */
function rangeOf(low: number | null, high: number | null, most = Infinity): [number, number] {
  const a = Math.max(-most, low ?? 0);
  const b = Math.min(most, high ?? 1);
  const room = 0.06 * Math.max(b - a, 1e-6 * Math.max(1, Math.abs(a)));
  return [a - room, b + room];
}

/** Curves over time beside the scene. A click goes to its time. */
export class Plots {
  readonly element: HTMLElement;
  private readonly list = make('div', { class: 'plots' });
  private readonly menu = make('div', { class: 'plot-menu' });
  private readonly plots = new Map<string, uPlot>();
  private readonly chosen: Set<string>;
  private measured: { name: string; heads: string[]; columns: number[][] } | null = null;
  private drawnRows = 0;
  private drawnAt = 0;

  constructor(
    private readonly store: RunStore,
    private readonly clock: Clock,
    private readonly tell: (message: string) => void,
  ) {
    const there = this.available().map((spec) => spec.id);
    this.chosen = new Set(kFirst.filter((id) => there.includes(id)));
    if (this.chosen.size === 0) there.slice(0, 3).forEach((id) => this.chosen.add(id));
    const file = make('input', { type: 'file', accept: '.csv,.txt', hidden: '' });
    file.addEventListener('change', () => void this.readMeasured(file));
    this.element = make(
      'div',
      { class: 'plot-panel' },
      this.menu,
      this.list,
      make(
        'div',
        { class: 'plot-tools' },
        button('CSV', 'Save the shown curves as CSV', () => this.saveCsv()),
        button('Overlay CSV…', 'Draw measured values over the curves: first column time [s], heads as in the plots', () => file.click()),
        file,
      ),
    );
    this.fillMenu();
    this.rebuild();
  }

  private available(): PlotSpec[] {
    return kPlots.filter((spec) => (this.store.series.get(spec.path)?.columns ?? 0) > 0);
  }

  private fillMenu(): void {
    this.menu.replaceChildren(
      ...this.available().map((spec) => {
        const chip = button(spec.title, `${spec.title} [${spec.unit}]`, () => {
          if (!this.chosen.delete(spec.id)) this.chosen.add(spec.id);
          chip.classList.toggle('on', this.chosen.has(spec.id));
          this.rebuild();
        });
        chip.classList.toggle('on', this.chosen.has(spec.id));
        return chip;
      }),
    );
  }

  private labelsOf(spec: PlotSpec): string[] {
    const data = this.store.series.get(spec.path);
    const labels = data?.about.labels ?? [];
    const several = labels.length > (spec.labels?.length ?? 1);
    return labels.map((label, k) => (spec.labels && !several ? spec.labels[k] : shortName(label.replace(/\.[^.]*$/, ''))));
  }

  private dataOf(spec: PlotSpec): uPlot.AlignedData {
    const series = this.store.series.get(spec.path);
    const count = Math.min(this.store.rows, series?.rows ?? 0);
    const rows = spreadRows(count, kMostRows);
    const data: (number | null)[][] = [rows.map((row) => this.store.times[row])];
    for (let c = 0; c < (series?.columns ?? 0); ++c) data.push(rows.map((row) => (series?.at(row, c) ?? 0) * spec.factor));
    return this.withMeasured(spec, data) as uPlot.AlignedData;
  }

  /** Adds measured curves whose heads name this plot; both are put on one line of times. */
  private withMeasured(spec: PlotSpec, data: (number | null)[][]): (number | null | undefined)[][] {
    const columns = this.measuredColumns(spec);
    if (columns.length === 0 || !this.measured) return data;
    const times = this.measured.columns[0];
    const tables = [data as uPlot.AlignedData, [times, ...columns.map((c) => c.values)] as uPlot.AlignedData];
    return uPlot.join(tables) as (number | null | undefined)[][];
  }

  private measuredColumns(spec: PlotSpec): { head: string; values: number[] }[] {
    if (!this.measured) return [];
    const { heads, columns } = this.measured;
    const found: { head: string; values: number[] }[] = [];
    heads.forEach((head, k) => {
      if (k > 0 && head.toLowerCase().includes(spec.id)) found.push({ head, values: columns[k] });
    });
    return found;
  }

  rebuild(): void {
    for (const plot of this.plots.values()) plot.destroy();
    this.plots.clear();
    this.list.replaceChildren();
    for (const spec of this.available()) {
      if (!this.chosen.has(spec.id) || (this.store.series.get(spec.path)?.rows ?? 0) < 2) continue;
      const holder = make('div', { class: 'plot' });
      this.list.append(holder);
      this.plots.set(spec.id, this.makePlot(spec, holder));
    }
    this.drawnRows = this.store.rows;
  }

  private makePlot(spec: PlotSpec, holder: HTMLElement): uPlot {
    const axis = { stroke: '#9aa4ad', grid: { stroke: '#ffffff14', width: 1 }, ticks: { show: false }, font: '11px system-ui' };
    const curves: uPlot.Series[] = this.labelsOf(spec).map((label, k) => ({
      label,
      stroke: kWheelColours[k % kWheelColours.length],
      width: 1.25,
      points: { show: false },
      spanGaps: true,
    }));
    const measured: uPlot.Series[] = this.measuredColumns(spec).map(({ head }) => ({
      label: `${head} (measured)`,
      stroke: '#ffffff',
      dash: [5, 4],
      width: 1.5,
      points: { show: false },
      spanGaps: true,
    }));
    const plot = new uPlot(
      {
        width: Math.max(200, this.element.clientWidth - 16 || 340),
        height: 132,
        title: `${spec.title} [${spec.unit}]`,
        legend: { show: false },
        cursor: { sync: { key: 'time' }, y: false, drag: { x: false, y: false } },
        scales: { x: { time: false }, y: { range: (_, low, high) => rangeOf(low, high, spec.most) } },
        axes: [{ ...axis, size: 22 }, { ...axis, size: 44 }],
        series: [{}, ...curves, ...measured],
        hooks: { draw: [(u) => this.drawNow(u)] },
      },
      this.dataOf(spec),
      holder,
    );
    plot.over.addEventListener('click', (event) => this.clock.seek(plot.posToVal(event.offsetX, 'x')));
    return plot;
  }

  private drawNow(u: uPlot): void {
    const x = u.valToPos(this.clock.time, 'x', true);
    u.ctx.save();
    u.ctx.strokeStyle = '#ffffffcc';
    u.ctx.lineWidth = window.devicePixelRatio;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }

  /** Shows the present time, and new samples if there are any. */
  update(): void {
    if (this.element.offsetParent === null) return; // hidden
    if (this.plots.size < this.chosen.size && this.store.rows > 1) {
      this.rebuild();
    } else if (this.store.rows !== this.drawnRows) {
      if (performance.now() - this.drawnAt < kRedraw) return; // live runs bring many samples
      this.drawnAt = performance.now();
      this.drawnRows = this.store.rows;
      for (const spec of this.available()) this.plots.get(spec.id)?.setData(this.dataOf(spec));
    } else {
      for (const plot of this.plots.values()) plot.redraw(false, false);
    }
  }

  resize(): void {
    const width = Math.max(200, this.element.clientWidth - 16);
    for (const plot of this.plots.values()) plot.setSize({ width, height: 132 });
  }

  private saveCsv(): void {
    const specs = this.available().filter((spec) => this.chosen.has(spec.id));
    const heads = ['time [s]'];
    for (const spec of specs) for (const label of this.labelsOf(spec)) heads.push(`${spec.title} ${label} [${spec.unit}]`);
    const lines = [heads.join(',')];
    for (let row = 0; row < this.store.rows; ++row) {
      const numbers = [this.store.times[row]];
      for (const spec of specs) {
        const series = this.store.series.get(spec.path);
        for (let c = 0; series && c < series.columns; ++c) numbers.push(row < series.rows ? series.at(row, c) * spec.factor : Number.NaN);
      }
      lines.push(numbers.map((x) => (Number.isFinite(x) ? String(Number(x.toPrecision(9))) : '')).join(','));
    }
    download(`${this.store.about.scene.name}.csv`, new Blob([`${lines.join('\n')}\n`], { type: 'text/csv' }));
  }

  private async readMeasured(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    try {
      this.measured = { name: file.name, ...parseCsv(await file.text()) };
    } catch (problem) {
      this.tell(`${file.name}: ${(problem as Error).message}`);
      return;
    }
    const fitting = this.available().filter((spec) => this.measuredColumns(spec).length > 0);
    if (fitting.length === 0) {
      this.tell(`${file.name}: no head names a plot (${this.available().map((spec) => spec.id).join(', ')})`);
      return;
    }
    for (const spec of fitting) this.chosen.add(spec.id);
    this.fillMenu();
    this.rebuild();
  }
}
