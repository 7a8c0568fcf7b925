/** The API of the worker that reads a file of a call, since reading a long one would stop the page for a second. */
import { callViewOf } from "../../shared/domain/call-view.ts";
import { blobSchema } from "../../shared/protocol/blob.ts";
import type { CallFileApi } from "../../shared/protocol/call-file.ts";
import { readCallFile } from "./read.ts";

export const createCallFileApi = (): CallFileApi => ({
  async read(file) {
    const found = readCallFile(await (blobSchema.parse(file) as Blob).text());
    if (!("timeline" in found)) return found;
    return { view: callViewOf(found.timeline), names: found.names };
  },
});
