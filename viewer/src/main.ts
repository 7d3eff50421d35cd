import './style.css';
import { Api } from './api';
import { make } from './dom';
import { parseLink } from './link';
import { loadFrames, loadScene, loadSeries, loadSoil } from './load';
import type { RunDescription } from './protocol';
import { SoilHistory } from './soil';
import { RunStore } from './store';
import { Viewer } from './viewer';

function tell(root: HTMLElement, text: string): void {
  root.querySelector('.message')?.remove();
  root.append(make('div', { class: 'message panel', role: 'alert' }, text));
}

async function open(root: HTMLElement): Promise<void> {
  const { token } = parseLink(location.hash);
  if (!token) throw new Error('The address lacks its token: use the one that the program printed.');
  const api = new Api(token);
  const about = await api.json<RunDescription>('run');
  document.title = `${about.scene.name} – Grouser`;
  const store = new RunStore(about);
  const soil = about.soil ? new SoilHistory(about.soil) : null;
  const scene = await loadScene(api, about);
  if (about.mode === 'live') {
    new Viewer(root, api, store, scene, soil).start();
    return;
  }
  let viewer: Viewer | null = null;
  const soilLoaded = soil ? loadSoil(api, soil) : Promise.resolve();
  const framesLoaded = loadFrames(api, store, () => viewer?.refresh());
  await Promise.all([framesLoaded, soilLoaded]);
  viewer = new Viewer(root, api, store, scene, soil);
  viewer.start();
  await loadSeries(api, store);
  viewer.plots.rebuild();
  viewer.refresh();
}

const root = document.getElementById('app') as HTMLElement;
tell(root, 'Loading …');
open(root).catch((problem: Error) => tell(root, problem.message));
