/** For tests: cores that report to a server. */
import { deflateRawSync } from "node:zlib";
import { bucketOf, emptyHistogram, toSparse } from "../../../shared/domain/latency-histogram.ts";
import type { CoreReportInput } from "../../../shared/protocol/fleet.ts";
import { openSocket, type TestSocket } from "../../host.harness.ts";

export interface TestCore {
  readonly socket: TestSocket;
  /** Sends a report. @returns the server's answer */
  report(over: Partial<CoreReportInput> & { n: number }): Promise<Record<string, unknown>>;
  /** The answer to a report that is sent as it is. */
  raw(bytes: Uint8Array, n: number): Promise<Record<string, unknown>>;
}

export const packed = (report: unknown): Buffer => deflateRawSync(JSON.stringify(report));

/** Durations as a report has them. */
export function durations(...all: readonly [ms: number, count: number][]): number[] {
  const histogram = emptyHistogram();
  for (const [ms, count] of all) histogram[bucketOf(ms)] = count;
  return toSparse(histogram);
}

export async function openCore(
  address: string,
  hello: Readonly<Record<string, unknown>> = {},
): Promise<TestCore> {
  const socket = await openSocket(address);
  socket.send({
    core: "core-1",
    build: "b1",
    browser: "Google Chrome 140",
    os: "Windows 15",
    startedAt: 1_700_000_000_000,
    ...hello,
  });
  await socket.waitForFrame({ n: 0, result: 0 });
  const raw: TestCore["raw"] = (bytes, n) => {
    socket.raw(Buffer.from(bytes));
    return socket.waitForFrame({ n });
  };
  return {
    socket,
    raw,
    report: (over) => raw(packed({ company: "1", ms: 15_000, ...over }), over.n),
  };
}
