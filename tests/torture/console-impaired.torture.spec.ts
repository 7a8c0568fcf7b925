/**
 * Two consoles in a conference of the bundled media node, each on a machine of its own with a bad network: media pass a relay that loses,
 * delays and limits packets, and requests and sockets pass another one with the same delay and rate. In the machines' network
 * namespaces nothing else leads to the node or to the server.
 */
import type { Page } from "@playwright/test";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { createUdpRelay } from "../media/udp-relay.ts";
import {
  CONFERENCE_PAGE,
  createConference,
  expectPictures,
  joinById,
  joined,
  pairs,
  slice,
} from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { noNamespaces, otherMachine } from "../support/netns.ts";
import { loggedIn } from "../support/people.ts";
import { tortureRandom } from "../support/seed.ts";
import { startSlowRelay } from "../support/slow-relay.ts";

const LOSS = 0.05;
/** ms, each way */
const DELAY = 200;
const KBIT = 300;
const LAN = { roundTrip: 2, kbitPerSecond: 1_000_000 };
const WATCH_MS = 30_000;
/** Frames a second that are decoded at least, and packets of sound: Chromium sends 50. */
const FPS = 5;
const SOUND = 35;
/** Share of lost packets at which the console calls a network poor (docs/calls.md#quality-samples), with room for chance. */
const POOR_LOSS = 0.45;
/** The console looks at the loss for 8 s before it says so, and a mended network for one sample. */
const SAID_MS = 30_000;
/** Third numbers of the machines' networks. */
const [NEAR, FAR] = [11, 12];
const NODE = `10.213.${NEAR}.1`;
const port = await freePort();
const why = noNamespaces();

test.use({
  serverEnv: { MEDIA_BIND: "127.0.0.1", MEDIA_PORT: String(port), MEDIA_PUBLIC_IP: NODE },
});

/** The connections of the page that are open: how many it made, and how many pairs of connection and ICE credentials. */
const negotiated = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    (globalThis.peerConnections ?? []).map(
      (pc, at) => `${at} ${/ice-ufrag:(\S+)/.exec(pc.localDescription?.sdp ?? "")?.[1] ?? ""}`,
    ),
  );
/** The words at the other person's tile. */
const words = (page: Page, member: string) =>
  page.locator(`.conference-tile[data-member="${member}"] .conference-quality`);

test(`Two consoles at ${LOSS * 100} % loss, ${DELAY} ms of delay each way and ${KBIT} kbit/s keep picture and sound, say how good the network is, and build no connection after the other`, async ({
  server,
}) => {
  // `why` says what the machine lacks for this network.
  test.skip(why !== null, why ?? "");
  test.setTimeout(300_000);
  const machines = [otherMachine(NEAR), otherMachine(FAR)] as const;
  const relay = await createUdpRelay(NODE, tortureRandom("consoles on a bad network"), {
    port,
    target: { address: "127.0.0.1", port },
  });
  const relays = await Promise.all(
    machines.map(({ gateway }) =>
      startSlowRelay({ ...LAN, port: Number(new URL(server.url).port), host: gateway }),
    ),
  );
  try {
    const names = ["zhangwei", "lina"] as const;
    const people = [];
    for (const [at, name] of names.entries()) {
      const browser = await machines[at]!.launch(relays[at]!.url);
      people.push(await loggedIn(browser, relays[at]!.url, name, { path: CONFERENCE_PAGE }));
    }
    const [a, b] = people.map((person) => person.pages[0]!) as [Page, Page];
    await joinById(b, await createConference(a, "弱网"));
    const sides = [
      { page: a, other: "lina" },
      { page: b, other: "zhangwei" },
    ];
    for (const { page, other } of sides) await expectPictures(page, [other]);

    const impair = (loss: number): void => {
      const rate = KBIT * 1000;
      Object.assign(relay.trouble, { loss, delay: DELAY, rate, rateUp: rate });
      for (const relay of relays) relay.change({ roundTrip: 2 * DELAY, kbitPerSecond: KBIT });
    };
    impair(LOSS);
    // The publishers find the rate of the network first.
    for (const { page, other } of sides) await expectPictures(page, [other]);
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const look = () =>
      Promise.all(
        sides.map(async ({ page, other }) => ({
          made: await negotiated(page),
          ...(await pairs(page)).find(({ member }) => member === other),
        })),
      );
    const sockets = () => relays.map((relay) => relay.connections());
    const [before, opened, at] = [await look(), sockets(), Date.now()];
    await wait(WATCH_MS);
    const [after, seconds] = [await look(), (Date.now() - at) / 1000];
    for (const [side, { page, other }] of sides.entries()) {
      const [first, last] = [before[side]!, after[side]!];
      const rate = (of: "frames" | "audioPackets"): number =>
        ((last[of] ?? 0) - (first[of] ?? 0)) / seconds;
      const heard = (last.energy ?? 0) - (first.energy ?? 0);
      const again = last.made.filter((one) => !first.made.includes(one));
      const more = sockets()[side]! - opened[side]!;
      const said = await words(page, other).getAttribute("aria-label");
      console.log(
        `      ${names[side]}: ${rate("frames").toFixed(1)} pictures and ${rate("audioPackets").toFixed(1)} packets of sound a second, ` +
          `${again.length} negotiations and ${more} TCP connections in ${seconds.toFixed(0)} s; "${said}"`,
      );
      expect(rate("frames")).toBeGreaterThan(FPS);
      expect(rate("audioPackets")).toBeGreaterThan(SOUND);
      expect(heard).toBeGreaterThan(0);
      expect(again.length).toBeLessThanOrEqual(1);
      expect(more).toBeLessThanOrEqual(6);
      expect(["网络良好", "网络较差"]).toContain(said);
      expect((await slice(page)).status).toBe("joined");
    }

    impair(POOR_LOSS);
    for (const { page, other } of sides) {
      await expect(words(page, other)).toHaveAttribute("aria-label", "网络较差", {
        timeout: SAID_MS,
      });
    }
    Object.assign(relay.trouble, { loss: 0, delay: 0, rate: 0, rateUp: 0 });
    for (const relay of relays) relay.change(LAN);
    for (const { page, other } of sides) {
      await expect(words(page, other)).toHaveAttribute("aria-label", "网络良好", {
        timeout: SAID_MS,
      });
      await joined(page);
      await expectPictures(page, [other]);
    }
    for (const person of people) await person.close();
  } finally {
    for (const machine of machines) await machine.dispose();
    for (const relay of relays) await relay.close();
    relay.close();
  }
});
