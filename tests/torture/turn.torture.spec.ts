/** TURN: when only relayed candidates are allowed, a call's media pass through coturn with the shared secret. */
import { answerButton, dial, expectMedia } from "../support/calls.ts";
import { expect, test } from "../support/fixtures.ts";
import { noTurn, startTurn, type Turn } from "../support/turn.ts";
import { freePort } from "../../scripts/lib/free-port.mjs";

const SECRET = "a-secret-of-the-relay-test";
const port = await freePort();

test.use({ serverEnv: { TURN_URL: `turn:127.0.0.1:${port}`, TURN_SECRET: SECRET } });

let turn: Turn | null = null;
test.beforeAll(async () => {
  // Reason: coturn is a system package (Debian: coturn), not a dependency of this project.
  test.skip(noTurn !== null, noTurn ?? "");
  turn = await startTurn({ address: "127.0.0.1", port, secret: SECRET });
});
test.afterAll(() => turn?.stop());

/** Runs before the page's scripts and after watchPeers: allows only relayed candidates. */
function relayOnly(): void {
  const Original = globalThis.RTCPeerConnection;
  globalThis.RTCPeerConnection = class extends Original {
    constructor(config?: RTCConfiguration) {
      super({ ...config, iceTransportPolicy: "relay" });
    }
  };
}

test("A call works through the relay alone", async ({ people }) => {
  test.setTimeout(120_000);
  const zhang = await people.loggedIn("zhangwei", { path: "/dashboard" });
  const li = await people.loggedIn("lina", { path: "/dashboard" });
  await zhang.context.addInitScript(relayOnly);
  await li.context.addInitScript(relayOnly);
  const [a, b] = [zhang.pages[0]!, li.pages[0]!];
  await a.goto("/im/people");
  await b.goto("/im/people");
  await dial(a, "李娜");
  await answerButton(b).click();
  await expectMedia(a);
  await expectMedia(b);
  const kinds = await a.evaluate(async () => {
    const found: string[] = [];
    for (const pc of globalThis.peerConnections ?? []) {
      const report = await pc.getStats();
      report.forEach((entry: Record<string, unknown>) => {
        if (entry["type"] === "local-candidate") found.push(String(entry["candidateType"]));
      });
    }
    return [...new Set(found)];
  });
  expect(kinds).toEqual(["relay"]);
});
