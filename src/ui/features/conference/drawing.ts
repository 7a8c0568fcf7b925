/** Drawing over the pictures of a conference in this tab: the marks of all, over which stream the person draws, and with what. */
import {
  createContext,
  useCallback,
  useContext,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import { createMarks, type Marks } from "../../../core-client/marks.ts";
import type { DrawingStyle, Surface } from "../../../rtc-main/index.ts";
import { colourOf, MARK_SIZES } from "../../../shared/domain/annotations.ts";
import { CONFERENCE_ROLE, STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { useCore, useSlice } from "../../state/services.ts";
import type { ConferenceSlice } from "../../../shared/protocol/state.ts";
import type { Snapshot } from "valtio";
import type { Member, Stream, Tile } from "./view.ts";

export interface Drawing {
  readonly marks: Marks;
  /** The stream over which the person draws. */
  readonly streamId: string | null;
  readonly start: (streamId: string) => void;
  readonly stop: () => void;
  readonly style: DrawingStyle;
  readonly setStyle: (part: Partial<DrawingStyle>) => void;
  /** The surface over a stream. Each tile puts its own here. */
  readonly surfaces: Map<string, Surface>;
}

export const DrawingContext = createContext<Drawing | null>(null);

export function useDrawing(): Drawing {
  const drawing = useContext(DrawingContext);
  if (drawing === null) throw new Error("DrawingContext is missing");
  return drawing;
}

export function useNewDrawing(): Drawing {
  const core = useCore();
  const { self } = useSlice("conference");
  const memName = self?.memName ?? "";
  const [marks] = useState(() => createMarks(core.watchMarks));
  const [streamId, setStreamId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Partial<DrawingStyle>>({});
  const [surfaces] = useState(() => new Map<string, Surface>());
  const stop = useCallback(() => setStreamId(null), []);
  const setStyle = useCallback(
    (part: Partial<DrawingStyle>) => setChosen((before) => ({ ...before, ...part })),
    [],
  );
  return useMemo(
    () => ({
      marks,
      streamId,
      start: setStreamId,
      stop,
      style: { tool: "pen", colour: colourOf(memName), size: MARK_SIZES.medium, ...chosen },
      setStyle,
      surfaces,
    }),
    [marks, streamId, stop, memName, chosen, setStyle, surfaces],
  );
}

/** Whether only the owner and admins may draw over the stream, and how many marks it has. */
export function useBoard(streamId: string | null): { locked: boolean; count: number } {
  const { marks } = useDrawing();
  const read = (): string => {
    if (streamId === null) return "false 0";
    const board = marks.board(streamId);
    return `${board.locked} ${board.marks.size}`;
  };
  const [locked, count] = useSyncExternalStore(marks.subscribe, read, read).split(" ");
  return { locked: locked === "true", count: Number(count) };
}

/** Whether this member may clear the marks over the stream and forbid drawing. */
export const manages = (
  self: Pick<Member, "role" | "memName"> | null,
  owner: Pick<Member, "memName"> | undefined,
): boolean =>
  self !== null && (self.role === CONFERENCE_ROLE.admin || self.memName === owner?.memName);

/** Whether this person may draw over the stream now. */
export function useMayDraw(stream: Stream | null): boolean {
  const { self, members } = useSlice("conference");
  const { locked } = useBoard(stream?.id ?? null);
  if (self === null || stream === null || self.role === CONFERENCE_ROLE.audience) return false;
  return !locked || manages(self, members[stream.memId]);
}

/** The tile of the own screen, while others have drawn over it: otherwise nobody shows a person the own screen. */
export function useAnnotatedScreen(slice: Snapshot<ConferenceSlice>): Tile | null {
  const stream =
    Object.values(slice.streams).find(
      ({ located, type }) => located && type === STREAM_TYPE.screen,
    ) ?? null;
  const { count } = useBoard(stream?.id ?? null);
  const { self: member } = slice;
  if (stream === null || member === null || count === 0) return null;
  return { key: stream.id, kind: "screen", member, stream, self: true };
}
