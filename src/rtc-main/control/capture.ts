/**
 * The controller's mouse, wheel and keyboard over a picture, as input for the controlled screen. Escape pressed twice within half a second
 * gives the person a way out without a mouse (docs/conferences.md#control-of-a-screen).
 */
import {
  pictureArea,
  placeIn,
  type Point,
  snapTouch,
  type Touch,
} from "../../shared/domain/picture-space.ts";
import { BUTTON, OPER } from "../../shared/domain/remote-control.ts";
import type { ControlInput } from "../../shared/protocol/remote-control.ts";
import type { MediaClock } from "../clock.ts";

export interface CaptureOptions {
  /** Lies over the picture, and has the focus while keys are sent. */
  readonly surface: HTMLElement;
  readonly video: HTMLVideoElement;
  /** The picture is shown mirrored. */
  readonly mirror?: boolean;
  readonly clock: Pick<MediaClock, "after">;
  readonly send: (actions: ControlInput[]) => void;
  /** Escape was pressed twice. */
  readonly onEscape: () => void;
}

/** Input is collected for this long: 40 messages a second. */
const BATCH_MILLIS = 25;
/** At most 120 moves a second, of which this many may come at once; a move beyond replaces the one before it. */
const MOVES_PER_MILLI = 0.12;
const MOVES_AT_ONCE = 12;
const ESCAPE_MILLIS = 500;
const NOTCH_PIXELS = 100;
const LINE_PIXELS = 33;
const BUTTONS: readonly number[] = [BUTTON.left, BUTTON.wheel, BUTTON.right];

/** @returns a function that ends the capture; what is still pressed is released before */
export function captureControl(options: CaptureOptions): () => void {
  const { surface, video } = options;
  let queue: ControlInput[] = [];
  let timer: { cancel(): void } | null = null;
  let moveAt = 0;
  let mayMove = MOVES_AT_ONCE;
  let escapeAt = Number.NEGATIVE_INFINITY;
  let rolled = 0;
  let touch: Touch | null = null;
  let last: Point = { x: 0, y: 0 };
  const held = new Set<number>();
  const keys = new Map<number, ControlInput>();

  const flush = (): void => {
    timer?.cancel();
    timer = null;
    const batch = queue;
    queue = [];
    if (batch.length > 0) options.send(batch);
  };
  const put = (input: ControlInput): void => {
    queue.push(input);
    timer ??= options.clock.after(BATCH_MILLIS, flush);
  };
  const placeOf = ({ x, y }: Point): Point | null => {
    const picture = { width: video.videoWidth, height: video.videoHeight };
    const { objectFit } = getComputedStyle(video);
    const area = pictureArea(video.getBoundingClientRect(), picture, objectFit);
    const place = area === null ? null : placeIn(area, { x, y }, held.size > 0);
    if (place === null) return null;
    last = options.mirror === true ? { ...place, x: 10_000 - place.x } : place;
    return last;
  };
  function moved(event: PointerEvent): void {
    const place = placeOf({ x: event.clientX, y: event.clientY });
    if (place === null) return;
    const move = { oper: OPER.move, btn: 0, ...place };
    const passed = Math.max(0, event.timeStamp - moveAt);
    moveAt = event.timeStamp;
    mayMove = Math.min(MOVES_AT_ONCE, mayMove + passed * MOVES_PER_MILLI);
    if (mayMove < 1 && queue.at(-1)?.oper === OPER.move) queue[queue.length - 1] = move;
    else {
      mayMove -= 1;
      put(move);
    }
  }
  const handlers: {
    readonly [E in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[E]) => void;
  } = {
    pointermove(event) {
      const all = event.getCoalescedEvents();
      for (const one of all.length > 0 ? all : [event]) moved(one);
    },
    pointerdown(event) {
      event.preventDefault();
      surface.focus({ preventScroll: true });
      const at = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      const isTouch = event.pointerType === "touch";
      const place = placeOf(isTouch ? snapTouch(touch, at, devicePixelRatio) : at);
      if (isTouch) touch = at;
      const btn = BUTTONS[event.button];
      if (place === null || btn === undefined) return;
      // A synthetic event has no pointer to capture.
      if (event.isTrusted) surface.setPointerCapture(event.pointerId);
      held.add(btn);
      put({ oper: OPER.down, btn, ...place });
      flush();
    },
    pointerup(event) {
      const btn = event.pointerType === "touch" ? BUTTON.left : BUTTONS[event.button];
      if (btn === undefined || !held.has(btn)) return;
      const at = { x: event.clientX, y: event.clientY, at: event.timeStamp };
      const isTouch = event.pointerType === "touch";
      const place = placeOf(isTouch ? snapTouch(touch, at, devicePixelRatio) : at) ?? last;
      held.delete(btn);
      put({ oper: OPER.up, btn, ...place });
      flush();
    },
    pointercancel: () => releaseButtons(),
    wheel(event) {
      event.preventDefault();
      const place = placeOf({ x: event.clientX, y: event.clientY });
      if (place === null) return;
      rolled += event.deltaMode === 0 ? event.deltaY : event.deltaY * LINE_PIXELS;
      for (; Math.abs(rolled) >= NOTCH_PIXELS; rolled -= Math.sign(rolled) * NOTCH_PIXELS) {
        const btn = rolled > 0 ? BUTTON.wheelDown : BUTTON.wheelUp;
        put({ oper: OPER.down, btn, ...place });
      }
    },
    contextmenu: (event) => event.preventDefault(),
    keydown(event) {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape" && !event.repeat) {
        const twice = event.timeStamp - escapeAt < ESCAPE_MILLIS;
        escapeAt = event.timeStamp;
        if (twice) return options.onEscape();
      }
      const { keyCode: btn, key, code } = event;
      keys.set(btn, { oper: OPER.keyUp, btn, key, code });
      put({ oper: OPER.keyDown, btn, key, code });
      flush();
    },
    keyup(event) {
      event.preventDefault();
      event.stopPropagation();
      const { keyCode: btn, key, code } = event;
      if (!keys.delete(btn)) return;
      put({ oper: OPER.keyUp, btn, key, code });
      flush();
    },
    blur: () => releaseKeys(),
  };
  function releaseKeys(): void {
    for (const up of keys.values()) put(up);
    keys.clear();
    flush();
  }
  function releaseButtons(): void {
    for (const btn of held) put({ oper: OPER.up, btn, ...last });
    held.clear();
    flush();
  }

  const listening = new AbortController();
  for (const [name, handler] of Object.entries(handlers)) {
    surface.addEventListener(name, handler as (event: Event) => void, {
      signal: listening.signal,
      passive: false,
    });
  }
  return () => {
    listening.abort();
    releaseButtons();
    releaseKeys();
    timer?.cancel();
  };
}
