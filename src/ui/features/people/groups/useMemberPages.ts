/** The members of a group by pages of the server, each asked when its rows come near the visible part. */
import { useCallback, useEffect, useRef, useState } from "react";
import { keepTrying } from "../../../state/recover.ts";
import { useCore, useCoreState } from "../../../state/services.ts";
import type { GroupMember } from "../../contacts/useGroupMembers.ts";

/** Members of a page. */
const MEMBER_PAGE = 200;
/** ms after the last key before a search is sent. */
const PAUSE = 250;

interface Found {
  readonly word: string;
  /** Null until the first page has come. */
  readonly total: number | null;
  readonly pages: ReadonlyMap<number, readonly GroupMember[]>;
}

export function useMemberPages(groupId: string, revision: number, keyword: string) {
  const core = useCore();
  const coreState = useCoreState();
  const [word, setWord] = useState("");
  const [found, setFound] = useState<Found>({ word: "", total: null, pages: new Map() });
  const [failed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  /** The first and the last page that the visible part needs. */
  const [wanted, setWanted] = useState({ from: 1, to: 1 });
  /** What was asked of these members, so that nothing is asked twice. */
  const asked = useRef({ query: "", pages: new Set<number>() });

  useEffect(() => {
    const timer = setTimeout(() => setWord(keyword.trim()), keyword.trim() === "" ? 0 : PAUSE);
    return () => clearTimeout(timer);
  }, [keyword]);

  const { from, to } = wanted;
  useEffect(() => {
    if (coreState.state !== "ready") return;
    // a change of the group makes every page old; the rows stay until the new ones come
    const query = JSON.stringify([groupId, revision, word, attempt]);
    if (asked.current.query !== query) asked.current = { query, pages: new Set() };
    const { pages } = asked.current;
    const isOld = (): boolean => asked.current.query !== query;
    const ask = (cursor: number): Promise<void> =>
      core.commands.group.memberPage({ groupId, keyword: word, cursor }).then((page) => {
        if (isOld()) return;
        setFailed(false);
        setFound((now) => ({
          word,
          total: page.total,
          pages: new Map(now.word === word ? now.pages : []).set(cursor, page.members),
        }));
      });
    for (let cursor = from; cursor <= to; cursor += 1) {
      if (pages.has(cursor)) continue;
      pages.add(cursor);
      keepTrying(
        () => ask(cursor),
        () => {
          if (!isOld()) setFailed(true);
        },
        () => isOld() || core.state.session.status === "anonymous",
      );
    }
  }, [core, groupId, revision, word, attempt, coreState.state, from, to]);

  const need = useCallback((first: number, last: number): void => {
    const pageOf = (at: number): number => Math.floor(at / MEMBER_PAGE) + 1;
    const next = { from: pageOf(first), to: pageOf(last) };
    setWanted((now) => (now.from === next.from && now.to === next.to ? now : next));
  }, []);
  const retry = useCallback(() => {
    setFailed(false);
    setAttempt((n) => n + 1);
  }, []);
  const at = (index: number): GroupMember | undefined =>
    found.pages.get(Math.floor(index / MEMBER_PAGE) + 1)?.[index % MEMBER_PAGE];
  return { total: found.total, at, failed, need, retry };
}
