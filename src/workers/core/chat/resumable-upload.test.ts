import type { UploadOptions } from "tus-js-client";
import { expect, test } from "vitest";
import { FAILURE } from "./failures.ts";
import { type LoadTus, PART, TAKEN_BACK, uploadInParts } from "./resumable-upload.ts";

const SERVER = { url: "http://h/o/a/chatfiles/resumable", token: "t" };

/** An upload in parts whose wire the test plays. */
async function begin(known: string | null = null) {
  const control = new AbortController();
  const shares: number[] = [];
  const written: (string | null)[] = [];
  const aborted: boolean[] = [];
  let options: UploadOptions = {};
  const job = {
    url: known,
    start: () => undefined,
    abort: async (end: boolean) => void aborted.push(end),
  };
  const load = () =>
    Promise.resolve({
      Upload: function create(_file: Blob, given: UploadOptions) {
        options = given;
        return job;
      },
    }) as unknown as ReturnType<LoadTus>;
  const done = uploadInParts(
    {
      file: new Blob(["large"]),
      onProgress: (share) => shares.push(share),
      signal: control.signal,
      resume: {
        read: () => Promise.resolve(known),
        write: async (address) => void written.push(address),
      },
    },
    SERVER,
    load,
  );
  // The outcome is read later.
  done.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 0));
  return { control, shares, written, aborted, job, done, options: () => options };
}
const refusal = (status: number, body: string) =>
  Object.assign(new Error("refused"), {
    originalResponse: { getStatus: () => status, getBody: () => body },
  });

test("A new upload remembers its address, says how far it is, and gives the id of the complete file", async () => {
  const { options, job, shares, written, done } = await begin();
  expect(options()).toMatchObject({
    endpoint: SERVER.url,
    headers: { Authorization: "Bearer t" },
    chunkSize: PART,
  });
  expect(options().uploadUrl).toBeUndefined();
  job.url = `${SERVER.url}/abc`;
  options().onUploadUrlAvailable?.();
  options().onProgress?.(1, 4);
  options().onSuccess?.({} as never);
  expect(await done).toBe("abc");
  expect([written, shares]).toEqual([[`${SERVER.url}/abc`], [0.25]]);
});

test("An upload that broke off goes on at its address", async () => {
  const { options, done } = await begin(`${SERVER.url}/abc`);
  expect(options().uploadUrl).toBe(`${SERVER.url}/abc`);
  options().onSuccess?.({} as never);
  expect(await done).toBe("abc");
});

test("A lost server may be tried again, and a refusal is the one of the usual upload", async () => {
  for (const [error, type] of [
    [new Error("network"), FAILURE.disconnected],
    [refusal(503, ""), FAILURE.disconnected],
    [refusal(413, '{"error":"file_quota"}'), FAILURE.fileRefused],
    [refusal(429, ""), FAILURE.busy],
  ] as const) {
    const { options, done } = await begin();
    options().onError?.(error);
    await expect(done).rejects.toMatchObject({ type });
  }
});

test("Without the code for parts, which a deployment may have removed, the file goes in one piece", async () => {
  const point = { read: () => Promise.resolve(null), write: () => Promise.resolve() };
  const upload = {
    file: new Blob(["large"]),
    onProgress: () => undefined,
    signal: new AbortController().signal,
    resume: point,
  };
  const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  expect(await uploadInParts(upload, SERVER, gone)).toBeNull();
});

test("The server drops the parts of a message that was taken back, and keeps them when only this core ends", async () => {
  for (const reason of [undefined, TAKEN_BACK]) {
    const { control, aborted, done } = await begin();
    control.abort(reason);
    await expect(done).rejects.toMatchObject({ type: FAILURE.disconnected });
    expect(aborted).toEqual([reason === TAKEN_BACK]);
  }
});
