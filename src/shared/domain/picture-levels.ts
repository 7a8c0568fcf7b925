/** What is left of the own picture on a weak network (docs/calls.md#weak-network): all of it, one of 160 lines, none. */
export const PICTURE_LEVELS = ["full", "small", "off"] as const;
export type PictureLevel = (typeof PICTURE_LEVELS)[number];
