/** A core of a person that reports to a server from outside of any browser, so that a test decides what it says. */
import { deflateRawSync } from "node:zlib";
import { WebSocket } from "ws";
import { FLEET_LIMITS, type CoreReportInput } from "../../src/shared/protocol/fleet.ts";
import { fleetTicketCall } from "../../src/shared/protocol/rest/fleet.ts";
import { PASSWORD } from "./people.ts";
import { caller } from "./rest-caller.ts";
import { restLogin } from "./rest-login.ts";

export interface ReportingCore {
  /** Sends a report and goes on to send it every few seconds, so that the core stays in the list. */
  says(report: Partial<CoreReportInput>): void;
  close(): void;
}

/** ms between two reports. */
const EVERY = 5_000 / FLEET_LIMITS.framesPerSecond;

/** @param hello what it says of itself: `build`, `browser` and so on */
export async function reportingCore(
  url: string,
  username: string,
  hello: Readonly<Record<string, unknown>>,
): Promise<ReportingCore> {
  const { grant } = await restLogin(url, username, PASSWORD);
  const { data } = await caller(url, grant.access_token)("GET", fleetTicketCall.path);
  const socket = new WebSocket(
    url.replace(/^http/, "ws") + (fleetTicketCall.data.parse(data).url ?? ""),
  );
  await new Promise<void>((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", reject);
  });
  socket.on("error", () => undefined);
  socket.send(
    JSON.stringify({
      core: `core-${username}`,
      browser: "Google Chrome 120",
      os: "Windows 15",
      startedAt: Date.now(),
      ...hello,
    }),
  );
  await new Promise((resolve) => socket.once("message", resolve));
  let said: Partial<CoreReportInput> = {};
  let n = 0;
  const send = (): void => {
    n += 1;
    const report: CoreReportInput = { company: "1", ms: 15_000, ...said, n };
    socket.send(deflateRawSync(JSON.stringify(report)));
  };
  const timer = setInterval(send, EVERY);
  return {
    says(report) {
      said = report;
      send();
    },
    close() {
      clearInterval(timer);
      socket.close();
    },
  };
}
