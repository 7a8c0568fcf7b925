/** The marks over the streams of the conference as this tab shows them (docs/conferences.md#annotations). */
import {
  applyBoardChanges,
  type Board,
  boardOf,
  emptyBoard,
} from "../shared/domain/annotations.ts";
import type { WatchMarks } from "./contracts.ts";

/** What changed: the marks of this stream, by these people (chat user names; empty when the whole board came). */
export interface MarksChanged {
  readonly streamId: string;
  readonly by: ReadonlySet<string>;
}

export interface Marks {
  /** The marks over a stream; an empty board when there are none. It is changed in place, never edit it. */
  board(streamId: string): Board;
  /** The marks are watched as long as there is a handler. @returns a function that removes the handler */
  subscribe(handler: (changed: MarksChanged) => void): () => void;
}

const NOBODY: ReadonlySet<string> = new Set();

export function createMarks(watch: WatchMarks): Marks {
  const boards = new Map<string, Board>();
  const handlers = new Set<(changed: MarksChanged) => void>();
  let watching: { end(): void } | null = null;
  const report = (streamId: string, by: ReadonlySet<string>): void => {
    for (const handler of Array.from(handlers)) handler({ streamId, by });
  };
  const begin = (): { end(): void } =>
    watch((event) => {
      if (event.t === "boards") {
        const before = [...boards.keys()];
        boards.clear();
        for (const copy of event.boards) boards.set(copy.streamId, boardOf(copy));
        for (const id of new Set([...before, ...boards.keys()])) report(id, NOBODY);
      } else if (event.t === "changes") {
        const { streamId, changes } = event;
        const board = boards.get(streamId) ?? emptyBoard();
        boards.set(streamId, board);
        // After a gap the core sends the whole board.
        if (applyBoardChanges(board, event)) report(streamId, new Set(changes.map(({ by }) => by)));
      } else if (event.t === "gone" && boards.delete(event.streamId)) {
        report(event.streamId, NOBODY);
      }
    });

  return {
    board: (streamId) => boards.get(streamId) ?? emptyBoard(),
    subscribe(handler) {
      // The same function may be added twice.
      const added = (changed: MarksChanged): void => handler(changed);
      handlers.add(added);
      watching ??= begin();
      return () => {
        handlers.delete(added);
        if (handlers.size > 0) return;
        watching?.end();
        watching = null;
        boards.clear();
      };
    },
  };
}
