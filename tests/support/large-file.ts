/** A file of many megabytes, the same in the page and here, that neither of them has to keep in its memory. */
import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import { consoleStarted } from "./started.ts";

/**
 * The parts of a PDF, each of one megabyte but the first. It runs in the page too, so it needs nothing outside.
 *
 * @param from the first megabyte that is wanted
 */
function partsOf(from: number, to: number): ArrayBuffer[] {
  const parts: ArrayBuffer[] = [];
  if (from === 0) parts.push(new TextEncoder().encode("%PDF-1.7\n").buffer);
  for (let at = from; at < to; at += 1) {
    const words = new Uint32Array(1 << 18);
    let x = at + 1;
    for (let n = 0; n < words.length; n += 1) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      words[n] = x;
    }
    parts.push(words.buffer);
  }
  return parts;
}

export function largeFile(megabytes: number): { readonly size: number; readonly sha256: string } {
  const hash = createHash("sha256");
  let size = 0;
  for (let at = 0; at < megabytes; at += 1) {
    for (const part of partsOf(at, at + 1)) {
      hash.update(new Uint8Array(part));
      size += part.byteLength;
    }
  }
  return { size, sha256: hash.digest("hex") };
}

/** Puts the file into the queue of uploads, from this page. Resolves when the core keeps it. */
export const queueLargeFile = (
  page: Page,
  given: { readonly key: string; readonly name: string; readonly megabytes: number },
): Promise<unknown> =>
  page.evaluate(`(async () => {
    ${partsOf.toString()}
    const { key, name, megabytes } = ${JSON.stringify(given)};
    const file = new Blob(partsOf(0, megabytes));
    await globalThis.consoleCore.commands.uploads.start({ key, file, name });
  })()`);

/** The upload as a tab sees it; null when the tab knows none. */
export async function uploadIn(page: Page, key: string) {
  await consoleStarted(page);
  return page.evaluate((one) => {
    const entry = globalThis.consoleCore.state.uploads.byKey[one];
    return entry === undefined ? null : { ...entry };
  }, key);
}

/**
 * Counts how often the upload pauses, as this page sees it. A pause is short, so a poll may miss it.
 *
 * @returns how often it has paused so far
 */
export async function countPauses(page: Page, key: string): Promise<() => Promise<number>> {
  await consoleStarted(page);
  const counter = await page.evaluateHandle((one) => {
    const counted = { pauses: 0, state: "" };
    setInterval(() => {
      const state = globalThis.consoleCore.state.uploads.byKey[one]?.state ?? "";
      if (state === "paused" && counted.state !== "paused") counted.pauses += 1;
      counted.state = state;
    }, 20);
    return counted;
  }, key);
  return () => counter.evaluate(({ pauses }) => pauses);
}

/** What a download of the stored file holds, read as it comes. */
export async function downloaded(
  url: string,
  fileName: string,
  { token, supplierId }: { readonly token: string; readonly supplierId: string },
): Promise<{ readonly size: number; readonly sha256: string; readonly disposition: string }> {
  const answer = await fetch(`${url}/umc-rbac/common/download?fileName=${fileName}`, {
    headers: { authorization: `Bearer ${token}`, "supplier-id": supplierId },
  });
  if (!answer.ok || answer.body === null) throw new Error(`the download is ${answer.status}`);
  const hash = createHash("sha256");
  let size = 0;
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return {
    size,
    sha256: hash.digest("hex"),
    disposition: answer.headers.get("content-disposition") ?? "",
  };
}
