/** Who is meant by the names after an @ in a text. Pure. */

/** How everybody in a group is called. */
const EVERYBODY = ["所有人", "all"];

/**
 * @param names by chat user name
 * @returns chat user names, or "ALL" for everybody
 */
export function mentionedIn(
  text: string,
  names: Readonly<Record<string, string>>,
): readonly string[] | "ALL" {
  if (!/[@＠]/.test(text)) return [];
  const called = (name: string): boolean =>
    name !== "" && (text.includes(`@${name}`) || text.includes(`＠${name}`));
  if (EVERYBODY.some(called)) return "ALL";
  return Object.keys(names).filter((userName) => called(names[userName] ?? "") || called(userName));
}
