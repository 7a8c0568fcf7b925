/** Whether a test of this title runs in a test file: a call of `it` or `test`, or a function of `rowChecks`. */
export function runsTest(source: string, title: string): boolean {
  const [before = "", ...rest] = source.split(`"${title}"`);
  if (rest.length === 0) return false;
  const isCall = /(?:^|\s)(?:it|test)(?:\.each\([^]*\))?\($/.test(before.trimEnd());
  const isCheck = before.includes("rowChecks({") && rest[0]?.startsWith(":") === true;
  return isCall || isCheck;
}
