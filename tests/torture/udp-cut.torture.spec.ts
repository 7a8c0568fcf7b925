/**
 * A person's network stops letting UDP pass in the middle of a conference or a call, as when a laptop comes into a strict network. TURN
 * over TCP is what remains, and the media must go on over it.
 */
import type { Page } from "@playwright/test";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { answerButton, callStatus, dial, expectMedia } from "../support/calls.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  joined,
  memberNames,
} from "../support/conference.ts";
import { expect, type Fixtures, test, type WorkerFixtures } from "../support/fixtures.ts";
import { noNamespaces, type OtherMachine, otherMachine } from "../support/netns.ts";
import { firstPauseEnd, notePauses } from "../support/pauses.ts";
import { loggedIn } from "../support/people.ts";
import { noTurn, startTurn } from "../support/turn.ts";

const why = noNamespaces() ?? noTurn;
/** Third number of the network of this test, so that the server can name the relay before the network exists. */
const NET = 3;
const SECRET = "a-secret-of-the-relay-test";
const ROUNDS = 3;
/** ms from the cut until packets and pictures flow again on both sides. */
const LIMIT = 15_000;
/** ms after the cut in which what was sent before still arrives. */
const LAST_MS = 300;
const port = await freePort();

test.use({
  serverEnv: {
    TURN_URL: `turn:10.213.${NET}.1:${port}?transport=tcp`,
    TURN_SECRET: SECRET,
    MEDIA_PUBLIC_IP: `10.213.${NET}.1`,
  },
});

/** Kinds of the own candidates that carry the media of the page now, as in `host by udp` and `relay by tcp`. */
const ownPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const open = (globalThis.peerConnections ?? []).filter((pc) => pc.connectionState !== "closed");
    const found = new Set<string>();
    for (const report of await Promise.all(open.map((pc) => pc.getStats()))) {
      const stats = new Map<string, Record<string, unknown>>();
      report.forEach((stat: Record<string, unknown>) => stats.set(String(stat["id"]), stat));
      for (const stat of stats.values()) {
        if (stat["type"] !== "transport") continue;
        const pair = stats.get(String(stat["selectedCandidatePairId"]));
        const own = stats.get(String(pair?.["localCandidateId"]));
        const by = own?.["relayProtocol"] ?? own?.["protocol"];
        if (own !== undefined) found.add(`${String(own["candidateType"])} by ${String(by)}`);
      }
    }
    return [...found];
  });

interface Sides {
  readonly machine: OtherMachine;
  /** `behind` is on the machine that loses UDP. */
  readonly pages: { readonly behind: Page; readonly other: Page };
}

async function onTwoMachines(
  { people, server }: Pick<Fixtures, "people"> & Pick<WorkerFixtures, "server">,
  path: string,
  run: (sides: Sides) => Promise<void>,
): Promise<void> {
  const machine = otherMachine(NET);
  const turn = await startTurn({ address: machine.gateway, port, secret: SECRET });
  try {
    const origin = `http://${machine.gateway}:${new URL(server.url).port}`;
    const browser = await machine.launch(origin);
    const far = await loggedIn(browser, origin, "lina", { path });
    const near = await people.loggedIn("zhangwei", { path });
    const pages = { behind: far.pages[0]!, other: near.pages[0]! };
    await Promise.all(Object.values(pages).map(notePauses));
    await run({ machine, pages });
    await far.close();
  } finally {
    turn.stop();
    await machine.dispose();
  }
}

/** Cuts UDP and waits until packets and pictures flow again on both sides. @returns the longest wait, ms */
async function cut({ machine, pages }: Sides, what: string): Promise<number> {
  machine.cutUdp();
  const at = Date.now();
  let longest = 0;
  for (const [who, page] of Object.entries(pages)) {
    for (const kind of ["packets", "pictures"] as const) {
      const wait = (await firstPauseEnd(page, kind, at + LAST_MS)) - at;
      console.log(`      ${what}, ${who}: ${kind} after ${wait} ms`);
      longest = Math.max(longest, wait);
    }
  }
  return longest;
}

test(`A conference whose UDP is cut goes on over TURN within ${LIMIT / 1000} s, and everybody stays`, async ({
  people,
  server,
}) => {
  // `why` says what the machine lacks for this network.
  test.skip(why !== null, why ?? "");
  test.setTimeout(240_000);
  await onTwoMachines({ people, server }, CONFERENCE_PAGE, async (sides) => {
    const { machine, pages } = sides;
    const { behind, other } = pages;
    const id = await createConference(other, "严格网络");
    const waits: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      await joinById(behind, id);
      await expectPictures(behind, ["zhangwei"]);
      await expectPictures(other, ["lina"]);
      expect(await ownPaths(behind)).toEqual(["host by udp"]);
      waits.push(await cut(sides, `cut ${round}`));
      await joined(behind);
      await expectPictures(behind, ["zhangwei"]);
      await expectPictures(other, ["lina"]);
      expect(await ownPaths(behind)).toEqual(["relay by tcp"]);
      expect(await memberNames(other)).toEqual(["lina", "zhangwei"]);
      machine.mendUdp();
      await behind.getByRole("button", { name: "离开会议" }).click();
      await expect.poll(() => memberNames(other)).toEqual(["zhangwei"]);
    }
    expect(Math.max(...waits)).toBeLessThan(LIMIT);
  });
});

test("Who has no UDP at all enters a conference over TURN and is seen and heard", async ({
  people,
  server,
}) => {
  // `why` says what the machine lacks for this network.
  test.skip(why !== null, why ?? "");
  test.setTimeout(120_000);
  await onTwoMachines({ people, server }, CONFERENCE_PAGE, async ({ machine, pages }) => {
    const { behind, other } = pages;
    machine.cutUdp();
    await joinById(behind, await createConference(other, "严格网络"));
    await expectPictures(behind, ["zhangwei"]);
    await expectPictures(other, ["lina"]);
    expect(await ownPaths(behind)).toEqual(["relay by tcp"]);
  });
});

test(`A call whose UDP is cut goes on over TURN within ${LIMIT / 1000} s`, async ({
  people,
  server,
}) => {
  // `why` says what the machine lacks for this network.
  test.skip(why !== null, why ?? "");
  test.setTimeout(120_000);
  await onTwoMachines({ people, server }, "/im/people", async (sides) => {
    const { behind, other } = sides.pages;
    await dial(other, "李娜");
    await answerButton(behind).click();
    await expectMedia(behind);
    await expectMedia(other);
    expect(await ownPaths(behind)).toEqual(["host by udp"]);
    expect(await cut(sides, "call")).toBeLessThan(LIMIT);
    await expectMedia(behind);
    await expectMedia(other);
    expect(await ownPaths(behind)).toEqual(["relay by tcp"]);
    for (const page of [behind, other]) expect(await callStatus(page)).toBe("chat");
  });
});
