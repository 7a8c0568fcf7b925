/** What makes a test depend on the machine it runs on (CONTRIBUTING.md#deterministic). */

/** ms; no wait may be shorter, because a busy machine takes many times as long as a quiet one */
const SHORTEST_WAIT = 15_000;
/** Time moves only when the test moves it. */
const FAKE_CLOCK = /\bclock\.(?:advance|pass|pending)\b|useFakeTimers/;

interface Rule {
  readonly name: string;
  /** Breaches in the text, each as the words that break the rule. */
  find(source: string): string[];
}

const matches =
  (pattern: RegExp) =>
  (source: string): string[] =>
    [...source.matchAll(pattern)].map(([found]) => found);

/** The arguments of each call, as text. */
function argumentsOf(call: string, source: string): string[] {
  const found: string[] = [];
  for (let at = source.indexOf(call); at >= 0; at = source.indexOf(call, at + 1)) {
    let depth = 1;
    let end = at + call.length;
    while (depth > 0 && end < source.length) {
      if ("([{".includes(source[end]!)) depth += 1;
      if (")]}".includes(source[end]!)) depth -= 1;
      end += 1;
    }
    found.push(source.slice(at + call.length, end - 1));
  }
  return found;
}

const milliseconds = (text: string): number => Number(text.replaceAll("_", ""));

export const RULES: readonly Rule[] = [
  {
    name: "measures with the clock",
    // an age that a test gives to a file (`Date.now() - LIMIT`) is no measurement
    find: (source) =>
      FAKE_CLOCK.test(source)
        ? []
        : matches(
            /performance\.now\(\)|Date\.now\(\) ?(?:[<>]|- ?[a-z]\w*\b(?!\.))|(?:-|(?<!=)>|<) ?Date\.now\(\)/g,
          )(source),
  },
  {
    name: "waits for a time",
    find: matches(/=> setTimeout\(\s*\w+,\s*(?!\s|0\))[^)]+\)|timers\/promises|waitForTimeout\(/g),
  },
  {
    name: "measures memory or processor time",
    find: matches(/memoryUsage|cpuUsage|resourceUsage/g),
  },
  { name: "draws at random without a seed", find: matches(/Math\.random|randomInt\(/g) },
  {
    name: "uses a fixed port",
    find: matches(/\.listen\(\s*[1-9]\d{2,4}\b|\b(?:\w+_)?PORT: ?["'`][1-9]\d{2,4}\b/g),
  },
  {
    name: "has a title with a time limit",
    find: (source) =>
      FAKE_CLOCK.test(source)
        ? []
        : matches(/\b(?:it|test)(?:\.\w+)?\(\s*["`][^"`]*\bwithin [\d.,]+ ?m?s\b/g)(source),
  },
  {
    name: "waits too short a time",
    find: (source) => [
      ...[...source.matchAll(/\btimeout: ?([1-9][\d_]*)/g)]
        .filter(([, time = ""]) => milliseconds(time) < SHORTEST_WAIT)
        .map(([found]) => found),
      ...argumentsOf("vi.waitFor(", source)
        .filter((text) => !/,\s*PATIENCE,?\s*$/.test(text))
        .map((text) => `vi.waitFor(${text})`),
    ],
  },
  {
    name: "reads once what changes by itself",
    find: matches(
      /expect\(\s*await [^;]*?\.(?:allInnerTexts|count(?=\(\))|getAttribute|innerText|inputValue|isChecked|isDisabled|isEnabled|isVisible|metric|textContent)\([^;]*?;/g,
    ),
  },
];

/** @returns the rules that a test file breaks, each with the words that break it */
export const breachesOf = (source: string): string[] =>
  RULES.flatMap(({ name, find }) => find(source).map((words) => `${name}: ${words}`));
