import { afterEach, beforeEach, expect, test } from "vitest";
import { forgiveLostReceipts } from "./lost-receipts.ts";

const unhandled: unknown[] = [];
const listen = (reason: unknown): void => void unhandled.push(reason);
/** The test runner's listeners. They would fail the run for the rejections expected here. */
let others: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  unhandled.length = 0;
  others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", listen);
});
afterEach(() => {
  process.removeAllListeners("unhandledRejection");
  for (const other of others) process.on("unhandledRejection", other);
});
/** Waits until unhandled rejections are reported, which happens after the microtasks of a turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Sdk {
  readonly sent: object[] = [];
  async send(message: object): Promise<unknown> {
    this.sent.push(message);
    throw new Error("websocket disconnected");
  }
  received(): void {
    void this.send({ id: "1", type: "delivery" });
  }
}

test("A receipt that the SDK cannot send causes no unhandled rejection, unlike any other ignored send", async () => {
  const bare = new Sdk();
  bare.received();
  await turn();
  expect(unhandled).toHaveLength(1);
  unhandled.length = 0;

  const sdk = new Sdk();
  forgiveLostReceipts(sdk);
  sdk.received();
  await turn();
  expect([sdk.sent, unhandled]).toEqual([[{ id: "1", type: "delivery" }], []]);
  await expect(sdk.send({ type: "txt" })).rejects.toThrow("websocket disconnected");
  void sdk.send({ type: "txt" });
  await turn();
  expect(unhandled).toHaveLength(1);
});
