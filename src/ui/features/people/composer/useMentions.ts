/** The list of names after an @ in the composer: arrow keys move, Enter and Tab choose, Escape closes. */
import { type KeyboardEvent, useMemo, useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { useSlice } from "../../../state/services.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { mentionable, type Mentionable, mentionWord } from "./mention-word.ts";
import type { GroupMember } from "../../contacts/useGroupMembers.ts";

const NONE: readonly Mentionable[] = [];

export interface Mentions {
  /** Empty while no name is being typed. */
  readonly list: readonly Mentionable[];
  readonly active: number;
  /** @returns whether the key was for the list */
  onKey(event: KeyboardEvent): boolean;
  /** The caret has moved. */
  onCaret(at: number): void;
  pick(person: Mentionable): void;
}

export function useMentions(
  text: string,
  members: readonly GroupMember[] | null,
  /** Replaces the characters between two places. */
  replace: (from: number, to: number, added: string) => void,
): Mentions {
  const label = useTexts(CHAT_TEXTS);
  const { chatUserName: self } = useSlice("session");
  const [caret, setCaret] = useState(0);
  const [chosen, setChosen] = useState({ mention: "", at: 0 });
  /** The text for which the person closed the list. */
  const [closed, setClosed] = useState<string | null>(null);
  const found = members === null ? null : mentionWord(text, caret);
  const key = found === null ? null : `${found.from}:${found.word}`;
  // a new @ opens the list again
  if (found === null && closed !== null) setClosed(null);
  const word = found?.word ?? null;
  const list = useMemo(
    () =>
      members === null || word === null || closed === key
        ? NONE
        : mentionable(members, word, { self, all: label("everybody") }),
    [members, word, closed, key, self, label],
  );
  const active = chosen.mention === key ? Math.min(chosen.at, Math.max(0, list.length - 1)) : 0;
  const pick = (person: Mentionable): void => {
    if (found === null) return;
    replace(found.from, caret, `@${person.name} `);
    setCaret(found.from + person.name.length + 2);
  };
  return {
    list,
    active,
    onCaret: setCaret,
    pick,
    onKey(event) {
      if (list.length === 0 || key === null || event.nativeEvent.isComposing) return false;
      const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
      const person = list[active];
      if (move !== 0) setChosen({ mention: key, at: (active + move + list.length) % list.length });
      else if (event.key === "Escape") setClosed(key);
      else if ((event.key === "Enter" || event.key === "Tab") && person !== undefined) pick(person);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
