/**
 * Arithmetic on a picture in the format I420: a raster of brightness, then two rasters of colour with half the width and height. Cameras
 * deliver it, and encoders take it, so no frame is converted to RGB as a whole.
 */

/** Size of what the model reads and of the mask that it makes, px. */
export const MODEL = { width: 256, height: 144 } as const;
/** Side of the squares of brightness that become one pixel of the blurred picture, px. */
const SQUARE = 8;
/** Radius of the box blur on the small picture, px of it. */
const RADIUS = 2;
const PASSES = 2;

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** The three rasters, one after another, without padding. */
  readonly data: Uint8Array;
}
interface Raster {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

const half = (length: number): number => (length + 1) >> 1;
export const i420Size = (width: number, height: number): number =>
  width * height + 2 * half(width) * half(height);

export function rastersOf({ width, height, data }: Picture): readonly [Raster, Raster, Raster] {
  const small = { width: half(width), height: half(height) };
  const luma = width * height;
  const chroma = small.width * small.height;
  return [
    { width, height, data: data.subarray(0, luma) },
    { ...small, data: data.subarray(luma, luma + chroma) },
    { ...small, data: data.subarray(luma + chroma, luma + 2 * chroma) },
  ];
}

/** Separates the mixed colours of NV12, in which cameras of Windows and macOS deliver. */
export function fromNv12(source: Uint8Array, into: Picture): void {
  const [y, u, v] = rastersOf(into);
  y.data.set(source.subarray(0, y.data.length));
  for (let i = 0, from = y.data.length; i < u.data.length; i += 1, from += 2) {
    u.data[i] = source[from] ?? 0;
    v.data[i] = source[from + 1] ?? 0;
  }
}

/** The picture as the model reads it: RGB, 0..1, stretched to the model's size. */
export function toModel(picture: Picture, into: Float32Array): void {
  const [{ width, height, data: y }, { width: colours, data: u }, { data: v }] = rastersOf(picture);
  const stepX = width / MODEL.width;
  const stepY = height / MODEL.height;
  let at = 0;
  for (let row = 0; row < MODEL.height; row += 1) {
    const fromY = Math.floor((row + 0.5) * stepY);
    const line = fromY * width;
    const colourLine = (fromY >> 1) * colours;
    for (let column = 0; column < MODEL.width; column += 1) {
      const fromX = Math.floor((column + 0.5) * stepX);
      const light = (y[line + fromX]! - 16) * 0.004565;
      const blue = u[colourLine + (fromX >> 1)]! - 128;
      const red = v[colourLine + (fromX >> 1)]! - 128;
      into[at] = unit(light + red * 0.006259);
      into[at + 1] = unit(light - blue * 0.001533 - red * 0.003188);
      into[at + 2] = unit(light + blue * 0.007914);
      at += 3;
    }
  }
}
const unit = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value);

/**
 * The mask as bytes, with a narrower edge: the model is unsure over a wide seam, through which the background would be seen.
 *
 * @param sure how sure the model is that a pixel belongs to a person, 0..1
 */
export function toMask(sure: Float32Array, into: Uint8Array): void {
  for (let i = 0; i < into.length; i += 1) {
    const value = unit((sure[i]! - 0.25) * 2);
    into[i] = 255 * value * value * (3 - 2 * value);
  }
}

/** A raster at the size of the blurred picture. Each pixel is the mean of a square. */
function shrink(raster: Raster, square: number, into: Raster): void {
  const { width, height, data } = raster;
  for (let row = 0; row < into.height; row += 1) {
    const top = row * square;
    const bottom = Math.min(top + square, height);
    for (let column = 0; column < into.width; column += 1) {
      const left = column * square;
      const right = Math.min(left + square, width);
      let sum = 0;
      for (let y = top; y < bottom; y += 1) {
        for (let at = y * width + left, end = y * width + right; at < end; at += 1)
          sum += data[at]!;
      }
      into.data[row * into.width + column] = sum / ((bottom - top) * (right - left));
    }
  }
}

/** Blurs `length` pixels that lie `step` apart. */
function blurLine(from: Uint8Array, into: Uint8Array, start: number, step: number, length: number) {
  for (let i = 0; i < length; i += 1) {
    let sum = 0;
    for (let d = -RADIUS; d <= RADIUS; d += 1) {
      const at = i + d < 0 ? 0 : i + d >= length ? length - 1 : i + d;
      sum += from[start + at * step]!;
    }
    into[start + i * step] = sum / (2 * RADIUS + 1);
  }
}

/** Fixed point: whole numbers are several times as fast here as fractions. */
const ONE = 256;

interface Scale {
  readonly from: Int32Array;
  readonly part: Int32Array;
}
/**
 * For each of `wide` pixels: its left neighbour among `small` ones, and how much of the right one it takes, 0..ONE.
 *
 * @param size how many pixels a small one covers
 */
function scaleOf(wide: number, small: number, size: number): Scale {
  const from = new Int32Array(wide);
  const part = new Int32Array(wide);
  for (let i = 0; i < wide; i += 1) {
    const at = Math.min(Math.max((i + 0.5) / size - 0.5, 0), small - 1);
    from[i] = Math.min(Math.floor(at), small - 2);
    part[i] = Math.round((at - from[i]!) * ONE);
  }
  return { from, part };
}

/** All that blending rasters of one size needs. */
interface Tables {
  readonly width: number;
  readonly height: number;
  readonly square: number;
  readonly smallWidth: number;
  readonly backgroundX: Scale;
  readonly backgroundY: Scale;
  readonly maskX: Scale;
  readonly maskY: Scale;
  /** A line of the blurred raster, and a line of the mask. */
  readonly line: Int32Array;
  readonly person: Int32Array;
}
function tablesOf(width: number, height: number, square: number): Tables {
  const small = { width: Math.ceil(width / square), height: Math.ceil(height / square) };
  return {
    width,
    height,
    square,
    smallWidth: small.width,
    backgroundX: scaleOf(width, small.width, square),
    backgroundY: scaleOf(height, small.height, square),
    maskX: scaleOf(width, MODEL.width, width / MODEL.width),
    maskY: scaleOf(height, MODEL.height, height / MODEL.height),
    line: new Int32Array(small.width),
    person: new Int32Array(MODEL.width),
  };
}

/**
 * Replaces what the mask leaves out of the raster by the blurred raster. It goes by pieces of a square's width, because most of them are
 * the person alone, which are not touched, or the background alone, which need no blending.
 */
function blend(data: Uint8Array, blurred: Uint8Array, mask: Uint8Array, tables: Tables): void {
  const { width, height, square, smallWidth, backgroundY, maskY, line, person } = tables;
  const { from: backgroundFrom, part: backgroundPart } = tables.backgroundX;
  const { from: maskFrom, part: maskPart } = tables.maskX;
  for (let row = 0; row < height; row += 1) {
    between(blurred, backgroundY.from[row]! * smallWidth, backgroundY.part[row]!, line);
    between(mask, maskY.from[row]! * MODEL.width, maskY.part[row]!, person);
    const start = row * width;
    for (let left = 0; left < width; left += square) {
      const right = left + square < width ? left + square : width;
      let any = 0;
      let all = FULL;
      for (let m = maskFrom[left]!, last = maskFrom[right - 1]! + 1; m <= last; m += 1) {
        any |= person[m]!;
        all &= person[m]!;
      }
      if (all === FULL) continue;
      for (let x = left; x < right; x += 1) {
        const b = backgroundFrom[x]!;
        const near = line[b]!;
        const back = (near * ONE + (line[b + 1]! - near) * backgroundPart[x]! + HALF) >> 16;
        if (any === 0) data[start + x] = back;
        else {
          const m = maskFrom[x]!;
          const here = person[m]!;
          const share = here + (((person[m + 1]! - here) * maskPart[x]!) >> 8);
          if (share < FULL)
            data[start + x] = back + (((data[start + x]! - back) * share) / FULL + 0.5);
        }
      }
    }
  }
}
const HALF = 1 << 15;
/** What a mask has where a person is, times ONE. */
const FULL = 255 * ONE;

/** The line between two lines of a small picture, times ONE. */
function between(rows: Uint8Array, start: number, part: number, into: Int32Array): void {
  const width = into.length;
  for (let i = 0; i < width; i += 1) {
    const above = rows[start + i]!;
    into[i] = above * ONE + (rows[start + width + i]! - above) * part;
  }
}

/** Makes the function that blurs pictures of one size, so that its tables are made once. */
export function createBlur(width: number, height: number) {
  const luma = tablesOf(width, height, SQUARE);
  const chroma = tablesOf(half(width), half(height), SQUARE / 2);
  const size = { width: luma.smallWidth, height: Math.ceil(height / SQUARE) };
  const small = { ...size, data: new Uint8Array(size.width * size.height) };
  const other = new Uint8Array(small.data.length);

  /** @param mask 255 where a person is, 0 elsewhere, at the model's size */
  return (picture: Picture, mask: Uint8Array): void => {
    for (const [index, raster] of rastersOf(picture).entries()) {
      const tables = index === 0 ? luma : chroma;
      shrink(raster, tables.square, small);
      for (let pass = 0; pass < PASSES; pass += 1) {
        for (let row = 0; row < size.height; row += 1) {
          blurLine(small.data, other, row * size.width, 1, size.width);
        }
        for (let column = 0; column < size.width; column += 1) {
          blurLine(other, small.data, column, size.width, size.height);
        }
      }
      blend(raster.data, small.data, mask, tables);
    }
  };
}
