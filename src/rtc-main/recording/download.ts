/** Gives a file of this page to the person as a download. */
import { browserClock, type MediaClock } from "../clock.ts";

/** ms until the address of a file is no longer valid: by then the browser has read it. */
export const REVOKE_MS = 40_000;

export interface DownloadPort {
  readonly clock: Pick<MediaClock, "after">;
  readonly urls: Pick<typeof URL, "createObjectURL" | "revokeObjectURL">;
  /** Clicks a link with this address and file name. */
  readonly click: (href: string, name: string) => void;
}
export const browserDownload: DownloadPort = {
  clock: browserClock,
  urls: URL,
  click(href, name) {
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    link.rel = "noopener";
    document.body.append(link);
    link.click();
    link.remove();
  },
};

/** @param after called when the address is no longer valid */
export function download(
  file: Blob,
  name: string,
  port: DownloadPort = browserDownload,
  after: () => void = () => undefined,
): void {
  const href = port.urls.createObjectURL(file);
  port.click(href, name);
  port.clock.after(REVOKE_MS, () => {
    port.urls.revokeObjectURL(href);
    after();
  });
}

const FORBIDDEN = /[\p{Cc}\\/:*?"<>|]+/gu;
const two = (n: number): string => String(n).padStart(2, "0");

/** @param at ms since the epoch, shown in the local time @returns a file name that every system accepts, at most 120 characters long */
export function fileName(name: string, at: number, extension: string): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  const time = `${two(date.getHours())}-${two(date.getMinutes())}-${two(date.getSeconds())}`;
  const clean = [...name.replaceAll(FORBIDDEN, " ").trim()].slice(0, 80).join("");
  return `${clean === "" ? "recording" : clean} ${day} ${time}${extension}`;
}
