/** Tags of the pages visited in this tab: the pure rules, with React's state and the session storage. */
import { useCallback, useEffect, useMemo, useState } from "react";
import {
  close,
  restoreTags,
  settle,
  storedTags,
  visit,
  type CloseAction,
  type Tag,
  type TagPage,
} from "../../shared/domain/tags.ts";
import { readSession, TAGS_KEY, writeSession } from "../storage.ts";

export interface Tags {
  readonly list: readonly Tag[];
  /** @returns the address to go to when the shown page was closed; null when it stays */
  close(action: CloseAction, path: string): string | null;
}

interface State {
  readonly visited: readonly Tag[];
  /** Address of the last recorded visit; "" while redirecting. */
  readonly at: string;
}

/**
 * @param owner the person and company; tags of another owner are never shown
 * @param pages pages that may have a tag, whatever their tags were
 * @param at the page at the path of a tag, for those that are not among them
 * @param active the shown page, which becomes a tag; null while redirecting
 * @param to address of the shown page with query and hash
 */
export function useTags(
  owner: string,
  pages: readonly TagPage[],
  at: (path: string) => TagPage | undefined,
  active: TagPage | null,
  to: string,
): Tags {
  // Keeps also tags of pages that the menus do not contain now. They are hidden, and come back with their menu entry.
  const [{ visited, at: recorded }, setState] = useState<State>(() => ({
    visited: restoreTags(readSession(TAGS_KEY), owner),
    at: "",
  }));
  const here = active === null ? "" : to;
  if (recorded !== here) {
    setState({ visited: active === null ? visited : visit(visited, active, to), at: here });
  }
  useEffect(() => writeSession(TAGS_KEY, storedTags(owner, visited)), [owner, visited]);

  const list = useMemo(() => {
    const known = new Set(pages.map((page) => page.path));
    const others = visited.flatMap((tag) => (known.has(tag.path) ? [] : (at(tag.path) ?? [])));
    return settle(visited, [...pages, ...others]);
  }, [visited, pages, at]);
  const path = active?.path ?? null;
  const shut = useCallback(
    (action: CloseAction, around: string) => {
      const { tags, goTo } = close(list, action, around, path);
      setState((now) => ({ ...now, visited: tags }));
      return goTo;
    },
    [list, path],
  );
  return { list, close: shut };
}
