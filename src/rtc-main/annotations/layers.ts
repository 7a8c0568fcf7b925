/**
 * Paints marks so that a picture full of them costs little: marks that have not changed for a while are kept as pixels below the others.
 * What was kept has the same pixels as what is painted again.
 */
import type { Mark } from "../../shared/domain/annotations.ts";
import type { PictureBox } from "./geometry.ts";
import { paintMark } from "./paint.ts";

/** ms without a change after which a mark is kept as pixels. */
const SETTLED_MS = 500;
/** Device pixels of a canvas. A larger picture is painted coarser. */
const MAX_PIXELS = 8_000_000;
const NAME_PX = 12;
const NAME_PAD = 4;

export interface MarkFrame {
  /** ms since the epoch */
  readonly now: number;
  /** Of the canvas, CSS px. */
  readonly width: number;
  readonly height: number;
  readonly ratio: number;
  /** null: there is no picture, so no marks. */
  readonly box: PictureBox | null;
  /** In the order in which they are painted. */
  readonly marks: readonly Mark[];
  readonly drafts: readonly Mark[];
  readonly names: readonly {
    readonly text: string;
    /** The end of the mark, CSS px. */
    readonly x: number;
    readonly y: number;
    readonly colour: string;
  }[];
}

export interface MarkLayers {
  paint(frame: MarkFrame): void;
  clear(): void;
}

export function createMarkLayers(canvas: HTMLCanvasElement): MarkLayers {
  const context = canvas.getContext("2d");
  const kept = canvas.ownerDocument.createElement("canvas");
  const keptContext = kept.getContext("2d");
  /** The marks whose pixels `kept` has, as they were painted. */
  let settled: Mark[] = [];
  let keptFor = "";
  /** When each state of a mark was painted first; ms since the epoch. */
  const since = new WeakMap<Mark, number>();

  const scaleOf = ({ width, height, ratio }: MarkFrame): number =>
    Math.min(ratio, Math.sqrt(MAX_PIXELS / Math.max(1, width * height)));

  function paintName(name: MarkFrame["names"][number], { width, height }: MarkFrame): void {
    if (context === null) return;
    context.font = `${NAME_PX}px sans-serif`;
    context.textBaseline = "middle";
    context.textAlign = "left";
    const length = context.measureText(name.text).width + 2 * NAME_PAD;
    const tall = NAME_PX + 2 * NAME_PAD;
    const x = Math.max(0, Math.min(width - length, name.x + NAME_PAD));
    const y = Math.max(0, Math.min(height - tall, name.y + NAME_PAD));
    context.fillStyle = "rgb(11 19 34 / 86%)";
    context.fillRect(x, y, length, tall);
    context.fillStyle = name.colour;
    context.fillRect(x, y, 3, tall);
    context.fillStyle = "#ffffff";
    context.fillText(name.text, x + NAME_PAD + 2, y + tall / 2);
  }

  return {
    paint(frame) {
      if (context === null || keptContext === null) return;
      const { width, height, box, marks, now } = frame;
      const scale = scaleOf(frame);
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (canvas.width !== w || canvas.height !== h) {
        canvas.width = w;
        canvas.height = h;
      }
      const key = JSON.stringify([w, h, box]);
      const starts = settled.every((mark, index) => marks[index] === mark);
      if (key !== keptFor || !starts) {
        keptFor = key;
        settled = [];
        kept.width = w;
        kept.height = h;
      }
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, w, h);
      if (box === null) return;
      keptContext.setTransform(scale, 0, 0, scale, 0, 0);
      for (const mark of marks) if (!since.has(mark)) since.set(mark, now);
      for (const mark of marks.slice(settled.length)) {
        if (now - (since.get(mark) ?? now) < SETTLED_MS) break;
        paintMark(keptContext, mark, box);
        settled.push(mark);
      }
      if (settled.length > 0) context.drawImage(kept, 0, 0);
      context.setTransform(scale, 0, 0, scale, 0, 0);
      for (const mark of marks.slice(settled.length)) paintMark(context, mark, box);
      for (const mark of frame.drafts) paintMark(context, mark, box);
      for (const name of frame.names) paintName(name, frame);
    },
    clear() {
      settled = [];
      keptFor = "";
      kept.width = kept.height = 0;
      context?.setTransform(1, 0, 0, 1, 0, 0);
      context?.clearRect(0, 0, canvas.width, canvas.height);
    },
  };
}
