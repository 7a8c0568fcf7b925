/** What docs/specification.md says: its rows, and what is wrong with them. */
import { testsWith } from "./running-tests.ts";

export interface NamedTest {
  readonly file: string;
  /** The title, or a part of it that no other test of the file has. */
  readonly title: string;
}

export interface Row {
  /** As `§2.1`. */
  readonly section: string;
  readonly requirement: string;
  /** Files that meet it. */
  readonly where: readonly string[];
  readonly tests: readonly NamedTest[];
  /** Why there is no test; null when there is one. */
  readonly reason: string | null;
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

/** @returns the rows of all tables, each with the section of its heading */
export function rowsOf(document: string): Row[] {
  let section = "";
  return document.split("\n").flatMap((line): Row[] => {
    section = /^#+ (§[\d.]+)/.exec(line)?.[1] ?? section;
    if (!line.startsWith("| ") || /^\| (?:Requirement|-)/.test(line)) return [];
    const [requirement = "", where = "", test = ""] = cellsOf(line);
    const reason = /^– ?(.*)$/.exec(test)?.[1] ?? null;
    return [
      {
        section,
        requirement,
        where: [...where.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file),
        reason,
        tests:
          reason === null
            ? test.split("<br>").flatMap((one) => {
                const [, file = "", titles = ""] = /^`([^`]+)`: (.+)$/.exec(one) ?? [];
                const each = titles.replaceAll("`", "").split(" · ");
                return each.map((title) => ({ file, title }));
              })
            : [],
      },
    ];
  });
}

export interface Known {
  has(file: string): boolean;
  read(file: string): string;
  /** Paths of the router, without those of the menus. */
  readonly routes: readonly string[];
  /** Uris of the menus. */
  readonly uris: readonly string[];
  /** Calls of §7 as `METHOD /path`. */
  readonly calls: readonly string[];
  /** Ids of calls of §7 whose paths are not shown. */
  readonly ids: readonly string[];
}

const named = (rows: readonly Row[], section: string): Set<string> =>
  new Set(
    rows
      .filter((row) => row.section.startsWith(section))
      .flatMap(({ requirement }) =>
        [...requirement.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
      ),
  );

/** A path that ends with a slash is the beginning of any. */
const isNamed = (path: string, paths: ReadonlySet<string>): boolean =>
  paths.has(path) ||
  (path.length > 1 && path.endsWith("/") && [...paths].some((one) => one.startsWith(path)));

/** @returns what is wrong, a line each */
export function breachesOf(rows: readonly Row[], known: Known): string[] {
  const wrong: string[] = [];
  for (const { section, requirement, where, tests, reason } of rows) {
    const about = `${section} ${requirement}`;
    if (reason === "") wrong.push(`${about}: no test and no reason`);
    if (reason === null && where.length === 0) wrong.push(`${about}: says not where`);
    for (const file of where) if (!known.has(file)) wrong.push(`${about}: there is no ${file}`);
    for (const { file, title } of tests) {
      if (!known.has(file)) {
        wrong.push(`${about}: there is no test ${file}`);
        continue;
      }
      const found = testsWith(known.read(file), title);
      if (found === 1) continue;
      wrong.push(`${about}: ${found} tests of ${file} have the title ${title}`);
    }
  }
  const paths = named(rows, "§2");
  for (const path of [...known.routes, ...known.uris])
    if (!isNamed(path, paths)) wrong.push(`${path} has no row in §2`);
  const called = named(rows, "§7");
  for (const call of [...known.calls, ...known.ids])
    if (!called.has(call)) wrong.push(`${call} has no row in §7`);
  for (const call of called)
    if (/^[A-Z]+ \//.test(call) && !known.calls.includes(call))
      wrong.push(`${call} is no call of the specification`);
  return wrong;
}
