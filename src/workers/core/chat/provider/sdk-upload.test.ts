import { expect, test } from "vitest";
import { ChatFailure } from "./port.ts";
import { uploadFile } from "./sdk-upload.ts";
import { failureOf } from "./upload-answers.ts";

const UUID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";
const SERVER = {
  files: "http://h/o/a/chatfiles",
  token: "t",
  type: "CHAT",
  resumable: true,
} as const;

/** What the upload uses of a request. The test plays the server. */
function createRequest() {
  const headers: Record<string, string> = {};
  const request = {
    headers,
    opened: "",
    sent: null as FormData | null,
    status: 0,
    responseText: "",
    timeout: 0,
    upload: {} as { onprogress(event: { loaded: number; total: number }): void },
    onload: (): void => {},
    onerror: (): void => {},
    onabort: (): void => {},
    ontimeout: (): void => {},
    open(method: string, url: string) {
      request.opened = `${method} ${url}`;
    },
    setRequestHeader(name: string, value: string) {
      headers[name] = value;
    },
    send(form: FormData) {
      request.sent = form;
    },
    abort: () => request.onabort(),
    answer(status: number, body: string) {
      request.status = status;
      request.responseText = body;
      request.onload();
    },
  };
  return request;
}

function begin() {
  const request = createRequest();
  const control = new AbortController();
  const shares: number[] = [];
  const upload = {
    to: "bob",
    name: "照片.png",
    file: new Blob(["large"]),
    thumb: new Blob(["small"]),
    onProgress: (share: number) => void shares.push(share),
    signal: control.signal,
    resume: { read: () => Promise.resolve(null), write: () => Promise.resolve() },
  };
  const done = uploadFile(upload, SERVER, () => request as unknown as XMLHttpRequest);
  return { request, control, shares, done };
}

test("An upload sends the file, its name and the smaller picture, says how far it is, and gives address and secret", async () => {
  const { request, shares, done } = begin();
  expect(request.opened).toBe("POST http://h/o/a/chatfiles?chat-type=CHAT&chat-target=bob");
  expect(request.headers).toEqual({ Authorization: "Bearer t", "restrict-access": "true" });
  const file = request.sent?.get("file");
  expect(file).toMatchObject({ name: "照片.png", size: 5 });
  expect(request.sent?.get("thumbnail")).toMatchObject({ size: 5 });
  request.upload.onprogress({ loaded: 3, total: 6 });
  request.answer(200, JSON.stringify({ entities: [{ uuid: UUID, "share-secret": "s" }] }));
  expect(await done).toEqual({ url: `http://h/o/a/chatfiles/${UUID}`, secret: "s" });
  expect(shares).toEqual([0.5]);
});

test("A broken upload, a cancelled one and an answer that is none count as a lost connection", async () => {
  const broken = begin();
  broken.request.onerror();
  await expect(broken.done).rejects.toMatchObject({ type: 16 });
  const cancelled = begin();
  cancelled.control.abort();
  await expect(cancelled.done).rejects.toMatchObject({ type: 16 });
  for (const body of ["<html>", "{}", '{"entities":[{"uuid":"../x","share-secret":"s"}]}']) {
    const odd = begin();
    odd.request.answer(200, body);
    await expect(odd.done).rejects.toMatchObject({ type: 16 });
  }
});

test.each([
  [401, {}, 16],
  [403, { error: "forbidden_op" }, 603],
  [413, { error: "file_quota" }, 511],
  [429, { error: "reach_limit" }, 503],
  [400, { error: "illegal_argument" }, 999],
  [502, null, 16],
])("The status %i is the failure %o %i", (status, body, type) => {
  const failure = failureOf(status, body);
  expect(failure).toBeInstanceOf(ChatFailure);
  expect(failure.type).toBe(type);
});
