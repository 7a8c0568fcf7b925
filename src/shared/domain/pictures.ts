/** Pictures in cells. They have no text, so what stands in their place must never be stored. */

/** What a reader puts in place of a picture, as the text of an error value. */
export const PICTURE = "[图片]";

/** The formula of WPS for a picture, which other programs show and export as it stands. */
const DISPIMG = /^\s*[=＝](?:_xlfn\.)*DISPIMG\s*[(（]/i;

/** @param isError whether the text is that of an error value */
export const isPicture = (text: string, isError: boolean): boolean =>
  isError ? text === PICTURE : text.length > 8 && DISPIMG.test(text);
