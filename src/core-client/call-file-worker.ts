/** Starts the worker of a tab that reads a file of a call. Only this file names its URL. */
import { type CallFileApi, callFileAnswerSchema } from "../shared/protocol/call-file.ts";
import type { CoreClient } from "./contracts.ts";
import { dedicatedWorker } from "./dedicated-worker.ts";

/** @throws AppError when the worker did not start */
export async function readCallFile(
  file: File,
  { look }: Pick<CoreClient, "look">,
): ReturnType<CallFileApi["read"]> {
  const worker = new Worker(new URL("../workers/call-file/entry.ts", import.meta.url), {
    type: "module",
    name: "call-file",
  });
  const { api, terminate } = dedicatedWorker<CallFileApi>(
    worker,
    { read: true },
    "request.cancelled",
    look,
  );
  try {
    return callFileAnswerSchema.parse(await api.read(file));
  } finally {
    terminate();
  }
}
