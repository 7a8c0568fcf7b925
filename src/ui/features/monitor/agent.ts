/** What a browser's name for itself says to people: browser and system. Pure. */

const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ["Opera", /\bOPR\/(\d+)/],
  ["Firefox", /\b(?:Firefox|FxiOS)\/(\d+)/],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ["Safari", /\bVersion\/(\d+)[\d.]* .*Safari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["HarmonyOS", /HarmonyOS|OpenHarmony/],
  ["Android", /Android/],
  ["iOS", /iPhone|iPad|iPod/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux|X11/],
];

/** @returns such as "Chrome 130 · Windows"; the start of the name itself where nothing is known, "" for no name */
export function agentName(userAgent: string): string {
  const browser = BROWSERS.flatMap(([name, pattern]) => {
    const found = pattern.exec(userAgent);
    return found === null ? [] : [`${name} ${found[1] ?? ""}`.trim()];
  })[0];
  const system = SYSTEMS.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const known = [browser, system].filter((part) => part !== undefined);
  return known.length === 0 ? userAgent.slice(0, 40) : known.join(" · ");
}
