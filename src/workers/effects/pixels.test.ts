import { expect, it } from "vitest";
import {
  createBlur,
  fromNv12,
  i420Size,
  MODEL,
  type Picture,
  rastersOf,
  toMask,
  toModel,
} from "./pixels.ts";

const SIZE = { width: 640, height: 360 };
/** Vertical stripes, 16 px wide, in brightness and in both colours. */
function stripes({ width, height } = SIZE): Picture {
  const picture = { width, height, data: new Uint8Array(i420Size(width, height)) };
  for (const [index, raster] of rastersOf(picture).entries()) {
    const wide = index === 0 ? 16 : 8;
    raster.data.forEach((_, at) => {
      raster.data[at] = Math.floor((at % raster.width) / wide) % 2 === 0 ? 60 : 200;
    });
  }
  return picture;
}
/** A person in the middle third. */
const middle = (): Uint8Array =>
  new Uint8Array(MODEL.width * MODEL.height).map((_, at) => {
    const x = at % MODEL.width;
    return x > MODEL.width / 3 && x < (MODEL.width * 2) / 3 ? 255 : 0;
  });
const copyOf = (picture: Picture): Picture => ({ ...picture, data: picture.data.slice() });

it("The blur leaves the person to the bit, and takes nine tenths of the contrast from the background", () => {
  const before = stripes();
  const after = copyOf(before);
  createBlur(640, 360)(after, middle());
  for (const [index, raster] of rastersOf(after).entries()) {
    const original = rastersOf(before)[index]?.data ?? new Uint8Array();
    const { width, height, data } = raster;
    let person = 0;
    const background: number[] = [];
    data.forEach((value, at) => {
      const x = (at % width) / width;
      if (x > 0.36 && x < 0.64) person += value === original[at] ? 0 : 1;
      const y = Math.floor(at / width) / height;
      if ((x > 0.1 && x < 0.28) || (x > 0.72 && x < 0.9))
        if (y > 0.1 && y < 0.9) background.push(value);
    });
    expect(person).toBe(0);
    expect(Math.max(...background) - Math.min(...background)).toBeLessThan(14);
    const mean = background.reduce((a, b) => a + b, 0) / background.length;
    expect(Math.abs(mean - 130)).toBeLessThan(4);
  }
});

it("Pictures of odd sizes are blurred too, and one colour stays that colour", () => {
  const picture = { width: 321, height: 181, data: new Uint8Array(i420Size(321, 181)).fill(99) };
  createBlur(321, 181)(picture, new Uint8Array(MODEL.width * MODEL.height));
  expect(picture.data.every((value) => value === 99)).toBe(true);
});

it("NV12 becomes I420", () => {
  const picture = { width: 4, height: 2, data: new Uint8Array(i420Size(4, 2)) };
  fromNv12(Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 10, 20, 11, 21), picture);
  expect([...picture.data]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 20, 21]);
});

it.each([
  ["black", [16, 128, 128], [0, 0, 0]],
  ["white", [235, 128, 128], [1, 1, 1]],
  ["red", [81, 90, 240], [1, 0, 0]],
  ["green", [145, 54, 34], [0, 1, 0]],
  ["blue", [41, 240, 110], [0, 0, 1]],
])("The model reads %s as it is", (_, [y = 0, u = 0, v = 0], [r = 0, g = 0, b = 0]) => {
  const picture = { ...SIZE, data: new Uint8Array(i420Size(640, 360)) };
  const rasters = rastersOf(picture);
  [y, u, v].forEach((value, index) => rasters[index]?.data.fill(value));
  const read = new Float32Array(MODEL.width * MODEL.height * 3);
  toModel(picture, read);
  for (const at of [0, read.length - 3]) {
    expect(read[at]).toBeCloseTo(r, 1);
    expect(read[at + 1]).toBeCloseTo(g, 1);
    expect(read[at + 2]).toBeCloseTo(b, 1);
  }
});

it("A mask is sure of what the model is nearly sure of", () => {
  const mask = new Uint8Array(5);
  toMask(Float32Array.of(0, 0.2, 0.5, 0.8, 1), mask);
  expect([...mask]).toEqual([0, 0, 127, 255, 255]);
});
