import type { UploadOptions } from "tus-js-client";
import { expect, test } from "vitest";
import type { LoadTus } from "../../parts/index.ts";
import { FAILURE } from "./failures.ts";
import { uploadInParts } from "./resumable-upload.ts";

/** An upload whose wire the test plays. */
async function begin() {
  const shares: number[] = [];
  let options: UploadOptions = {};
  const load = () =>
    Promise.resolve({
      Upload: function create(_file: Blob, given: UploadOptions) {
        options = given;
        return { url: "http://h/parts/abc", start: () => undefined };
      },
    }) as unknown as ReturnType<LoadTus>;
  const done = uploadInParts(
    {
      file: new Blob(["large"]),
      onProgress: (share) => shares.push(share),
      signal: new AbortController().signal,
      resume: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
    },
    { url: "http://h/parts", token: "t" },
    load,
  );
  // The outcome is read later.
  done.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { shares, done, options: () => options };
}

test("An upload in parts bears the chat token and says its share", async () => {
  const { options, shares, done } = await begin();
  const set: string[] = [];
  const request = {
    setHeader: (name: string, value: string) => void set.push(`${name}: ${value}`),
    getUnderlyingObject: () => undefined,
  };
  await options().onBeforeRequest?.(request as never);
  expect(set).toEqual(["Authorization: Bearer t"]);
  options().onProgress?.(1, 4);
  options().onSuccess?.({} as never);
  expect(await done).toBe("abc");
  expect(shares).toEqual([0.25]);
});

test("A lost server may be tried again, and a refusal is the one of the usual upload", async () => {
  const refusal = (status: number, body: string) =>
    Object.assign(new Error("refused"), {
      originalResponse: { getStatus: () => status, getBody: () => body },
    });
  for (const [error, type] of [
    [new Error("network"), FAILURE.disconnected],
    [refusal(503, ""), FAILURE.disconnected],
    [refusal(413, '{"error":"file_quota"}'), FAILURE.fileRefused],
    [refusal(429, ""), FAILURE.busy],
  ] as const) {
    const { done, options } = await begin();
    options().onError?.(error);
    await expect(done).rejects.toMatchObject({ type });
  }
});
