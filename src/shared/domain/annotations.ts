/**
 * Annotations over a stream (docs/conferences.md#annotations): the marks of one stream and how a change alters them. The server, the core
 * and the tab apply the same changes in the same order, the server's, so they hold the same board. Pure.
 */

/** Limits of annotations, all checked by the server. */
export const MARK_LIMITS = {
  /** Marks over one stream. */
  marks: 500,
  /** Points of one mark. */
  points: 2000,
  /** Bytes of the marks over one stream, and over all streams of a conference (`markBytes`). */
  streamBytes: 256 * 1024,
  conferenceBytes: 2 * 1024 * 1024,
  /** Changes in one message, and points of one change. */
  changes: 64,
  changePoints: 500,
  /** Characters of a text. */
  text: 200,
  /** Messages of one person within any second. */
  perSecond: 30,
} as const;

/** Colours that differ on light and dark pictures. A person who chose none has the one of the own name. */
export const MARK_COLOURS = [
  "#ff3b30",
  "#ff9500",
  "#ffd60a",
  "#34c759",
  "#00c7be",
  "#0a84ff",
  "#bf5af2",
  "#ff6fb1",
] as const;
/** Widths of lines, in parts of the picture's height; a text is eight times as high. */
export const MARK_SIZES = { thin: 30, medium: 60, thick: 120 } as const;

export const MARK_TOOLS = ["pen", "line", "arrow", "rectangle", "ellipse", "text"] as const;
export type MarkTool = (typeof MARK_TOOLS)[number];

export interface Mark {
  readonly id: string;
  /** Chat user name of the person who drew it. */
  readonly by: string;
  readonly tool: MarkTool;
  /** `#rrggbb` */
  readonly colour: string;
  /** Width of the line, in parts of the picture's height. */
  readonly size: number;
  /** x and y in turn, 0 to PICTURE_SCALE. A pen has any number of points, a text one, every other tool two. */
  readonly points: number[];
  readonly text: string;
}

/** A change that a person makes. */
export type MarkChange =
  | ({ readonly t: "add"; readonly text?: string | undefined } & Omit<Mark, "by" | "text">)
  /** A pen goes on. `from`: how many points the mark has before these. */
  | { readonly t: "extend"; readonly id: string; readonly from: number; readonly points: number[] }
  /** Own marks: the eraser, and undo. */
  | { readonly t: "erase"; readonly ids: string[] }
  | { readonly t: "clear" }
  | { readonly t: "lock"; readonly on: boolean };
/** The same with the person who made it. */
export type BoardChange = MarkChange & { readonly by: string };

/** A board as it is sent. */
export interface BoardCopy {
  readonly streamId: string;
  readonly seq: number;
  readonly locked: boolean;
  readonly marks: (Omit<Mark, "text"> & { readonly text?: string | undefined })[];
}

/** The marks of one stream, in the order in which they are painted. */
export interface Board {
  /** How many changes were applied. */
  seq: number;
  /** Only the stream's owner and admins may draw. */
  locked: boolean;
  /** By id, in the order in which the server got them. */
  readonly marks: Map<string, Mark>;
}

export const emptyBoard = (): Board => ({ seq: 0, locked: false, marks: new Map() });

/** The colour of a person who chose none: the same on every device. */
export function colourOf(memName: string): string {
  let hash = 0;
  for (const char of memName) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return MARK_COLOURS[hash % MARK_COLOURS.length] ?? MARK_COLOURS[0];
}

const MARK_BYTES = 120;
const NUMBER_BYTES = 6;
const CHAR_BYTES = 3;
/** About what a mark weighs on the wire. */
export const markBytes = ({ points, text }: Pick<Mark, "points" | "text">): number =>
  MARK_BYTES + NUMBER_BYTES * points.length + CHAR_BYTES * text.length;

/** How many numbers of an extension a mark has already, because the client sent it again; null: points before it are missing. */
const overlapOf = (mark: Mark, from: number): number | null => {
  const overlap = mark.points.length - 2 * from;
  return overlap < 0 ? null : overlap;
};

/**
 * Applies one change. The same change a second time has no effect, so a client may send it again after a loss.
 *
 * @returns whether the board changed
 */
export function applyMarkChange(board: Board, change: BoardChange): boolean {
  switch (change.t) {
    case "add": {
      if (board.marks.has(change.id)) return false;
      const { t: _t, text = "", ...mark } = change;
      board.marks.set(mark.id, { ...mark, text });
      return true;
    }
    case "extend": {
      const mark = board.marks.get(change.id);
      if (mark === undefined || mark.by !== change.by || mark.tool !== "pen") return false;
      const overlap = overlapOf(mark, change.from);
      if (overlap === null || overlap >= change.points.length) return false;
      board.marks.set(mark.id, {
        ...mark,
        points: [...mark.points, ...change.points.slice(overlap)],
      });
      return true;
    }
    case "erase": {
      let erased = false;
      for (const id of change.ids) {
        if (board.marks.get(id)?.by === change.by) erased = board.marks.delete(id) || erased;
      }
      return erased;
    }
    case "clear": {
      const had = board.marks.size > 0;
      board.marks.clear();
      return had;
    }
    case "lock": {
      const changed = board.locked !== change.on;
      board.locked = change.on;
      return changed;
    }
  }
}

/**
 * Applies what the server sends: the changes up to number `seq`. Those that the board has already are left out.
 *
 * @returns false when changes before them are missing; nothing was applied then
 */
export function applyBoardChanges(
  board: Board,
  { seq, changes }: { readonly seq: number; readonly changes: readonly BoardChange[] },
): boolean {
  const first = seq - changes.length + 1;
  if (first > board.seq + 1) return false;
  for (const [index, change] of changes.entries()) {
    if (first + index > board.seq) applyMarkChange(board, change);
  }
  board.seq = Math.max(board.seq, seq);
  return true;
}

export const boardOf = ({ seq, locked, marks }: Omit<BoardCopy, "streamId">): Board => ({
  seq,
  locked,
  marks: new Map(marks.map(({ text = "", ...mark }) => [mark.id, { ...mark, text }])),
});

export const copyOfBoard = (streamId: string, { seq, locked, marks }: Board): BoardCopy => ({
  streamId,
  seq,
  locked,
  marks: [...marks.values()].map(({ text, ...mark }) => ({
    ...mark,
    ...(text === "" ? {} : { text }),
  })),
});

/** The newest mark of this person, which undo removes; null for none. */
export function lastMarkOf(board: Pick<Board, "marks">, memName: string): string | null {
  let last: string | null = null;
  for (const mark of board.marks.values()) if (mark.by === memName) last = mark.id;
  return last;
}

/** Joins extensions of one mark that follow each other, so that a message has few changes. @returns the changes in the same order */
export function mergeChanges(changes: readonly MarkChange[]): MarkChange[] {
  const merged: MarkChange[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    const joins =
      change.t === "extend" &&
      last?.t === "extend" &&
      last.id === change.id &&
      last.from + last.points.length / 2 === change.from &&
      last.points.length + change.points.length <= 2 * MARK_LIMITS.changePoints;
    if (joins) merged[merged.length - 1] = { ...last, points: [...last.points, ...change.points] };
    else merged.push(change);
  }
  return merged;
}
