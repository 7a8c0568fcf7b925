/** The embedded media node with a real browser. Its tests on bad networks, and those of Janus, are in tests/torture. */
import type { Browser } from "@playwright/test";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { embedded, launchBrowser, nodeOf } from "./node-backends.ts";
import { describeNode } from "./node-basics.ts";
import { createRig } from "./rig.ts";
import { browserOffer } from "../../src/server/modules/media-node/sfu/sfu.harness.ts";

describeNode("embedded", embedded);

describe("The embedded node", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  it("All connections use one port, which can be configured", async () => {
    const port = String(await freePort());
    const { node } = nodeOf({ MEDIA_PORT: port, MEDIA_PUBLIC_IP: "198.51.100.7" });
    const rig = await createRig(node, browser);
    try {
      const { answer } = await rig.publish("p");
      const answers = [answer];
      for (const id of ["a", "b", "c"]) {
        const wish = { conferenceId: "c", publisher: "p", video: true, audio: true } as const;
        const offer = browserOffer({}).replaceAll("a=sendonly", "a=recvonly");
        const { type, sdp } = await node.subscribe({ id, ...wish, layer: "high", offer });
        expect(type).toBe("answer");
        answers.push(sdp);
      }
      const addresses = answers.flatMap((text) =>
        [...text.matchAll(/candidate:\S+ 1 \S+ \d+ (\S+ \d+) typ host/g)].map((m) => m[1]),
      );
      expect(addresses).toEqual(Array.from({ length: 4 }, () => `198.51.100.7 ${port}`));
    } finally {
      await rig.close();
      await node.close();
    }
  });
});
