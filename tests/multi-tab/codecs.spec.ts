/**
 * A browser without H264 comes into a conference that publishes H264: the publishers are asked for another codec, and everybody sees
 * everybody. Firefox here has no H264 of its own; a Chromium is made so. The publishers are always Chromium, which has it.
 */
import { chromium, type Browser, type BrowserContext, type Page } from "@playwright/test";
import { ticketPath, ticketResponseSchema } from "../../src/shared/protocol/rest/rtc.ts";
import { launchOptions } from "../support/chromium.ts";
import { CONFERENCE_PAGE, expectPairs, joinById, slice } from "../support/conference.ts";
import { expect, test } from "../support/fixtures.ts";
import { loggedIn, PASSWORD } from "../support/people.ts";
import { restLogin } from "../support/rest-login.ts";

/** A conference whose creator wants H264: there is no button for that, so it is asked for as a client would. */
async function createForH264(origin: string, user: string): Promise<string> {
  const { grant } = await restLogin(origin, user, PASSWORD);
  const asked = await fetch(origin + ticketPath("easemob"), {
    method: "POST",
    headers: {
      authorization: `Bearer ${grant.access_token}`,
      "content-type": "application/json",
      "supplier-id": "1",
    },
    body: JSON.stringify({ uid: user, confrType: 10, name: "编码", useVCodes: ["H264", "VP8"] }),
  });
  const { confrId, errorMessage } = ticketResponseSchema.parse(await asked.json());
  if (confrId === undefined) throw new Error(`no conference: ${errorMessage}`);
  return confrId;
}

/** Runs in the page before its scripts: neither the lists of codecs nor any offer has H264. */
function withoutH264(): void {
  const others = <T extends { mimeType: string }>(codecs: readonly T[]): T[] =>
    codecs.filter(({ mimeType }) => mimeType.toLowerCase() !== "video/h264");
  for (const side of [RTCRtpReceiver, RTCRtpSender]) {
    const all = side.getCapabilities.bind(side);
    side.getCapabilities = (kind) => {
      const found = all(kind);
      return found === null ? null : { ...found, codecs: others(found.codecs) };
    };
  }
  const { createOffer } = RTCPeerConnection.prototype;
  RTCPeerConnection.prototype.createOffer = function (
    this: RTCPeerConnection,
    ...given: unknown[]
  ) {
    const known = RTCRtpReceiver.getCapabilities("video")?.codecs ?? [];
    for (const one of this.getTransceivers()) {
      const receives = one.direction === "recvonly" && one.receiver.track.kind === "video";
      if (receives) one.setCodecPreferences(known);
    }
    return createOffer.apply(this, given as never) as never;
  };
}

const streamCodecs = async (page: Page): Promise<string[]> =>
  Object.values((await slice(page)).streams)
    .map(({ memId, vcodes }) => `${memId} ${vcodes[0]}`)
    .toSorted();

/** By which codecs this page sends and decodes frames now, by what its open connections count. */
const usedCodecs = (page: Page): Promise<{ sent: string[]; decoded: string[] }> =>
  page.evaluate(async () => {
    const sent = new Set<string>();
    const decoded = new Set<string>();
    for (const pc of globalThis.peerConnections ?? []) {
      if (pc.connectionState === "closed") continue;
      const report = await pc.getStats();
      report.forEach((entry: Record<string, unknown>) => {
        if (entry["kind"] !== "video") return;
        const codec = report.get(String(entry["codecId"])) as { mimeType?: string } | undefined;
        const name = codec?.mimeType?.replace("video/", "").toUpperCase() ?? "unknown";
        if (entry["type"] === "outbound-rtp" && Number(entry["framesEncoded"]) > 0) sent.add(name);
        if (entry["type"] === "inbound-rtp" && Number(entry["framesDecoded"]) > 0)
          decoded.add(name);
      });
    }
    return { sent: [...sent], decoded: [...decoded] };
  });

/** Whether this browser says that it sends or receives H264. */
const hasH264 = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [RTCRtpReceiver, RTCRtpSender].some((side) =>
      (side.getCapabilities("video")?.codecs ?? []).some(
        ({ mimeType }) => mimeType.toLowerCase() === "video/h264",
      ),
    ),
  );

test("a browser without H264 among two that publish it: both change to VP8, and each decodes the pictures of both others", async ({
  people,
  browser,
  server,
}) => {
  const confrId = await createForH264(server.url, "admin");
  const own: Browser | null =
    browser.browserType().name() === "chromium" ? null : await chromium.launch(launchOptions());
  const at = { path: CONFERENCE_PAGE };
  const chrome = own ?? browser;
  const admin = await loggedIn(chrome, server.url, "admin", at);
  const ops = await loggedIn(chrome, server.url, "ops", at);
  try {
    const [a, o] = [admin.pages[0]!, ops.pages[0]!];
    expect(await hasH264(a), "the publishers have H264").toBe(true);
    await joinById(a, confrId);
    await joinById(o, confrId);
    await expectPairs(a, ["ops"]);
    await expectPairs(o, ["admin"]);
    await expect.poll(() => streamCodecs(a)).toEqual(["admin H264", "ops H264"]);
    for (const page of [a, o]) {
      await expect.poll(() => usedCodecs(page)).toEqual({ sent: ["H264"], decoded: ["H264"] });
    }

    const lina = await people.loggedIn("lina", at);
    const l = lina.pages[0]!;
    await hideH264(lina.context, l, own === null);
    expect(await hasH264(l), "the one who comes has no H264").toBe(false);
    await joinById(l, confrId);
    const began = Date.now();
    await expectPairs(l, ["admin", "ops"]);
    console.log(`      pictures of both ${Date.now() - began} ms after the join`);
    await expectPairs(a, ["lina", "ops"]);
    await expectPairs(o, ["admin", "lina"]);
    const all = ["admin VP8", "lina VP8", "ops VP8"];
    for (const page of [a, o, l]) {
      await expect.poll(() => streamCodecs(page)).toEqual(all);
      await expect.poll(() => usedCodecs(page)).toEqual({ sent: ["VP8"], decoded: ["VP8"] });
    }
    expect([...admin.complaints, ...ops.complaints]).toEqual([]);
  } finally {
    for (const who of [admin, ops]) await who.close();
    await own?.close();
  }
});

async function hideH264(context: BrowserContext, page: Page, needed: boolean): Promise<void> {
  if (!needed) return;
  await context.addInitScript(withoutH264);
  await page.reload();
  await expect(page).toHaveURL(new RegExp(`${CONFERENCE_PAGE}$`));
}
