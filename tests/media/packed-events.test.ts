/**
 * A host page of the packed library reads each typed event in a browser (docs/conferences.md#typed-events). What this server says rarely or
 * never comes from a relay before its socket, also another address of this machine. Real changes: tests/torture/address.torture.spec.ts.
 */
import { chromium, type Browser, type Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  create,
  enter,
  heardIn,
  type PackedWorld,
  packedWorld,
  withDevices,
} from "../conference/packed-page.ts";
import { type SignallingRelay, startSignallingRelay } from "../conference/signalling-relay.ts";
import { loginIdentity } from "../emedia/identity.ts";
import { lose, silence, withBrokenDevices } from "../support/broken-devices.ts";
import { launchOptions } from "../support/chromium.ts";
import { storedQuality } from "../support/quality.ts";
import { until } from "./rig.ts";

let world: PackedWorld;
let relay: SignallingRelay;
let browser: Browser;
beforeAll(async () => {
  world = await packedWorld({ deploy: () => ({ ws: relay.host }) });
  relay = await startSignallingRelay(world.server.url, world.origin);
  browser = await chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"]));
});
afterAll(async () => {
  await browser?.close();
  await relay?.close();
  await world?.close();
});

const heard = (page: Page, ...events: string[]) =>
  until(
    () => heardIn(page),
    (all) => events.every((event) => all.includes(event)),
    events.join(", "),
    30_000,
  );
/** A ticket of the server for this person, and the same with another end. */
async function ticketFor(confrId: string, username: string, endsIn: number) {
  const { name, token } = await loginIdentity(world.server.url, username);
  const answer = await fetch(`${world.server.url}/easemob/rtc/req/ticket`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${token}`,
      origin: world.origin,
    },
    body: JSON.stringify({ uid: name, confrId }),
  });
  const { ticket } = (await answer.json()) as { ticket: { tktId: string } };
  const exp = Math.round((Date.now() + endsIn) / 1000);
  const claims = Buffer.from(JSON.stringify({ exp })).toString("base64url");
  return { ticket, ending: { ...ticket, tktId: `e30.${claims}.x` } };
}
const failing = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    () => true,
  );

it("Each typed event of entering, streams, devices, ticket, live streams and the socket arrives in the page", async () => {
  const other = await world.open(await withDevices(browser), "zhangwei");
  const confrId = await create(other);
  await other.evaluate(() => globalThis.client.publish());
  const context = await withDevices(browser);
  await withBrokenDevices({ context });
  const page = await world.open(context, "lina", {
    deployUrl: `${world.origin}/deploy.json`,
    enterTimeout: 3_000,
    iceRebuildCount: 0,
    iceRebuildIntervalMillis: 0,
  });

  // Entering: no answer, a refusal, and then with a ticket that is about to end.
  relay.answer(200, "drop");
  expect(await failing(enter(page, confrId))).toBe(true);
  await heard(page, "onEnterFailed: EnterFail");
  relay.answer(200, { result: -504, msg: "full" });
  expect(await failing(enter(page, confrId))).toBe(true);
  await heard(page, "onEnterFailed: ServerRefuseEnter");
  relay.answer(200, null);
  const { ticket, ending } = await ticketFor(confrId, "lina", 8_000);
  relay.ticket = ticket;
  await page.evaluate(
    ([id, shown]) => globalThis.client.joinConferenceWithTicket(id, shown as never),
    [confrId, ending] as const,
  );
  await heard(page, "onConnectionChanged: connected", "onTicket: TicketExpiring");
  await heard(page, "onTicket: TicketExpired");
  relay.say({ op: 452, cver: 0, liveCfgs: [{ liveId: "l1" }] });
  await heard(page, "onLiveCfgs: LiveCfgs");

  // Streams: another's comes, weakens, fails and comes again, and has a codec that is not there.
  await heard(page, "onStreamConnection: SubSuccess");
  /** Says to the page that a state of its connections has come. */
  const iceState = (state: string): Promise<void> =>
    page.evaluate((now) => {
      for (const pc of globalThis.peerConnections ?? []) {
        if (pc.signalingState === "closed") continue;
        Object.defineProperty(pc, "iceConnectionState", { configurable: true, value: now });
        Object.defineProperty(pc, "connectionState", { configurable: true, value: now });
        pc.dispatchEvent(new Event("iceconnectionstatechange"));
        pc.dispatchEvent(new Event("connectionstatechange"));
      }
    }, state);
  await iceState("disconnected");
  await heard(page, "onStreamConnection: NetworkWeak");
  await until(
    async () => {
      await iceState("failed");
      return heardIn(page);
    },
    (all) => all.includes("onStreamConnection: SubFail"),
    "SubFail",
    30_000,
  );
  await until(
    () => {
      // It tries again meanwhile, over other connections.
      const last = relay.sent.findLast(({ subSId }) => subSId !== undefined);
      relay.say({ op: 107, rtcId: last?.["rtcId"], endReason: 22 });
      return heardIn(page);
    },
    (all) => all.includes("onStreamConnection: SubFailNotSupportVCodes"),
    "SubFailNotSupportVCodes",
    30_000,
  );

  // Own streams: refused, and published.
  relay.answer(102, { result: -405, msg: "no" });
  expect(await failing(page.evaluate(() => globalThis.client.publish()))).toBe(true);
  await heard(page, "onStreamConnection: PushFail");
  relay.answer(102, null);
  await page.evaluate(() => globalThis.client.publish());
  await heard(page, "onStreamConnection: PushSuccess");

  // Devices.
  await silence(page, "microphone", true);
  await heard(page, "onDeviceError: DeviceSilenced");
  // A camera that is still there would be opened again at once.
  await page.evaluate(() => {
    globalThis.brokenDevices.fail("camera", { name: "NotFoundError", message: "unplugged" });
  });
  await lose(page, "camera");
  await heard(page, "onDeviceError: DeviceLost");
  await page.evaluate(() => {
    const said = { name: "NotAllowedError", message: "closed" };
    globalThis.brokenDevices.fail("screen", said);
  });
  expect(
    await failing(page.evaluate((id) => globalThis.client.shareDesktop({ confrId: id }), confrId)),
  ).toBe(true);
  await heard(page, "onDeviceError: OpenDesktopMediaAccessDenied");

  // The socket. The real ticket has been taken back, so the server lets nobody else in.
  relay.cut();
  await heard(page, "onConnectionChanged: WSClose", "onConnectionChanged: reconnecting");
  await heard(page, "onConnectionChanged: reconnected");
  expect(await heardIn(page)).not.toContain("onConnectionChanged: NetworkChanaged");

  // Another address: the connections are built again.
  const connections = await page.evaluate(() => globalThis.peerConnections?.length ?? 0);
  relay.address = "192.0.2.7";
  relay.cut();
  await heard(page, "onConnectionChanged: NetworkChanaged");
  const counted = () => page.evaluate(() => globalThis.peerConnections?.length ?? 0);
  await until(counted, (now) => now > connections, "another connection", 30_000);
  await page.evaluate(() => globalThis.client.exitConference());
  await heard(page, "onConnectionChanged: closed");
  await other.evaluate(() => globalThis.client.destroyConference());
  // Both clients sent records of quality. The server stores what it has before it ends.
  await world.server.kill();
  expect(await storedQuality(world.server, confrId)).toEqual([0, 1, 2]);
  for (const one of [page, other]) await one.context().close();
});
