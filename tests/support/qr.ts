/** Reads QR pictures as a telephone does: from the pixels on the screen. */
import type { Locator, Page } from "@playwright/test";
import { decodeQR } from "qr/decode.js";

/** @returns the text of a drawn picture (`svg`) */
export async function readQr(picture: Locator): Promise<string> {
  const { width, height, data } = await picture.evaluate(async (svg) => {
    const image = new Image();
    const copy = svg.cloneNode(true) as SVGElement;
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    image.src = `data:image/svg+xml;utf8,${encodeURIComponent(copy.outerHTML)}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no canvas");
    context.drawImage(image, 0, 0);
    const pixels = context.getImageData(0, 0, image.width, image.height);
    return { width: pixels.width, height: pixels.height, data: [...pixels.data] };
  });
  return decodeQR({ width, height, data: Uint8ClampedArray.from(data) });
}

/** @returns the text of a picture file with a code in its upper part */
export async function readQrFile(page: Page, png: Uint8Array): Promise<string> {
  const { width, height, data } = await page.evaluate(
    async (bytes) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)]));
      // below the code stands the name
      const canvas = new OffscreenCanvas(picture.width, picture.width);
      const context = canvas.getContext("2d");
      if (context === null) throw new Error("no canvas");
      context.drawImage(picture, 0, 0);
      const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
      return { width: pixels.width, height: pixels.height, data: [...pixels.data] };
    },
    [...png],
  );
  return decodeQR({ width, height, data: Uint8ClampedArray.from(data) });
}
