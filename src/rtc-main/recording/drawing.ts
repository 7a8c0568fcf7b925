/** Draws the pictures of a recording on its canvas, each with the name of its member. */
import { type Cell, composed, contain } from "./layout.ts";
import type { Size } from "./types.ts";

export interface Drawn {
  readonly element: Pick<HTMLVideoElement, "videoWidth" | "videoHeight" | "readyState"> | null;
  readonly name: string;
  readonly screen: boolean;
}
export type Pen = Pick<
  CanvasRenderingContext2D,
  | "fillRect"
  | "fillText"
  | "drawImage"
  | "measureText"
  | "beginPath"
  | "arc"
  | "fill"
  | "fillStyle"
  | "font"
  | "textAlign"
  | "textBaseline"
>;

const BACKGROUND = "#10131a";
const CELL = "#1d2330";
const MARK = "#2b6cff";
const NAME_BACK = "rgba(0, 0, 0, 0.6)";
const FONT = `system-ui, "Noto Sans CJK SC", "Microsoft YaHei", sans-serif`;
/** HAVE_CURRENT_DATA */
const HAS_PICTURE = 2;

/** As much of the text as fits. */
function fitting(pen: Pen, text: string, width: number): string {
  if (pen.measureText(text).width <= width) return text;
  const letters = [...text];
  while (letters.length > 0 && pen.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return `${letters.join("")}…`;
}

function drawPicture(pen: Pen, cell: Cell, { element }: Drawn): boolean {
  if (element === null || element.videoWidth === 0 || element.readyState < HAS_PICTURE)
    return false;
  const { x, y, w, h } = contain(cell, { w: element.videoWidth, h: element.videoHeight });
  pen.drawImage(element as HTMLVideoElement, x, y, w, h);
  return true;
}

/** A member whose camera is off: the first letter of the name. */
function drawLetter(pen: Pen, { x, y, w, h }: Cell, name: string): void {
  const radius = Math.min(w, h) * 0.2;
  pen.fillStyle = MARK;
  pen.beginPath();
  pen.arc(x + w / 2, y + h / 2, radius, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = `${Math.round(radius)}px ${FONT}`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText([...name][0] ?? "", x + w / 2, y + h / 2);
}

function drawName(pen: Pen, { x, y, w, h }: Cell, name: string): void {
  const size = Math.max(14, Math.min(22, Math.round(h * 0.06)));
  const pad = Math.round(size * 0.5);
  pen.font = `${size}px ${FONT}`;
  const text = fitting(pen, name, w - 4 * pad);
  const width = pen.measureText(text).width + 2 * pad;
  const height = size + pad;
  pen.fillStyle = NAME_BACK;
  pen.fillRect(x + pad, y + h - height - pad, width, height);
  pen.fillStyle = "#fff";
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.fillText(text, x + 2 * pad, y + h - pad - height / 2);
}

/** Draws a whole picture of the composed conference. */
export function drawComposed(pen: Pen, size: Size, drawn: readonly Drawn[]): void {
  pen.fillStyle = BACKGROUND;
  pen.fillRect(0, 0, size.w, size.h);
  const cells = composed(
    drawn.map(({ screen }) => screen),
    size,
  );
  for (const [i, cell] of cells.entries()) {
    const one = drawn[i] as Drawn;
    pen.fillStyle = CELL;
    pen.fillRect(cell.x, cell.y, cell.w, cell.h);
    if (!drawPicture(pen, cell, one)) drawLetter(pen, cell, one.name);
    if (one.name !== "") drawName(pen, cell, one.name);
  }
}

/** Draws one stream over the whole canvas; without a picture the canvas is black. */
export function drawAlone(pen: Pen, size: Size, one: Drawn | undefined): void {
  pen.fillStyle = "#000";
  pen.fillRect(0, 0, size.w, size.h);
  if (one !== undefined) drawPicture(pen, { x: 0, y: 0, ...size }, one);
}
