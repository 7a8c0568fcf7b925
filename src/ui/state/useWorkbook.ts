/** Saves workbooks that the server makes (`download: true` of a call). */
import { useRef } from "react";
import type { CoreClient } from "../../core-client/contracts.ts";
import { formatDate } from "../../shared/domain/format.ts";
import type { DownloadCallId, DownloadInput } from "../../shared/protocol/rest/page-calls.ts";
import type { Downloads } from "./downloads.ts";
import { serverNow, useServices } from "./services.ts";

/**
 * Saves the workbook of a call.
 *
 * @param name of the file, before the time of the server
 * @param input of the call, for the name of the file without its ending
 */
export async function saveWorkbook<I extends DownloadCallId>(
  { core, downloads }: { readonly core: CoreClient; readonly downloads: Downloads },
  name: string,
  input: (fileName: string) => DownloadInput<I>,
): Promise<void> {
  const fileName = `${name}-${formatDate(serverNow(core), "{y}{m}{d}-{h}{i}{s}")}`;
  await downloads.save(`${fileName}.xlsx`, { kind: "call", ...input(fileName) });
}

/** @returns as saveWorkbook; another press while the workbook is made does nothing */
export function useWorkbook() {
  const services = useServices();
  const running = useRef(false);
  return async <I extends DownloadCallId>(name: string, input: DownloadInput<I>): Promise<void> => {
    if (running.current) return;
    running.current = true;
    await saveWorkbook(services, name, () => input);
    running.current = false;
  };
}
