/** Paints marks on a canvas (docs/conferences.md#annotations). The same marks in a box of the same size give the same pixels. */
import type { Mark } from "../../shared/domain/annotations.ts";
import { PICTURE_SCALE } from "../../shared/domain/remote-control.ts";
import { fromPicture, type PictureBox } from "./geometry.ts";

/** What is used of a canvas's context. */
export type Painter = Pick<
  CanvasRenderingContext2D,
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "quadraticCurveTo"
  | "arc"
  | "ellipse"
  | "rect"
  | "closePath"
  | "stroke"
  | "fill"
  | "fillText"
  | "strokeText"
  | "lineWidth"
  | "lineCap"
  | "lineJoin"
  | "strokeStyle"
  | "fillStyle"
  | "font"
  | "textBaseline"
  | "textAlign"
>;

/** A text is this many times as high as a line of its size is wide. */
export const TEXT_HEIGHT = 8;
const FONT = "sans-serif";
/** Length and half the width of an arrow's head, in widths of its line, and the least length in px. */
const HEAD = { length: 4, half: 2.4, least: 10 };

type Point = readonly [x: number, y: number];

const pointsOf = (mark: Pick<Mark, "points">, box: PictureBox): Point[] => {
  const points: Point[] = [];
  for (let index = 0; index + 1 < mark.points.length; index += 2) {
    points.push(fromPicture(box, mark.points[index] ?? 0, mark.points[index + 1] ?? 0));
  }
  return points;
};

/** Width of the line of a mark, in px. */
export const lineWidthOf = (size: number, box: Pick<PictureBox, "height">): number =>
  Math.max(1, (size / PICTURE_SCALE) * box.height);

/** A line through all points that bends instead of breaking. */
function paintPen(painter: Painter, points: readonly Point[], width: number): void {
  const [first, second] = points;
  if (first === undefined) return;
  painter.beginPath();
  if (second === undefined) {
    painter.arc(first[0], first[1], width / 2, 0, 2 * Math.PI);
    return painter.fill();
  }
  painter.moveTo(first[0], first[1]);
  for (let index = 1; index + 1 < points.length; index += 1) {
    const [x, y] = points[index] ?? first;
    const [nextX, nextY] = points[index + 1] ?? first;
    painter.quadraticCurveTo(x, y, (x + nextX) / 2, (y + nextY) / 2);
  }
  const [x, y] = points.at(-1) ?? second;
  painter.lineTo(x, y);
  painter.stroke();
}

function paintArrow(painter: Painter, from: Point, to: Point, width: number): void {
  const distance = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const length = Math.min(distance, Math.max(HEAD.least, HEAD.length * width));
  if (distance === 0) return;
  const [alongX, alongY] = [(to[0] - from[0]) / distance, (to[1] - from[1]) / distance];
  const [footX, footY] = [to[0] - alongX * length, to[1] - alongY * length];
  const half = (length / HEAD.length) * HEAD.half;
  painter.beginPath();
  painter.moveTo(from[0], from[1]);
  painter.lineTo(footX, footY);
  painter.stroke();
  painter.beginPath();
  painter.moveTo(to[0], to[1]);
  painter.lineTo(footX - alongY * half, footY + alongX * half);
  painter.lineTo(footX + alongY * half, footY - alongX * half);
  painter.closePath();
  painter.fill();
}

function paintText(painter: Painter, at: Point, mark: Mark, width: number): void {
  const height = TEXT_HEIGHT * width;
  painter.font = `600 ${height}px ${FONT}`;
  painter.textBaseline = "top";
  painter.textAlign = "left";
  painter.lineWidth = Math.max(2, height / 8);
  painter.strokeStyle = "rgb(0 0 0 / 55%)";
  painter.strokeText(mark.text, at[0], at[1]);
  painter.fillText(mark.text, at[0], at[1]);
}

/** Paints one mark. */
export function paintMark(painter: Painter, mark: Mark, box: PictureBox): void {
  const points = pointsOf(mark, box);
  const [from, to = from] = points;
  if (from === undefined || to === undefined) return;
  const width = lineWidthOf(mark.size, box);
  painter.lineWidth = width;
  painter.lineCap = "round";
  painter.lineJoin = "round";
  painter.strokeStyle = mark.colour;
  painter.fillStyle = mark.colour;
  switch (mark.tool) {
    case "pen":
      return paintPen(painter, points, width);
    case "arrow":
      return paintArrow(painter, from, to, width);
    case "text":
      return paintText(painter, from, mark, width);
    case "line":
      painter.beginPath();
      painter.moveTo(from[0], from[1]);
      painter.lineTo(to[0], to[1]);
      return painter.stroke();
    case "rectangle":
      painter.beginPath();
      painter.rect(
        Math.min(from[0], to[0]),
        Math.min(from[1], to[1]),
        Math.abs(to[0] - from[0]),
        Math.abs(to[1] - from[1]),
      );
      return painter.stroke();
    case "ellipse":
      painter.beginPath();
      painter.ellipse(
        (from[0] + to[0]) / 2,
        (from[1] + to[1]) / 2,
        Math.abs(to[0] - from[0]) / 2,
        Math.abs(to[1] - from[1]) / 2,
        0,
        0,
        2 * Math.PI,
      );
      return painter.stroke();
  }
}

/** px² of CSS pixels within which the line counts as hit. */
const within = (a: Point, b: Point, p: Point, reach: number): boolean => {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]];
  const square = dx * dx + dy * dy;
  const along = square === 0 ? 0 : ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy) <= reach;
};
/** Corners of the polygon that stands for an ellipse. */
const CORNERS = 32;

/** Whether the eraser at this point (CSS px) touches the mark. */
export function touches(mark: Mark, box: PictureBox, x: number, y: number, reach: number): boolean {
  const points = pointsOf(mark, box);
  const [from, to = from] = points;
  if (from === undefined || to === undefined) return false;
  const at: Point = [x, y];
  const width = lineWidthOf(mark.size, box);
  const far = reach + width / 2;
  if (mark.tool === "text") {
    const height = TEXT_HEIGHT * width;
    const end = from[0] + mark.text.length * height;
    return (
      x >= from[0] - reach && x <= end && y >= from[1] - reach && y <= from[1] + height + reach
    );
  }
  const path: Point[] =
    mark.tool === "rectangle"
      ? [from, [to[0], from[1]], to, [from[0], to[1]], from]
      : mark.tool === "ellipse"
        ? Array.from({ length: CORNERS + 1 }, (_, corner): Point => {
            const angle = (2 * Math.PI * corner) / CORNERS;
            return [
              (from[0] + to[0]) / 2 + (Math.cos(angle) * (to[0] - from[0])) / 2,
              (from[1] + to[1]) / 2 + (Math.sin(angle) * (to[1] - from[1])) / 2,
            ];
          })
        : points.length === 1
          ? [from, from]
          : points;
  return path.some((point, index) => index > 0 && within(path[index - 1] ?? point, point, at, far));
}
