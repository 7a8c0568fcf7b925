/** Names of files and folders in what people read, comments and documents, and which of them exist (CONTRIBUTING.md#comments). */

/** Endings of files that people write in this project. */
const ENDING = "(?:tsx?|d\\.mts|mts|mjs|js|md|sql|css|html|jsonc?)";
const NAME: readonly RegExp[] = [
  // with an ending: message-list.tsx, ../calls/store.ts, read/ahead-*.ts
  new RegExp(
    `(?<![\\w./*@#%&=?:-])(?:\\.{1,2}/)*[\\w<@][\\w./*<>@-]*\\.${ENDING}(?![\\w(/-]|\\.\\w)`,
    "g",
  ),
  // a list of tests: tests/smoke.list
  /(?<![\w./-])(?:[\w-]+\/)+[\w-]+\.list\b/g,
  // a folder with its slash: base/cluster/
  /(?<![\w./:*<>@{}%-])(?:\.{1,2}\/)*[a-z][\w-]*(?:\/[\w-]+)*\/(?![\w*<{$.…])/g,
  // a path in code marks: `base/signalling`
  /(?<=`)(?:\.{1,2}\/)*[a-z][\w.-]*(?:\/[\w.*<>-]+)+(?=`)/g,
];
/** What builds and runs write. */
const MADE = /^(?:dist|dist-server|dist-lib|data|node_modules|\.artifacts)\//;

const COMMENT = /(?:(?<![:"'`])\/\/|\/\*\*?|^\s*\*) (.*)$/gm;
const SQL_COMMENT = /--\s(.*)$/gm;
const commentIn = (path: string): RegExp => (path.endsWith(".sql") ? SQL_COMMENT : COMMENT);

/** The comments of a source, without its code. */
export const commentsOf = (path: string, source: string): string =>
  [...source.matchAll(commentIn(path))]
    .map(([, text = ""]) => text.replace(/\*\/.*$/, ""))
    .join("\n");

/** What the code of a source has between quotation marks, each in a line. */
export const stringsOf = (path: string, source: string): string =>
  [...source.replaceAll(commentIn(path), "").matchAll(/(["'`])((?:(?!\1).)*)\1/g)]
    .map(([, , text = ""]) => `${text}\n`)
    .join("");

/** @returns the names of files and folders in a text, each once */
export const namesIn = (text: string): string[] => [
  ...new Set(NAME.flatMap((pattern) => [...text.matchAll(pattern)].map(([name]) => name))),
];

export interface Project {
  /** Whether a name in the file `from` names a file or folder. A name may leave out the folders at its beginning. */
  has(name: string, from: string): boolean;
}

/**
 * @param files paths of all files
 * @param strings what code has between quotation marks: an address, a code or a MIME type is no name of a file
 */
export function createProject(files: readonly string[], strings: string): Project {
  const paths = new Set<string>();
  for (const file of files) {
    const parts = file.split("/");
    for (let end = 1; end <= parts.length; end += 1) paths.add(parts.slice(0, end).join("/"));
  }
  const ends = new Set<string>();
  for (const path of paths) {
    const parts = path.split("/");
    for (let begin = 0; begin < parts.length; begin += 1) ends.add(parts.slice(begin).join("/"));
  }
  const isText = (name: string): boolean =>
    new RegExp(`(?<![\\w-])${escaped(name)}(?![\\w-])`).test(strings);
  const isPattern = (name: string): boolean => /[*<]|NNNN/.test(name);
  const fits = (name: string): boolean => {
    const pattern = escaped(name)
      .replaceAll("NNNN", "\\d{4}")
      .replaceAll(/<\w+>/g, "[^/]+")
      .replaceAll("\\*\\*", ".*")
      .replaceAll("\\*", "[^/]*");
    const whole = new RegExp(`(?:^|/)${pattern}$`);
    return [...paths].some((path) => whole.test(path));
  };
  return {
    has(given, from) {
      if (MADE.test(given)) return true;
      const name = given.replace(/\/$/, "");
      if (/^\.{1,2}\//.test(name)) return paths.has(joined(from, name));
      if (isPattern(name)) return fits(name);
      return ends.has(name) || (!given.endsWith("/") && isText(name));
    },
  };
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The path that `name` means in the folder of the file `from`. */
function joined(from: string, name: string): string {
  const parts = from.split("/").slice(0, -1);
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}
