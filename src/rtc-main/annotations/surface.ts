/**
 * A canvas over the video of a stream: shows the marks of all and, while the person draws, takes the pointer
 * (docs/conferences.md#annotations). The console and the library use the same surface.
 */
import { type Board, type Mark, type MarkChange } from "../../shared/domain/annotations.ts";
import { fromPicture, pictureBox, type PictureBox, toPicture } from "./geometry.ts";
import { createMarkLayers } from "./layers.ts";
import { lineWidthOf, TEXT_HEIGHT, touches } from "./paint.ts";
import { createPen, type MarkStyle } from "./pen.ts";
import { openTextField } from "./text-field.ts";

/** The person's tool: one of the marks, or the eraser. */
export type DrawingTool = MarkStyle["tool"] | "eraser";
export interface DrawingStyle extends Omit<MarkStyle, "tool"> {
  readonly tool: DrawingTool;
}

/** The marks of all streams, as core-client keeps them. */
export interface MarksSource {
  board(streamId: string): Board;
  subscribe(
    handler: (changed: { readonly streamId: string; readonly by: ReadonlySet<string> }) => void,
  ): () => void;
}

export interface SurfaceEnv {
  /** ms since the epoch */
  now(): number;
  after(ms: number, run: () => void): { cancel(): void };
  /** Runs before the next frame is shown. */
  frame(run: () => void): { cancel(): void };
  newId(): string;
  /** Device pixels per CSS pixel. */
  ratio(): number;
  /** Calls when the size of the element changes. @returns an end */
  watchSize(element: HTMLElement, run: () => void): () => void;
}

export interface SurfaceDeps {
  readonly env: SurfaceEnv;
  /** Lies exactly over the video, in a parent that is positioned. */
  readonly canvas: HTMLCanvasElement;
  readonly video: HTMLVideoElement;
  readonly streamId: string;
  readonly marks: MarksSource;
  /** Whether the video is shown mirrored. */
  readonly mirrored: boolean;
  /** The own chat user name. */
  readonly me: () => string;
  /** The name that people read beside a fresh mark. */
  readonly nameOf: (memName: string) => string;
  readonly style: () => DrawingStyle;
  readonly send: (changes: MarkChange[]) => Promise<{ readonly seq: number }>;
  readonly onError: (error: unknown) => void;
  /** Label of the field of a text. */
  readonly textLabel: () => string;
}

export interface Surface {
  /** Whether the pointer draws. */
  draw(on: boolean): void;
  undo(): boolean;
  clear(): void;
  lock(on: boolean): void;
  /** Closes a text or takes back a line under way. @returns false when there was none */
  cancel(): boolean;
  end(): void;
}

/** ms for which a name stays beside a mark that changed. */
export const NAME_MS = 2_000;
/** px around the point of the eraser. */
const ERASER_PX = 10;

export function createSurface(deps: SurfaceDeps): Surface {
  const { env, canvas, video, streamId, marks } = deps;
  const layers = createMarkLayers(canvas);
  /** Until when the name of a person is shown; ms since the epoch. */
  const fresh = new Map<string, number>();
  let waiting: { cancel(): void } | null = null;
  let later: { cancel(): void } | null = null;
  let drawing = false;
  let erasing = false;
  let field: { close(): void } | null = null;

  const board = (): Board => marks.board(streamId);
  const pen = createPen({
    after: env.after,
    newId: env.newId,
    me: deps.me,
    board,
    send: deps.send,
    onError: deps.onError,
    onChange: paintSoon,
  });
  const boxNow = (): PictureBox | null =>
    pictureBox(
      { width: video.videoWidth, height: video.videoHeight },
      { width: video.clientWidth, height: video.clientHeight },
      getComputedStyle(video).objectFit,
      deps.mirrored,
    );

  function paintSoon(): void {
    waiting ??= env.frame(() => {
      waiting = null;
      paint();
    });
  }
  function namesNow(visible: readonly Mark[], box: PictureBox) {
    const now = env.now();
    let next = Number.POSITIVE_INFINITY;
    const names: { text: string; x: number; y: number; colour: string }[] = [];
    for (const [memName, until] of fresh) {
      const mark = visible.findLast(({ by }) => by === memName);
      if (until <= now || mark === undefined) fresh.delete(memName);
      else {
        next = Math.min(next, until - now);
        const [x, y] = fromPicture(box, mark.points.at(-2) ?? 0, mark.points.at(-1) ?? 0);
        names.push({ text: deps.nameOf(memName), x, y, colour: mark.colour });
      }
    }
    later?.cancel();
    later = names.length === 0 ? null : env.after(next, paintSoon);
    return names;
  }
  function paint(): void {
    const box = boxNow();
    const all = [...board().marks.values()].filter(({ id }) => !pen.hides(id));
    layers.paint({
      now: env.now(),
      width: video.clientWidth,
      height: video.clientHeight,
      ratio: env.ratio(),
      box,
      marks: all,
      drafts: pen.drafts(),
      names: box === null ? [] : namesNow(all, box),
    });
  }

  const pointOf = (event: PointerEvent): readonly [x: number, y: number] => {
    const { left, top } = canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  function eraseAt(event: PointerEvent, box: PictureBox): void {
    const [x, y] = pointOf(event);
    const me = deps.me();
    const own = [...board().marks.values(), ...pen.drafts()].filter(({ by }) => by === me);
    pen.erase(own.filter((one) => touches(one, box, x, y, ERASER_PX)).map(({ id }) => id));
  }
  function write(event: PointerEvent, box: PictureBox): void {
    const [left, top] = pointOf(event);
    const [x, y] = toPicture(box, left, top);
    const style = deps.style();
    field?.close();
    field = openTextField({
      canvas,
      left,
      top,
      height: TEXT_HEIGHT * lineWidthOf(style.size, box),
      colour: style.colour,
      label: deps.textLabel(),
      onText: (text) => pen.write({ ...style, tool: "text" }, text, x, y),
      onClosed: () => {
        field = null;
      },
    });
  }
  const down = (event: PointerEvent): void => {
    event.stopPropagation();
    const box = boxNow();
    if (event.button !== 0 || !event.isPrimary || box === null) return;
    event.preventDefault();
    const { tool, colour, size } = deps.style();
    if (tool === "text") return write(event, box);
    canvas.setPointerCapture(event.pointerId);
    if (tool === "eraser") {
      erasing = true;
      return eraseAt(event, box);
    }
    pen.begin({ tool, colour, size }, ...toPicture(box, ...pointOf(event)));
  };
  const move = (event: PointerEvent): void => {
    event.stopPropagation();
    const box = boxNow();
    if (box === null || !event.isPrimary) return;
    if (erasing) eraseAt(event, box);
    else pen.move(...toPicture(box, ...pointOf(event)));
  };
  const up = (event: PointerEvent): void => {
    event.stopPropagation();
    erasing = false;
    pen.end();
  };
  const lost = (): void => {
    erasing = false;
    pen.cancel();
  };
  const swallow = (event: Event): void => event.stopPropagation();

  const listening = new AbortController();
  const { signal } = listening;
  let pointer: AbortController | null = null;
  const stopSize = env.watchSize(video, paintSoon);
  for (const name of ["loadedmetadata", "resize"]) {
    video.addEventListener(name, paintSoon, { signal });
  }
  const unsubscribe = marks.subscribe(({ streamId: changed, by }) => {
    if (changed !== streamId) return;
    const until = env.now() + NAME_MS;
    for (const memName of by) if (memName !== deps.me()) fresh.set(memName, until);
    pen.boardChanged();
    paintSoon();
  });
  canvas.style.pointerEvents = "none";
  paintSoon();

  return {
    draw(on) {
      if (drawing === on) return;
      drawing = on;
      canvas.style.pointerEvents = on ? "auto" : "none";
      canvas.style.touchAction = on ? "none" : "";
      canvas.style.cursor = on ? "crosshair" : "";
      if (!on) {
        pointer?.abort();
        pointer = null;
        field?.close();
        return pen.end();
      }
      pointer = new AbortController();
      const options = { signal: pointer.signal };
      canvas.addEventListener("pointerdown", down, options);
      canvas.addEventListener("pointermove", move, options);
      canvas.addEventListener("pointerup", up, options);
      canvas.addEventListener("pointercancel", lost, options);
      // A tile pins itself when it is clicked.
      canvas.addEventListener("click", swallow, options);
    },
    undo: () => pen.undo(),
    clear: () => pen.clear(),
    lock: (on) => pen.lock(on),
    cancel() {
      if (field === null) return pen.cancel();
      field.close();
      return true;
    },
    end() {
      listening.abort();
      pointer?.abort();
      field?.close();
      unsubscribe();
      stopSize();
      waiting?.cancel();
      later?.cancel();
      pen.dispose();
      layers.clear();
    },
  };
}
