/** Makes workbooks as files in a browser: templates, reports, exports. */
import { type Sheet, writeWorkbook, XLSX_TYPE } from "../shared/xlsx/workbook.ts";
import type { Bytes, Deflate } from "../shared/xlsx/zip.ts";

/** The browser's own, which is several times faster than one in JavaScript: a report can have hundreds of thousands of rows. */
const browserDeflate: Deflate = async function* (source) {
  const stream = new CompressionStream("deflate-raw");
  const writer = stream.writable.getWriter();
  const fed = (async () => {
    try {
      for await (const chunk of source) await writer.write(chunk as Bytes);
      await writer.close();
    } catch (error) {
      await writer.abort(error);
    }
  })();
  const reader = stream.readable.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  await fed;
};

export async function workbookFile(sheet: Sheet): Promise<Blob> {
  const chunks: Bytes[] = [];
  for await (const chunk of writeWorkbook(sheet, browserDeflate)) chunks.push(chunk);
  return new Blob(chunks, { type: XLSX_TYPE });
}
