/** Which names are offered after an @ in the composer (docs/chat.md#list). Pure. */
import type { GroupMember } from "../../contacts/useGroupMembers.ts";

/** Characters after the @ up to which names are offered. */
const LONGEST = 20;
/** Names that are offered at once. */
const OFFERED = 50;

/** The word that is being typed after an @: where the @ stands, and the word. Null when none is; the @ of an address is none. */
export function mentionWord(
  text: string,
  caret: number,
): { readonly from: number; readonly word: string } | null {
  const before = text.slice(0, caret);
  const from = Math.max(before.lastIndexOf("@"), before.lastIndexOf("＠"));
  if (from < 0 || /[\w.-]/.test(before.charAt(from - 1))) return null;
  const word = before.slice(from + 1);
  return word.length > LONGEST || /\s/.test(word) ? null : { from, word };
}

export interface Mentionable {
  /** Null: everybody in the group. */
  readonly userName: string | null;
  /** What stands after the @. */
  readonly name: string;
  /** What the member is called in the group; "" for the own name. */
  readonly card: string;
  readonly avatar: string;
}

/** The people of a group whose name, or name in the group, contains the word. Everybody stands first. */
export function mentionable(
  members: readonly GroupMember[],
  word: string,
  { self, all }: { readonly self: string | null; readonly all: string },
): Mentionable[] {
  const wanted = word.toLowerCase();
  const people = members
    .filter(({ userName }) => userName !== self)
    .map(({ userName, name, card, avatar }) => ({ userName, name, card, avatar }));
  return [{ userName: null, name: all, card: "", avatar: "" }, ...people]
    .filter(({ name, card }) => `${name}\n${card}`.toLowerCase().includes(wanted))
    .slice(0, OFFERED);
}
