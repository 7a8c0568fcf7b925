const CALL = /(?:^|\s)(?:it|test)(?:\.each\([^]*\))?\($/;

/** Whether a test of this title runs in a test file: a call of `it` or `test`, or a function of `rowChecks`. */
export function runsTest(source: string, title: string): boolean {
  const [before = "", ...rest] = source.split(`"${title}"`);
  if (rest.length === 0) return false;
  const isCall = CALL.test(before.trimEnd());
  const isCheck = before.includes("rowChecks({") && rest[0]?.startsWith(":") === true;
  return isCall || isCheck;
}

/** Without the differences that the formatter makes when a call of `covers` is too long for a line. */
const inOneLine = (source: string): string =>
  source
    .replaceAll(/\s+/g, " ")
    .replaceAll(/([([]) /g, "$1")
    .replaceAll(/,? ([)\]])/g, "$1");

/**
 * How many tests of a file have this part in their titles. A title is a text in quotation marks or a template, or a call of `covers`
 * (src/server/covers.harness.ts).
 *
 * @param part in one line
 */
export function testsWith(source: string, part: string): number {
  const isCovers = part.startsWith("covers(");
  const text = isCovers ? inOneLine(source) : source;
  let found = 0;
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const quote = Math.max(text.lastIndexOf('"', at), text.lastIndexOf("`", at));
    const begin = isCovers ? at : quote;
    if (begin === -1 || text.slice(begin, at).includes("\n")) continue;
    if (CALL.test(text.slice(0, begin).trimEnd())) found += 1;
  }
  return found;
}
