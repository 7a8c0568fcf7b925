/** Two applications with the unmodified package easemob-emedia meet by `joinRoom` and publish: each sees and hears the other. */
import type { Page } from "@playwright/test";
import { MEDIA_PATIENCE } from "../support/time-limits.ts";
import { expect, OTHER_ORIGIN, test } from "./fixtures.ts";
import { APP_KEY, chatIdentity } from "./identity.ts";
import { openIntegrator } from "./integrator-page.ts";

const NAMES = ["lina", "ops"] as const;
const TALKER = 3;
const ADMIN = 7;

const WAYS: readonly {
  readonly how: string;
  readonly roles: readonly [number, number];
  /** Both enter at the same time, so both may create the conference. */
  readonly together?: boolean;
  /** The names and tokens of the chat, as an application with the provider's chat SDK has them. */
  readonly chat?: boolean;
  /** Where the pages are. */
  readonly page?: string;
}[] = [
  { how: "one after the other, as speakers", roles: [TALKER, TALKER] },
  { how: "at the same time, as speakers", roles: [TALKER, TALKER], together: true },
  { how: "both as admins", roles: [ADMIN, ADMIN] },
  { how: "with the chat's names and tokens", roles: [TALKER, TALKER], chat: true },
  { how: "from pages of another host", roles: [TALKER, TALKER], page: OTHER_ORIGIN },
];

/** Frames and packets of sound that came over the connection whose picture is shown for this member. */
const received = (page: Page, member: string) =>
  page.evaluate(async (name) => {
    const video = document.querySelector<HTMLVideoElement>(`[data-member="${name}"]`);
    const sum = { frames: 0, packets: 0, energy: 0, width: video?.videoWidth ?? 0 };
    const ids = ((video?.srcObject as MediaStream | null)?.getTracks() ?? []).map(({ id }) => id);
    for (const pc of globalThis.peerConnections ?? []) {
      if (!pc.getReceivers().some(({ track }) => ids.includes(track.id))) continue;
      (await pc.getStats()).forEach((entry: Record<string, unknown>) => {
        if (entry["type"] !== "inbound-rtp") return;
        sum.frames += Number(entry["framesDecoded"] ?? 0);
        if (entry["kind"] !== "audio") return;
        sum.packets += Number(entry["packetsReceived"] ?? 0);
        sum.energy += Number(entry["totalAudioEnergy"] ?? 0);
      });
    }
    return sum;
  }, member);

async function expectReceived(page: Page, member: string): Promise<void> {
  const first = await received(page, member);
  await expect
    .poll(
      async () => {
        const now = await received(page, member);
        return {
          picture: now.frames >= first.frames + 20 && now.width > 0,
          sound: now.packets >= first.packets + 50 && now.energy > first.energy,
        };
      },
      { timeout: MEDIA_PATIENCE, message: `${member} is seen and heard` },
    )
    .toEqual({ picture: true, sound: true });
}

for (const { how, roles, together = false, chat = false, page: place } of WAYS) {
  test(`Two applications that join a conference by name ${how} see and hear each other`, async ({
    contexts,
    server,
  }) => {
    const wanted = { roomName: `conference-${how.replaceAll(/\W+/g, "-")}`, password: "123456" };
    const pages: Page[] = [];
    for (const [at, name] of NAMES.entries()) {
      const { context, identity } = await contexts(name);
      const shown = chat ? await chatIdentity(server.url, identity) : identity;
      const known = { ...shown, origin: server.url, appkey: APP_KEY };
      const as = { ...wanted, role: roles[at]! };
      pages.push(await openIntegrator(context, place ?? server.url, known, as));
    }
    const [lina, ops] = pages as [Page, Page];
    const enter = (page: Page): Promise<void> => page.evaluate(() => globalThis.enter());
    if (together) await Promise.all([enter(lina), enter(ops)]);
    else for (const page of pages) await enter(page);
    await expectReceived(lina, "ops");
    await expectReceived(ops, "lina");
    expect(await lina.evaluate(() => globalThis.said)).toEqual(["joined ops"]);
    for (const page of pages) await page.close();
  });
}
