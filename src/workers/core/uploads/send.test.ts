/** How one file of a company is sent (docs/session.md#uploads). */
import type { UploadOptions } from "tus-js-client";
import { expect, it } from "vitest";
import { AppError } from "../../../shared/errors.ts";
import type { CallOptions } from "../contracts.ts";
import { createFakeEnv, settle } from "../core.fake.ts";
import type { LoadTus } from "../parts/index.ts";
import { createSendFile } from "./send.ts";

const ID = `${"a".repeat(32)}-${"b".repeat(32)}`;
const STORED = { fileName: `${"c".repeat(22)}.pdf`, originalName: "x", size: 4 };
const MB = 1024 * 1024;

/**
 * @param answers of the calls in their order
 * @param holds no call is answered; the end of its signal ends it
 */
function setUp(
  answers: (unknown | AppError)[],
  { inParts = true, known = "", holds = false } = {},
) {
  const calls: { id: string; input: unknown; options: CallOptions }[] = [];
  const jobs: UploadOptions[] = [];
  const suspected: true[] = [];
  const written: (string | null)[] = [];
  let address: string | null = known === "" ? null : known;
  const env = createFakeEnv();
  const { send } = createSendFile({
    env: { ...env, config: { ...env.config, uploadsInParts: inParts } },
    http: {
      headers: ({ supplierId } = {}) =>
        Promise.resolve({ Authorization: "Bearer t", "supplier-id": supplierId ?? "" }),
      call: ((call: { id: string }, input: unknown = {}, options: CallOptions = {}) => {
        calls.push({ id: call.id, input, options });
        if (holds) {
          return new Promise((_resolve, reject) => {
            const cancel = (): void => reject(new AppError("request.cancelled"));
            options.signal?.addEventListener("abort", cancel);
          });
        }
        const answer = answers.shift();
        return answer instanceof AppError ? Promise.reject(answer) : Promise.resolve(answer);
      }) as never,
    },
    reach: { suspect: () => void suspected.push(true) },
    loadTus: () =>
      Promise.resolve({
        Upload: function create(_file: Blob, options: UploadOptions) {
          jobs.push(options);
          return { url: `http://h/${ID}`, start: () => undefined, abort: async () => undefined };
        },
      }) as unknown as ReturnType<LoadTus>,
  });
  const control = new AbortController();
  const sent: number[] = [];
  const accepted: number[] = [];
  const begin = async (name = "报告.pdf", size = 4) => {
    const done = send({
      file: new Blob(["x".repeat(size)]),
      name,
      supplierId: "s1",
      onSent: (bytes) => sent.push(bytes),
      onAccepted: (bytes) => accepted.push(bytes),
      signal: control.signal,
      resume: {
        read: () => Promise.resolve(address),
        async write(next) {
          address = next;
          written.push(next);
        },
      },
    });
    done.catch(() => undefined);
    await settle();
    return done.then(
      (fileName) => fileName,
      (error: unknown) => AppError.from(error).code,
    );
  };
  return { begin, calls, jobs, suspected, written, sent, accepted, control, env };
}
const refusal = (status: number, body: unknown) =>
  Object.assign(new Error("refused"), {
    originalResponse: { getStatus: () => status, getBody: () => JSON.stringify(body) },
  });

/** Lets the sending come to its next request. */
async function next(jobs: readonly UploadOptions[]): Promise<UploadOptions> {
  await settle();
  const job = jobs.at(-1);
  if (job === undefined) throw new Error("nothing is being sent");
  return job;
}

it("A file comes in parts with the token and the company, and is then taken over by its id", async () => {
  const { begin, calls, jobs } = setUp([STORED]);
  const done = begin();
  const job = await next(jobs);
  expect(job.endpoint).toBe("http://localhost:8080/common/upload/resumable");
  const set: string[] = [];
  await job.onBeforeRequest?.({
    setHeader: (name: string, value: string) => void set.push(`${name}: ${value}`),
    getUnderlyingObject: () => undefined,
  } as never);
  expect(set).toEqual(["Authorization: Bearer t", "supplier-id: s1"]);
  job.onSuccess?.({} as never);
  expect(await done).toBe(STORED.fileName);
  expect(calls).toMatchObject([
    {
      id: "files.uploadFinish",
      input: { params: { id: ID }, body: { name: "报告.pdf" } },
      options: { supplierId: "s1" },
    },
  ]);
});

it("When only the answer was lost, the file is asked for by its id and not sent again", async () => {
  const { begin, jobs } = setUp([STORED], { known: `http://h/${ID}` });
  expect(await begin()).toBe(STORED.fileName);
  expect(jobs).toEqual([]);
});

it("One that is incomplete goes on at its address, and one that the server has lost begins again", async () => {
  for (const [code, key] of [
    ["request.conflict", "uploadUrl"],
    ["request.not-found", "endpoint"],
  ] as const) {
    const { begin, jobs, accepted } = setUp([new AppError(code), STORED], {
      known: `http://h/${ID}`,
    });
    const done = begin();
    const job = await next(jobs);
    expect(job[key]).toBeDefined();
    expect(accepted).toEqual(key === "endpoint" ? [0] : []);
    job.onSuccess?.({} as never);
    expect(await done).toBe(STORED.fileName);
  }
});

it("A lost network is suspected, a refusal has the server's code, and a refused token is renewed by the usual call", async () => {
  const lost = setUp([]);
  const broken = lost.begin();
  (await next(lost.jobs)).onError?.(new Error("network"));
  expect([await broken, lost.suspected]).toEqual(["server.unavailable", [true]]);

  const full = setUp([]);
  const refused = full.begin();
  (await next(full.jobs)).onError?.(refusal(413, { error: "file.quota", msg: "x" }));
  expect(await refused).toBe("file.quota");

  const old = setUp([new AppError("auth.required")]);
  const expired = old.begin();
  (await next(old.jobs)).onError?.(refusal(401, { error: "auth.expired" }));
  expect(await expired).toBe("auth.expired");
  expect(old.calls.map(({ id }) => id)).toEqual(["auth.account"]);
});

it("On a dead connection an upload ends as without an answer, in parts and in one piece; what is cancelled says so", async () => {
  const inParts = setUp([]);
  const broken = inParts.begin();
  (await next(inParts.jobs)).onProgress?.(1, 4);
  inParts.env.clock.advance(120_000);
  expect([await broken, inParts.suspected]).toEqual(["server.unavailable", [true]]);

  const back = setUp([], { inParts: false, holds: true });
  const lost = back.begin();
  back.env.clock.advance(10_000);
  back.env.online.set(true);
  expect(await lost).toBe("network.timeout");

  const cancelled = setUp([]);
  const over = cancelled.begin();
  await next(cancelled.jobs);
  cancelled.control.abort();
  expect(await over).toBe("request.cancelled");
  for (const { env } of [inParts, back, cancelled]) expect(env.clock.pending).toBe(0);
});

it("A type that the platform refuses in any case is not sent at all", async () => {
  const { begin, jobs, calls } = setUp([]);
  expect(await begin("a.exe")).toBe("file.wrong-type");
  expect([jobs, calls]).toEqual([[], []]);
});

it("Where the platform takes no parts, a file of up to 5 MB goes in one piece, and a larger one is refused", async () => {
  const { begin, calls, sent } = setUp([STORED], { inParts: false });
  expect(await begin("现场.png", 3)).toBe(STORED.fileName);
  const file = calls[0]?.options.form?.get("file") as File;
  expect([calls[0]?.id, file.name, file.size]).toEqual(["files.upload", "现场.png", 3]);
  // The headers of the form count as sent bytes, but not as bytes of the file.
  calls[0]?.options.onSent?.(2, 200);
  calls[0]?.options.onSent?.(200, 200);
  expect(sent).toEqual([2, 3]);
  const large = setUp([], { inParts: false });
  expect(await large.begin("a.pdf", 5 * MB + 1)).toBe("file.too-large");
});
