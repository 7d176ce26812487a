// Words for health, the only measure that other seats may see.

const WHOLE = /^(unhurt|fresh|well|healthy|sound|unharmed)/i;
const OUT = /^(dead|down|unconscious|comatose|disabled|out|insane|wrecked|destroyed|overwhelmed|gone|captured|fled|yielded)/i;
const GRAVE = /(dying|mortal|badly|severe|incapacitated|critical|last legs)/i;
const LIGHT = /(stunned|tired|scratched|light|slight|winded|shaken)/i;

/** Quarters of health of a word. */
export function quarters(word: string): number {
  if (WHOLE.test(word)) return 100;
  if (OUT.test(word)) return 0;
  if (GRAVE.test(word)) return 25;
  return LIGHT.test(word) ? 75 : 50;
}
