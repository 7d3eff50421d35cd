import { Vector3, type PerspectiveCamera } from 'three';
import { digits, make } from './dom';
import type { Colouring } from './soil_material';

const kTitles: Record<Colouring, string> = {
  ruts: 'Change of the ground',
  relief: 'Height of the ground',
  slope: 'Slope of the ground',
  natural: '',
};
const kGradients: Record<Colouring, string> = {
  // The colours of soil_material.ts, as the screen shows them.
  ruts: 'linear-gradient(90deg,#1a3586,#3f94ce 25%,#95ccdb 49%,#b9764a 50%,#f3c482 51%,#cc3b30)',
  relief: 'linear-gradient(90deg,#3f0f55,#505d8c 33%,#27988b 66%,#fde725)',
  slope: 'linear-gradient(90deg,#3f0f55,#505d8c 33%,#27988b 66%,#fde725)',
  natural: '',
};

/** What lies over the picture: legend, scale bar, north and gravity. */
export class Hud {
  readonly element: HTMLElement;
  private readonly legend = make('div', { class: 'legend' });
  private readonly bar = make('div', { class: 'bar' });
  private readonly barText = make('span');
  private readonly north: SVGElement;
  private readonly down: SVGElement;

  constructor(private readonly gravity: Vector3) {
    const compass = make('div', { class: 'compass', title: 'N: along +y. g: gravity as seen from here' });
    compass.innerHTML =
      '<svg viewBox="-30 -30 60 60" width="60" height="60"><circle r="27"/>' +
      '<g class="north"><path d="M0 -22 L6 0 L0 -4 L-6 0Z"/><path class="south" d="M0 22 L6 0 L0 4 L-6 0Z"/><text y="-12">N</text></g></svg>' +
      '<svg viewBox="-30 -30 60 60" width="60" height="60"><circle r="27"/><g class="down"><path d="M0 -18 V12 M-6 6 L0 18 L6 6"/></g><text x="12" y="-8">g</text></svg>';
    this.north = compass.querySelector('.north') as SVGElement;
    this.down = compass.querySelector('.down') as SVGElement;
    const scale = make('div', { class: 'scale-bar' }, this.barText, this.bar);
    this.element = make('div', { class: 'hud' }, this.legend, scale, compass);
  }

  setLegend(colouring: Colouring, low: number, high: number): void {
    this.legend.hidden = colouring === 'natural';
    const [unit, factor] = colouring === 'ruts' ? ['mm', 1000] : colouring === 'relief' ? ['m', 1] : ['°', 1];
    const strip = make('div', { class: 'strip' });
    strip.style.background = kGradients[colouring];
    const number = (value: number) => `${value > 0 && colouring === 'ruts' ? '+' : ''}${digits(value * factor, 3)}`;
    const middle = colouring === 'ruts' ? '0' : number((low + high) / 2);
    this.legend.replaceChildren(
      make('b', {}, `${kTitles[colouring]} [${unit}]`),
      strip,
      make('div', { class: 'ends' }, make('span', {}, number(low)), make('span', {}, middle), make('span', {}, number(high))),
    );
  }

  update(camera: PerspectiveCamera, metresPerPixel: number): void {
    const wanted = metresPerPixel * 120;
    const power = 10 ** Math.floor(Math.log10(wanted));
    const length = power * (wanted / power >= 5 ? 5 : wanted / power >= 2 ? 2 : 1);
    this.bar.style.width = `${length / metresPerPixel}px`;
    this.barText.textContent = length >= 1 ? `${length} m` : length >= 0.01 ? `${Math.round(length * 100)} cm` : `${Math.round(length * 1000)} mm`;
    const ahead = camera.getWorldDirection(new Vector3());
    const looksDown = Math.hypot(ahead.x, ahead.y) < 1e-3;
    const up = new Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
    const heading = looksDown ? Math.atan2(up.x, up.y) : Math.atan2(ahead.x, ahead.y);
    this.north.setAttribute('transform', `rotate(${(-heading * 180) / Math.PI})`);
    const pull = this.gravity.clone().normalize().applyQuaternion(camera.quaternion.clone().invert());
    const length2 = Math.hypot(pull.x, pull.y);
    const angle = (Math.atan2(-pull.x, -pull.y) * 180) / Math.PI;
    this.down.setAttribute('transform', `rotate(${angle}) scale(1 ${Math.max(0.15, length2)})`);
  }
}
