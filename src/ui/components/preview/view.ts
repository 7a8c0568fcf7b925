/** How a picture is looked at: which one, how large, turned how far, moved where. Pure. */

export const ZOOM = { least: 0.25, most: 8, step: 1.25 } as const;
/** px that an arrow key moves a picture that is larger than the window. */
const STEP = 40;

export interface View {
  /** Of the picture that is shown. */
  readonly index: number;
  /** 1: as large as the window allows. */
  readonly zoom: number;
  /** Degrees clockwise; grows beyond 360, so that a turn never runs back. */
  readonly turn: number;
  /** px from the middle */
  readonly x: number;
  readonly y: number;
}

export type Act =
  | { readonly do: "next" | "previous" | "larger" | "smaller" | "fit" | "turn" | "turnBack" }
  | { readonly do: "move"; readonly x: number; readonly y: number };

export const firstView = (index: number): View => ({ index, zoom: 1, turn: 0, x: 0, y: 0 });

const zoomed = (view: View, zoom: number): View => {
  const bounded = Math.min(ZOOM.most, Math.max(ZOOM.least, zoom));
  // a picture that fits stands in the middle
  return bounded <= 1 ? { ...view, zoom: bounded, x: 0, y: 0 } : { ...view, zoom: bounded };
};

/** @param count of the pictures; there is no way beyond the first and the last */
export function viewed(view: View, act: Act, count: number): View {
  switch (act.do) {
    case "next":
      return view.index + 1 < count ? firstView(view.index + 1) : view;
    case "previous":
      return view.index > 0 ? firstView(view.index - 1) : view;
    case "larger":
      return zoomed(view, view.zoom * ZOOM.step);
    case "smaller":
      return zoomed(view, view.zoom / ZOOM.step);
    case "fit":
      return firstView(view.index);
    case "turn":
      return { ...view, turn: view.turn + 90 };
    case "turnBack":
      return { ...view, turn: view.turn - 90 };
    case "move":
      return view.zoom <= 1 ? view : { ...view, x: view.x + act.x, y: view.y + act.y };
  }
}

const KEYS: Readonly<Record<string, Act>> = {
  "+": { do: "larger" },
  "=": { do: "larger" },
  "-": { do: "smaller" },
  "0": { do: "fit" },
  r: { do: "turn" },
  R: { do: "turnBack" },
  PageDown: { do: "next" },
  PageUp: { do: "previous" },
};
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** px that a finger must go sideways to reach another picture. */
const SWIPE = 48;

/** @returns what a finger does that went so far over a picture that fits; null: too little, or more up or down than sideways */
export function actOfSwipe(x: number, y: number): Act | null {
  if (Math.abs(x) < SWIPE || Math.abs(x) < 1.5 * Math.abs(y)) return null;
  return { do: x < 0 ? "next" : "previous" };
}

/** @returns what a key does; null for a key without a meaning. Arrow keys go to another picture, or over an enlarged one. */
export function actOfKey(key: string, { zoom }: View): Act | null {
  const arrow = ARROWS[key];
  if (arrow === undefined) return KEYS[key] ?? null;
  if (zoom > 1) return { do: "move", x: arrow[0] * STEP, y: arrow[1] * STEP };
  if (key === "ArrowRight") return { do: "next" };
  return key === "ArrowLeft" ? { do: "previous" } : null;
}
