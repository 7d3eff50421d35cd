import { make } from './dom';

/** One key: what it does, and in whose words. */
export interface Key {
  keys: string[]; // KeyboardEvent.key, with "Shift+" before it if need be
  shown: string;
  help: string;
  act: () => void;
}

/** Hears keys, unless somebody is writing, and lists them. */
export class Keys {
  readonly sheet: HTMLElement;

  constructor(private readonly list: Key[]) {
    this.sheet = make(
      'div',
      { class: 'help panel', hidden: '' },
      make('h2', {}, 'Keys'),
      make('table', {}, ...list.map((key) => make('tr', {}, make('td', {}, make('kbd', {}, key.shown)), make('td', {}, key.help)))),
      make('p', {}, 'Mouse: left orbits, right pans, the wheel zooms to the cursor, a double click selects a wheel, a click on the ground asks which wheel pressed it, and when. Touch: one finger orbits, two pan and zoom.'),
    );
    window.addEventListener('keydown', (event) => this.hear(event));
  }

  toggleHelp(): void {
    this.sheet.hidden = !this.sheet.hidden;
  }

  private hear(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || ['INPUT', 'SELECT', 'TEXTAREA'].includes(target.tagName)) return;
    const name = (event.shiftKey && event.key.startsWith('Arrow') ? 'Shift+' : '') + (event.key.length === 1 ? event.key.toLowerCase() : event.key);
    const found = this.list.find((key) => key.keys.includes(name));
    if (!found) return;
    event.preventDefault();
    found.act();
  }
}
