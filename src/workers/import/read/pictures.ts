/** Tells the formulas whose result is a picture from others. */
import { PICTURE } from "../../../shared/domain/pictures.ts";
import { spells } from "./markup.ts";

export const NO_FORMULA = 0;
const OTHER = 1;
/** The function of WPS. */
export const DISPIMG = 2;
/** The function of Excel. */
export const IMAGE = 3;
export const PICTURE_BYTES = new TextEncoder().encode(PICTURE);

/** @returns the kind of the formula in the element b[from, to) */
export function formulaOf(b: Uint8Array, from: number, to: number): number {
  let i = b.indexOf(62, from) + 1;
  if (i === 0) return OTHER;
  while (i < to && spells(b, i, "_xlfn.")) i += 6;
  if (i >= to) return OTHER;
  return spells(b, i, "DISPIMG(") ? DISPIMG : spells(b, i, "IMAGE(") ? IMAGE : OTHER;
}
