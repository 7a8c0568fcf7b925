/** What a combined message says about the messages in it. Pure. */
import {
  CHAT_COMBINED_SUMMARY_MAX,
  CHAT_COMBINED_TITLE_MAX,
} from "../../../../shared/domain/chat-limits.ts";

/** Messages of the summary, and characters of each. */
const LINES = 4;
const LINE_MAX = 60;

/** At most `max` characters; no pair of code units is cut apart, which the wire would refuse. */
export const cutAt = (text: string, max: number): string => {
  let cut = "";
  for (const character of text) {
    if (cut.length + character.length > max) break;
    cut += character;
  }
  return cut;
};

/** @param messages oldest first, each with its writer's name and its text in one line */
export function combinedWords(
  title: string,
  messages: readonly { readonly name: string; readonly text: string }[],
): { readonly title: string; readonly summary: string } {
  const lines = messages.slice(0, LINES).map(({ name, text }) => {
    const line = cutAt(`${name}：${text}`, LINE_MAX);
    return line.length < name.length + 1 + text.length ? `${line}…` : line;
  });
  return {
    title: cutAt(title, CHAT_COMBINED_TITLE_MAX),
    summary: cutAt(lines.join("\n"), CHAT_COMBINED_SUMMARY_MAX),
  };
}
