/** Saves the QR codes of invitations as pictures in one archive, to be sent to people one by one. */
import { encodeQR } from "qr";
import { type Bytes, zip } from "../../../shared/xlsx/zip.ts";
import { saveBlob } from "../../state/save.ts";
import { pictureNames, type PrintedLink } from "./printed-link.ts";

/** Pixels of a module: a picture of about 500 pixels, which telephones and printers read. */
const SCALE = 10;
const BORDER = 4;
/** Pixels below the code for the name. */
const CAPTION = 56;

async function picture({ name, link }: PrintedLink): Promise<Uint8Array> {
  const rows = encodeQR(new URL(link, location.origin).href, "raw", {
    ecc: "medium",
    border: BORDER,
  });
  const side = rows.length * SCALE;
  const canvas = new OffscreenCanvas(side, side + CAPTION);
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser draws no picture");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = "#000";
  for (const [y, row] of rows.entries()) {
    for (const [x, isDark] of row.entries()) {
      if (isDark) context.fillRect(x * SCALE, y * SCALE, SCALE, SCALE);
    }
  }
  context.font = '28px "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif';
  context.textAlign = "center";
  context.fillText(name, side / 2, side + CAPTION / 2, side - 2 * BORDER * SCALE);
  const blob = await canvas.convertToBlob({ type: "image/png" });
  return new Uint8Array(await blob.arrayBuffer());
}

/** @param name of the archive, without its ending */
export async function saveQrCodes(links: readonly PrintedLink[], name: string): Promise<void> {
  const names = pictureNames(links);
  const entries = [];
  for (const [i, link] of links.entries()) {
    entries.push({ name: names[i] ?? "", content: [await picture(link)] });
  }
  const parts: Bytes[] = [];
  for await (const part of zip(entries)) parts.push(part);
  saveBlob(new Blob(parts, { type: "application/zip" }), `${name}.zip`);
}
