/** A drawn person in front of a shelf, as a file that Chromium plays as its camera. No person was photographed for it. */
import { writeFile } from "node:fs/promises";
import type { Browser } from "@playwright/test";

export const CAMERA = { width: 640, height: 360, framesPerSecond: 24 } as const;
/** Where the face is, as parts of the picture's width and height. */
export const FACE = { left: 0.45, right: 0.55, top: 0.3, bottom: 0.52 } as const;
/** Where nothing but the shelf is. */
export const BACKGROUND = { left: 0.04, right: 0.2, top: 0.1, bottom: 0.6 } as const;

/** Runs in a page. @returns the rasters of the picture in I420 */
function draw({ width, height }: { readonly width: number; readonly height: number }): number[] {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  if (pen === null) return [];
  const middle = width / 2;
  const face = height * 0.42;
  const r = height * 0.2;
  const shape = (fill: string | CanvasGradient, path: () => void): void => {
    pen.fillStyle = fill;
    pen.beginPath();
    path();
    pen.fill();
  };
  const oval = (x: number, y: number, wide: number, high: number) => () =>
    pen.ellipse(x, y, wide, high, 0, 0, 7);
  const shade = (gradient: CanvasGradient, ...colours: readonly string[]): CanvasGradient => {
    colours.forEach((colour, i) => gradient.addColorStop(i / (colours.length - 1), colour));
    return gradient;
  };
  for (let i = 0; i < 16; i += 1) {
    pen.fillStyle = i % 2 === 0 ? "#4a6b8a" : "#d8c9a8";
    pen.fillRect((i * width) / 16, 0, width / 16, height);
  }
  pen.fillStyle = "#3c281ecc";
  for (let i = 0; i < 6; i += 1) pen.fillRect(0, (i * height) / 6, width, height / 60);

  const jacket = shade(pen.createLinearGradient(0, height * 0.6, 0, height), "#2b3a67", "#1b2545");
  shape(jacket, () => {
    const top = height * 0.68;
    pen.moveTo(middle - r * 2.3, height);
    pen.bezierCurveTo(
      middle - r * 2.2,
      height * 0.76,
      middle - r * 1.2,
      height * 0.72,
      middle - r * 0.45,
      top,
    );
    pen.lineTo(middle + r * 0.45, top);
    pen.bezierCurveTo(
      middle + r * 1.2,
      height * 0.72,
      middle + r * 2.2,
      height * 0.76,
      middle + r * 2.3,
      height,
    );
  });
  const neck = pen.createLinearGradient(middle - r * 0.4, 0, middle + r * 0.4, 0);
  pen.fillStyle = shade(neck, "#c68e6e", "#e0ac8a", "#b47a5c");
  pen.fillRect(middle - r * 0.38, face + r * 0.7, r * 0.76, r * 0.85);
  shape("#2a1d16", oval(middle, face - r * 0.2, r * 0.92, r * 1.12));
  const skin = pen.createRadialGradient(
    middle - r * 0.2,
    face - r * 0.1,
    r * 0.1,
    middle,
    face,
    r * 1.2,
  );
  shape(shade(skin, "#f3c9a9", "#e2ad8b", "#b97f60"), oval(middle, face, r * 0.78, r * 1.05));
  shape("#2a1d16", () => {
    pen.moveTo(middle - r * 0.82, face - r * 0.2);
    pen.bezierCurveTo(
      middle - r * 0.8,
      face - r * 1.35,
      middle + r * 0.8,
      face - r * 1.35,
      middle + r * 0.82,
      face - r * 0.2,
    );
    pen.bezierCurveTo(
      middle + r * 0.55,
      face - r * 0.75,
      middle - r * 0.3,
      face - r * 0.75,
      middle - r * 0.82,
      face - r * 0.2,
    );
  });
  for (const side of [-1, 1]) {
    const eye = middle + side * r * 0.32;
    shape("#d49d7c", oval(middle + side * r * 0.78, face + r * 0.05, r * 0.12, r * 0.22));
    shape("#fff", oval(eye, face - r * 0.08, r * 0.15, r * 0.08));
    shape("#3a2a20", oval(eye, face - r * 0.08, r * 0.075, r * 0.075));
    shape("#2a1d16", oval(eye, face - r * 0.3, r * 0.18, r * 0.035));
  }
  shape("#b97f60", oval(middle, face + r * 0.25, r * 0.1, r * 0.04));
  shape("#b5524d", oval(middle, face + r * 0.55, r * 0.27, r * 0.08));

  const { data } = pen.getImageData(0, 0, width, height);
  const raster = (step: number, [red, green, blue, base]: readonly number[]): number[] => {
    const values: number[] = [];
    for (let y = 0; y < height; y += step) {
      for (let x = 0; x < width; x += step) {
        const at = 4 * (y * width + x);
        const [r = 0, g = 0, b = 0] = data.subarray(at, at + 3);
        const value = r * (red ?? 0) + g * (green ?? 0) + b * (blue ?? 0) + (base ?? 0);
        values.push(Math.round(value));
      }
    }
    return values;
  };
  return [
    ...raster(1, [0.257, 0.504, 0.098, 16]),
    ...raster(2, [-0.148, -0.291, 0.439, 128]),
    ...raster(2, [0.439, -0.368, -0.071, 128]),
  ];
}

/** Writes the film for `--use-file-for-fake-video-capture`, which Chromium reads when a page opens the camera. */
export async function writeDrawnPerson(browser: Browser, path: string): Promise<void> {
  const page = await browser.newPage();
  const rasters = Uint8Array.from(await page.evaluate(draw, CAMERA));
  await page.close();
  const head = `YUV4MPEG2 W${CAMERA.width} H${CAMERA.height} F${CAMERA.framesPerSecond}:1 Ip A1:1 C420jpeg\n`;
  const frame = [Buffer.from("FRAME\n"), rasters];
  await writeFile(path, Buffer.concat([Buffer.from(head), ...frame, ...frame]));
}
