import { button, digits, make } from './dom';
import { alarmsOf } from './protocol';
import type { RunStore } from './store';

/** The line at the top: what is shown, how it went, and what to know. */
export class TopBar {
  readonly element: HTMLElement;
  private readonly facts = make('span', { class: 'facts' });
  private readonly warnings: HTMLButtonElement;
  private readonly sheet = make('div', { class: 'sheet panel', hidden: '' });
  private texts: string[] = [];
  live: { realTimeFactor: number; stepMs: number; state: string } | null = null;

  constructor(
    private readonly store: RunStore,
    tools: HTMLElement[],
  ) {
    const { scene } = store.about;
    this.warnings = button('', 'What the program warns of', () => {
      this.sheet.hidden = !this.sheet.hidden;
    });
    this.warnings.classList.add('warn');
    this.element = make(
      'header',
      { class: 'panel' },
      make('b', {}, 'Grouser'),
      make('span', { class: 'name', title: scene.file }, scene.name),
      this.facts,
      this.warnings,
      make('span', { class: 'tools' }, ...tools),
      this.sheet,
    );
    const alarms = alarmsOf(store.about.summary).map(({ time, name }) => `${name} (at ${digits(time, 4)} s)`);
    this.setWarnings([...alarms, ...(store.about.summary?.warnings ?? []), ...store.about.warnings]);
  }

  setWarnings(texts: string[]): void {
    this.texts = texts;
    this.warnings.hidden = texts.length === 0;
    this.warnings.textContent = `⚠ ${texts.length}`;
    this.sheet.replaceChildren(...texts.map((text) => make('p', {}, text)));
  }

  addWarning(text: string): void {
    if (!this.texts.includes(text)) this.setWarnings([...this.texts, text]);
  }

  update(row: number, time: number): void {
    const { store, live } = this;
    const contacts = store.series.get('/contacts/in_contact');
    let touching = 0;
    for (let c = 0; contacts && row < contacts.rows && c < contacts.columns; ++c) touching += contacts.at(row, c) > 0 ? 1 : 0;
    const factor = live ? live.realTimeFactor : store.about.summary?.real_time_factor;
    const words = [`t = ${time.toFixed(2)} s`];
    if (factor !== undefined) words.push(`${digits(factor, 2)}× real time`);
    if (contacts) words.push(`${touching} contacts`);
    if (live) words.push(`${digits(live.stepMs, 2)} ms per step`, live.state);
    else if (store.about.summary?.outcome) words.push(String(store.about.summary.outcome).replaceAll('_', ' '));
    else if (!store.about.complete) words.push('not finished');
    const verdict = verdictText(store.about.summary?.verdict);
    if (verdict) words.push(verdict);
    this.facts.textContent = words.join('  ·  ');
  }
}

function verdictText(verdict: unknown): string {
  if (typeof verdict === 'string') return `verdict: ${verdict}`;
  if (typeof verdict === 'object' && verdict !== null && 'pass' in verdict) return verdict.pass ? 'verdict: passed' : 'verdict: failed';
  return '';
}
