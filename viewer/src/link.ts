// The state of the view stands in the address, behind the #, so that a link shows the same picture.

export interface ViewState {
  time: number | null;
  camera: number[] | null; // eye x y z, target x y z [m]
  colouring: string | null;
  speed: number | null;
  shown: string | null; // what is switched on, a letter each
  wheel: string | null;
}

export function parseLink(hash: string): ViewState & { token: string } {
  const words = new URLSearchParams(hash.replace(/^#/, ''));
  const number = (name: string) => {
    const value = Number.parseFloat(words.get(name) ?? '');
    return Number.isFinite(value) ? value : null;
  };
  const camera = (words.get('cam') ?? '').split(',').map(Number);
  return {
    token: words.get('token') ?? '',
    time: number('t'),
    camera: camera.length === 6 && camera.every(Number.isFinite) ? camera : null,
    colouring: words.get('k'),
    speed: number('speed'),
    shown: words.get('show'),
    wheel: words.get('wheel'),
  };
}

export function linkOf(token: string, state: ViewState): string {
  const words = [`token=${token}`];
  if (state.time !== null) words.push(`t=${state.time.toFixed(3)}`);
  if (state.camera) words.push(`cam=${state.camera.map((x) => x.toFixed(3)).join(',')}`);
  if (state.colouring) words.push(`k=${state.colouring}`);
  if (state.speed !== null && state.speed !== 1) words.push(`speed=${state.speed}`);
  if (state.shown !== null) words.push(`show=${state.shown}`);
  if (state.wheel) words.push(`wheel=${encodeURIComponent(state.wheel)}`);
  return `#${words.join('&')}`;
}
