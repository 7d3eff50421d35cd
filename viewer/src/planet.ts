import { Color, Vector3 } from 'three';

/** How a place looks: only looks, nothing here is part of the run. */
export interface Planet {
  name: string;
  zenith: Color;
  horizon: Color;
  haze: number; // density of the air that hides what is far [1/m]
  sun: Color;
  sunStrength: number;
  skyStrength: number;
  stars: boolean;
  soil: Color; // lighter and darker grains
  soilDark: Color;
  rock: Color;
}

const kMars: Planet = {
  name: 'Mars',
  zenith: new Color('#8f6f55'),
  horizon: new Color('#d9ab80'),
  haze: 0.006,
  sun: new Color('#fff0dc'),
  sunStrength: 2.7,
  skyStrength: 1.25,
  stars: false,
  soil: new Color('#c08a62'),
  soilDark: new Color('#8a5a3c'),
  rock: new Color('#8d7264'),
};

const kMoon: Planet = {
  name: 'Moon',
  zenith: new Color('#000000'),
  horizon: new Color('#050506'),
  haze: 0,
  sun: new Color('#ffffff'),
  sunStrength: 3.6,
  skyStrength: 0.2,
  stars: true,
  soil: new Color('#8d8a86'),
  soilDark: new Color('#5c5a58'),
  rock: new Color('#7b7976'),
};

const kEarth: Planet = {
  name: 'Earth',
  zenith: new Color('#3f74b8'),
  horizon: new Color('#c9dbea'),
  haze: 0.004,
  sun: new Color('#fff6e6'),
  sunStrength: 3.2,
  skyStrength: 0.8,
  stars: false,
  soil: new Color('#c2a983'),
  soilDark: new Color('#8a7352'),
  rock: new Color('#8a847c'),
};

/** By the strength of gravity [m/s²]: little without air, Mars, else Earth. */
export function planetOf(gravity: readonly number[]): Planet {
  const g = Math.hypot(...gravity);
  if (g > 0 && g < 2.7) return { ...kMoon, name: g > 1.3 ? 'Moon' : 'a small body' };
  if (g > 0 && g < 6) return kMars;
  return kEarth;
}

/** Towards the sun: rather low, so that ruts show their relief. */
export const kSunDirection = new Vector3(0.15, 0.85, 0.5).normalize();
