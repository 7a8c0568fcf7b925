import type { UploadOptions } from "tus-js-client";
import { expect, test } from "vitest";
import { type LoadTus, PART, sendParts, TAKEN_BACK } from "./index.ts";

const URL = "http://h/parts";
class Refused extends Error {}

/** An upload in parts whose wire the test plays. `jobs` are the attempts. */
async function begin(known: string | null = null, size = 5) {
  const control = new AbortController();
  const sent: number[] = [];
  const accepted: number[] = [];
  const written: (string | null)[] = [];
  const aborted: boolean[] = [];
  const jobs: { url: string | null; readonly options: UploadOptions }[] = [];
  let token = 0;
  const load = () =>
    Promise.resolve({
      Upload: function create(_file: Blob, options: UploadOptions) {
        const job = {
          url: options.uploadUrl ?? null,
          options,
          start: () => undefined,
          abort: async (end: boolean) => void aborted.push(end),
        };
        jobs.push(job);
        return job;
      },
    }) as unknown as ReturnType<LoadTus>;
  const done = sendParts(
    {
      file: new Blob(["x".repeat(size)]),
      onSent: (bytes) => sent.push(bytes),
      onAccepted: (bytes) => accepted.push(bytes),
      signal: control.signal,
      resume: {
        read: () => Promise.resolve(known),
        write: async (address) => void written.push(address),
      },
    },
    {
      url: URL,
      headers: () => Promise.resolve({ Authorization: `Bearer ${(token += 1)}` }),
      errorOf: (status, body) => new Refused(`${status} ${body}`),
    },
    load,
  );
  // The outcome is read later.
  done.catch(() => undefined);
  const turn = () => new Promise((resolve) => setTimeout(resolve, 0));
  await turn();
  return { control, sent, accepted, written, aborted, jobs, done, turn };
}
const refusal = (status: number, body: string) =>
  Object.assign(new Error("refused"), {
    originalResponse: { getStatus: () => status, getBody: () => body },
  });

test("A new upload remembers its address, says how far it is, and gives the id of the complete file", async () => {
  const { jobs, sent, written, done } = await begin(null, PART + 1);
  const [job] = jobs;
  expect(job?.options).toMatchObject({
    endpoint: URL,
    chunkSize: PART,
    uploadDataDuringCreation: false,
  });
  expect(job?.options.uploadUrl).toBeUndefined();
  job!.url = `${URL}/abc`;
  job?.options.onUploadUrlAvailable?.();
  job?.options.onProgress?.(1, 4);
  job?.options.onSuccess?.({} as never);
  expect(await done).toBe("abc");
  expect([written, sent]).toEqual([[`${URL}/abc`], [1]]);
});

test("Says what the server has by its answers alone, and nothing by a refusal", async () => {
  const { jobs, accepted, written, turn } = await begin(`${URL}/abc`, 3 * PART);
  const answers = (status: number, offset: string | undefined) =>
    jobs.at(-1)?.options.onAfterResponse?.({} as never, {
      getStatus: () => status,
      getHeader: () => offset,
      getBody: () => "",
      getUnderlyingObject: () => null,
    });
  answers(200, String(PART));
  jobs[0]?.options.onProgress?.(PART + 10, 3 * PART);
  answers(204, String(2 * PART));
  answers(503, undefined);
  answers(409, "7");
  expect(accepted).toEqual([PART, 2 * PART]);
  // Gone at the server: it begins again from nothing.
  jobs[0]?.options.onError?.(refusal(404, ""));
  await turn();
  expect([jobs.length, written, accepted.at(-1)]).toEqual([2, [null], 0]);
});

test("A small file goes with the request that creates it", async () => {
  const { jobs } = await begin(null, PART);
  expect(jobs[0]?.options.uploadDataDuringCreation).toBe(true);
});

test("Each request has the headers of its moment, because a long upload outlives a token", async () => {
  const { jobs } = await begin();
  const set: string[] = [];
  const request = {
    setHeader: (name: string, value: string) => void set.push(`${name}: ${value}`),
    getUnderlyingObject: () => undefined,
  };
  for (let n = 0; n < 2; n += 1) await jobs[0]?.options.onBeforeRequest?.(request as never);
  expect(set).toEqual(["Authorization: Bearer 1", "Authorization: Bearer 2"]);
});

test("An upload that broke off goes on at its address, and does not begin again when the server is away", async () => {
  const { jobs, done, written } = await begin(`${URL}/abc`);
  expect(jobs[0]?.options.uploadUrl).toBe(`${URL}/abc`);
  // With an endpoint the library would create another upload after any failure.
  expect(jobs[0]?.options.endpoint).toBeUndefined();
  jobs[0]?.options.onError?.(refusal(503, "away"));
  await expect(done).rejects.toThrow("503 away");
  expect([jobs.length, written]).toEqual([1, []]);
  const next = await begin(`${URL}/abc`);
  next.jobs[0]?.options.onSuccess?.({} as never);
  expect(await next.done).toBe("abc");
});

test("What the server no longer has begins again at once", async () => {
  const { jobs, done, written, turn } = await begin(`${URL}/abc`);
  jobs[0]?.options.onError?.(refusal(404, ""));
  await turn();
  expect(written).toEqual([null]);
  expect(jobs[1]?.options).toMatchObject({ endpoint: URL });
  jobs[1]!.url = `${URL}/def`;
  jobs[1]?.options.onSuccess?.({} as never);
  expect(await done).toBe("def");
});

test("A lost server and a refusal are told apart", async () => {
  for (const [error, text] of [
    [new Error("network"), "null "],
    [refusal(413, "full"), "413 full"],
    [refusal(404, ""), "404 "],
  ] as const) {
    const { jobs, done } = await begin();
    jobs[0]?.options.onError?.(error);
    await expect(done).rejects.toThrow(text);
  }
});

test("Without the code for parts, which a deployment may have removed, nothing is sent", async () => {
  const upload = {
    file: new Blob(["large"]),
    onSent: () => undefined,
    signal: new AbortController().signal,
    resume: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
  };
  const server = { url: URL, headers: () => Promise.resolve({}), errorOf: () => new Refused() };
  const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));
  expect(await sendParts(upload, server, gone)).toBeNull();
});

test("The server drops the parts of an upload that was taken back, and keeps them when only this core ends", async () => {
  for (const reason of [undefined, TAKEN_BACK]) {
    const { control, aborted, done } = await begin();
    control.abort(reason);
    await expect(done).rejects.toThrow("null");
    expect(aborted).toEqual([reason === TAKEN_BACK]);
  }
});
