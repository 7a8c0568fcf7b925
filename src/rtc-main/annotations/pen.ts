/**
 * What this person draws over a stream: shown at once, sent in pieces at most 30 times a second, and left to the board of all as soon as
 * that has it (docs/conferences.md#annotations). No DOM.
 */
import {
  type Board,
  lastMarkOf,
  type Mark,
  MARK_LIMITS,
  type MarkChange,
  type MarkTool,
} from "../../shared/domain/annotations.ts";

/** ms between two pieces of a line. */
export const PIECE_MS = 34;
/** A pen that moved less far (parts of the picture, on both axes) adds no point. */
const LEAST_MOVE = 6;

export interface MarkStyle {
  readonly tool: MarkTool;
  /** `#rrggbb` */
  readonly colour: string;
  /** Parts of the picture's height. */
  readonly size: number;
}

export interface PenDeps {
  readonly after: (ms: number, run: () => void) => { cancel(): void };
  readonly newId: () => string;
  /** The own chat user name. */
  readonly me: () => string;
  readonly board: () => Board;
  /** @returns from which number of changes on the board shows these */
  readonly send: (changes: MarkChange[]) => Promise<{ readonly seq: number }>;
  readonly onError: (error: unknown) => void;
  /** What is shown changed. */
  readonly onChange: () => void;
}

/** All coordinates in parts of the picture, 0 to PICTURE_SCALE. */
export interface Pen {
  begin(style: MarkStyle, x: number, y: number): void;
  move(x: number, y: number): void;
  end(): void;
  /** The mark under way was not meant. What was sent of it is erased. @returns false when there is none */
  cancel(): boolean;
  write(style: MarkStyle, text: string, x: number, y: number): void;
  /** Erases own marks; others stay. */
  erase(ids: readonly string[]): void;
  /** Erases the newest own mark. @returns false when there is none */
  undo(): boolean;
  clear(): void;
  lock(on: boolean): void;
  /** Own marks that the board does not have yet as they are, to be painted above it. */
  drafts(): readonly Mark[];
  /** Whether the board's mark must not be painted: it is erased here, or a draft stands for it. */
  hides(id: string): boolean;
  /** The board changed: what it has now is no draft any more. */
  boardChanged(): void;
  dispose(): void;
}

interface Draft {
  mark: Mark;
  /** Points that were sent. */
  sent: number;
  /** Messages without an answer. */
  open: number;
  seq: number;
  done: boolean;
}

export function createPen(deps: PenDeps): Pen {
  let drafts: Draft[] = [];
  let current: Draft | null = null;
  /** Own marks that are being erased; null: the server has not answered yet. */
  const erased = new Map<string, number | null>();
  let timer: { cancel(): void } | null = null;
  let over = false;

  const settle = (): void => {
    const { seq } = deps.board();
    drafts = drafts.filter((draft) => !draft.done || draft.open > 0 || draft.seq > seq);
    for (const [id, number] of erased) if (number !== null && number <= seq) erased.delete(id);
    if (!over) deps.onChange();
  };
  /** @param failed returns whether the person does not know of the failure yet */
  function send(changes: MarkChange[], done: (seq: number) => void, failed: () => boolean): void {
    deps.send(changes).then(
      ({ seq }) => {
        done(seq);
        settle();
      },
      (error: unknown) => {
        const isNew = failed();
        settle();
        if (isNew && !over) deps.onError(error);
      },
    );
  }
  /** @returns whether it was there */
  const drop = (draft: Draft): boolean => {
    const was = drafts.includes(draft);
    drafts = drafts.filter((one) => one !== draft);
    if (current === draft) current = null;
    return was;
  };
  function sendDraft(draft: Draft): void {
    const { mark } = draft;
    const changes: MarkChange[] = [];
    while (2 * draft.sent < mark.points.length) {
      const points = mark.points.slice(2 * draft.sent, 2 * (draft.sent + MARK_LIMITS.changePoints));
      const { by: _by, text, points: _points, ...look } = mark;
      changes.push(
        draft.sent === 0
          ? { t: "add", ...look, points, ...(text === "" ? {} : { text }) }
          : { t: "extend", id: mark.id, from: draft.sent, points },
      );
      draft.sent += points.length / 2;
    }
    if (changes.length === 0) return;
    draft.open += 1;
    send(
      changes,
      (seq) => {
        draft.open -= 1;
        draft.seq = Math.max(draft.seq, seq);
      },
      () => drop(draft),
    );
  }
  const piece = (): void => {
    timer = null;
    if (current === null || current.mark.tool !== "pen") return;
    sendDraft(current);
    timer = deps.after(PIECE_MS, piece);
  };
  const finish = (draft: Draft): void => {
    draft.done = true;
    if (current === draft) current = null;
    sendDraft(draft);
    deps.onChange();
  };
  const open = ({ tool, colour, size }: MarkStyle, points: number[], text = ""): Draft => {
    const mark = { id: deps.newId(), by: deps.me(), tool, colour, size, points, text };
    const draft = { mark, sent: 0, open: 0, seq: 0, done: false };
    drafts = [...drafts, draft];
    return draft;
  };
  function erase(given: readonly string[]): boolean {
    const me = deps.me();
    const { marks } = deps.board();
    const ids = [...new Set(given)].filter(
      (id) =>
        !erased.has(id) &&
        (marks.get(id)?.by === me || drafts.some(({ mark, sent }) => mark.id === id && sent > 0)),
    );
    if (ids.length === 0) return false;
    for (const id of ids) erased.set(id, null);
    send(
      [{ t: "erase", ids }],
      (seq) => {
        for (const id of ids) erased.set(id, seq);
      },
      () => {
        for (const id of ids) erased.delete(id);
        return true;
      },
    );
    deps.onChange();
    return true;
  }
  const order = (change: MarkChange): void =>
    send(
      [change],
      () => undefined,
      () => true,
    );

  return {
    begin(style, x, y) {
      if (current !== null) finish(current);
      current = open(style, style.tool === "pen" ? [x, y] : [x, y, x, y]);
      // The first piece goes at once, so that others see where the line begins.
      if (timer === null) piece();
      deps.onChange();
    },
    move(x, y) {
      if (current === null) return;
      const { mark } = current;
      const { points } = mark;
      if (mark.tool !== "pen") {
        current.mark = { ...mark, points: [...points.slice(0, 2), x, y] };
        return deps.onChange();
      }
      const [lastX = 0, lastY = 0] = points.slice(-2);
      if (Math.abs(x - lastX) < LEAST_MOVE && Math.abs(y - lastY) < LEAST_MOVE) return;
      current.mark = { ...mark, points: [...points, x, y] };
      if (current.mark.points.length >= 2 * MARK_LIMITS.points) {
        const { tool, colour, size } = mark;
        finish(current);
        current = open({ tool, colour, size }, [x, y]);
      }
      deps.onChange();
    },
    end() {
      if (current === null) return;
      const draft = current;
      const [x, y, toX, toY] = draft.mark.points;
      // A click with a figure's tool draws nothing.
      if (draft.mark.tool === "pen" || x !== toX || y !== toY) return finish(draft);
      drop(draft);
      deps.onChange();
    },
    cancel() {
      const draft = current;
      if (draft === null) return false;
      if (draft.sent > 0) {
        draft.done = true;
        current = null;
        erase([draft.mark.id]);
      } else drop(draft);
      deps.onChange();
      return true;
    },
    write(style, text, x, y) {
      const words = text.trim().slice(0, MARK_LIMITS.text);
      if (words !== "") finish(open({ ...style, tool: "text" }, [x, y], words));
    },
    erase,
    undo() {
      const draft = drafts.findLast(({ mark, sent }) => sent > 0 && !erased.has(mark.id));
      if (draft !== undefined) return erase([draft.mark.id]);
      const { marks } = deps.board();
      const left = new Map([...marks].filter(([id]) => !erased.has(id)));
      const id = lastMarkOf({ marks: left }, deps.me());
      return id !== null && erase([id]);
    },
    clear: () => order({ t: "clear" }),
    lock: (on) => order({ t: "lock", on }),
    drafts: () => drafts.map(({ mark }) => mark).filter(({ id }) => !erased.has(id)),
    hides: (id) => erased.has(id) || drafts.some(({ mark }) => mark.id === id),
    boardChanged: settle,
    dispose() {
      over = true;
      timer?.cancel();
      timer = null;
      if (current !== null) sendDraft(current);
      current = null;
      drafts = [];
    },
  };
}
