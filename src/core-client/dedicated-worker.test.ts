import { expect, it } from "vitest";
import { expose } from "comlink";
import { AppError } from "../shared/errors.ts";
import { dedicatedWorker } from "./dedicated-worker.ts";
import type { Deployed } from "./contracts.ts";

interface Api {
  open(): Promise<string>;
}

/** A worker of this thread: its port, and the events that a browser would fire at it. */
function setUp(deployed: Deployed, answer?: () => unknown) {
  const { port1, port2 } = new MessageChannel();
  port1.start();
  if (answer !== undefined) expose({ open: answer }, port2);
  let failed: (event: Partial<ErrorEvent>) => void = () => undefined;
  const worker = {
    postMessage: port1.postMessage.bind(port1),
    addEventListener(type: string, handler: never) {
      if (type === "error") failed = handler;
      else port1.addEventListener(type, handler);
    },
    removeEventListener: port1.removeEventListener.bind(port1),
    terminate() {
      port1.close();
      port2.close();
    },
  };
  const made = dedicatedWorker<Api>(
    worker as unknown as Worker,
    { open: true },
    "import.cancelled",
    () => Promise.resolve(deployed),
  );
  return { ...made, fail: (event: Partial<ErrorEvent>) => failed(event) };
}
const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => "ok",
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

it.each([
  ["other", "code.replaced"],
  ["unreachable", "server.unreachable"],
  ["same", "core.gone"],
] as const)(
  "A worker whose script cannot be fetched from a server with the answer %s rejects with %s",
  async (deployed, code) => {
    const { api, fail, terminate } = setUp(deployed);
    const call = codeOf(api.open());
    fail({ preventDefault: () => undefined });
    expect(await call).toBe(code);
    expect(await codeOf(api.open())).toBe(code);
    terminate();
  },
);

it.each([
  ["other", "code.replaced"],
  ["unreachable", "server.unreachable"],
  ["same", "server.unavailable"],
] as const)(
  "A part that a worker lacks is explained by a server with the answer %s as %s",
  async (deployed, code) => {
    const missing = () => ({ ok: false, error: new AppError("server.unavailable").toWire() });
    const { api, terminate } = setUp(deployed, missing);
    expect(await codeOf(api.open())).toBe(code);
    terminate();
  },
);

it("Other errors of a worker stay as they are while another build is deployed", async () => {
  const corrupt = () => ({ ok: false, error: new AppError("import.corrupt").toWire() });
  const { api, terminate } = setUp("other", corrupt);
  expect(await codeOf(api.open())).toBe("import.corrupt");
  terminate();
});
