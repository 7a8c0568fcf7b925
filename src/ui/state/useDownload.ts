/** Saves files that the server makes (`download: true` of a call). */
import { useRef } from "react";
import type { CoreClient } from "../../core-client/contracts.ts";
import { formatDate } from "../../shared/domain/format.ts";
import type { DownloadCallId, DownloadInput } from "../../shared/protocol/rest/page-calls.ts";
import { saveBlob } from "./save.ts";
import { serverNow, useCore } from "./services.ts";
import { showError } from "./show-message.ts";

/**
 * Saves the workbook of a call.
 *
 * @param name of the file, before the time of the server
 * @param input of the call, for the name of the file without its ending
 */
export async function saveDownload<I extends DownloadCallId>(
  core: CoreClient,
  name: string,
  input: (fileName: string) => DownloadInput<I>,
): Promise<void> {
  const fileName = `${name}-${formatDate(serverNow(core), "{y}{m}{d}-{h}{i}{s}")}`;
  try {
    saveBlob(await core.commands.rest.download(input(fileName)), `${fileName}.xlsx`);
  } catch (error) {
    showError(error);
  }
}

/** @returns as saveDownload; another press while the file is made does nothing */
export function useDownload() {
  const core = useCore();
  const running = useRef(false);
  return async <I extends DownloadCallId>(name: string, input: DownloadInput<I>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    await saveDownload(core, name, () => input);
    running.current = false;
  };
}
