/** Marks by which people say that a cell has the same content as the one above it. */

const MARKS: ReadonlySet<string> = new Set(["同上", "同前", "〃", "″", "”", "“", '"', "''"]);

/** Most UTF-8 bytes of such a mark with a few blanks around it, so that longer texts need not be decoded. */
export const LONGEST_MARK = 18;

export const isSameAsAbove = (text: string): boolean => MARKS.has(text.trim());
