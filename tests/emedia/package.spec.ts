/** The unmodified package easemob-emedia as a client of this server. */
import { QUALITY_PATH } from "../../src/shared/protocol/qoe.ts";
import { storedQuality } from "../support/quality.ts";
import { timeLimit } from "../support/time-limits.ts";
import { expect, test } from "./fixtures.ts";
import { joiningSteps } from "./steps/joining.ts";
import { managingSteps } from "./steps/managing.ts";
import { mediaSteps } from "./steps/media.ts";
import { meeting, watched } from "./steps/meeting.ts";
import { mediaDeathStep, survivingSteps } from "./steps/surviving.ts";

joiningSteps();
managingSteps();
mediaSteps();
survivingSteps();
mediaDeathStep(timeLimit(8000));

test("The admin ends the conference by the call", async ({ sdk }) => {
  const { lina, ops, confrId } = await meeting(sdk);
  await lina.page.evaluate((id) => void emedia.mgr.destroyConference(id), confrId);
  await expect.poll(() => ops.events("exit")).toEqual([{ reason: 11 }]);
  await expect(ops.join(confrId)).rejects.toThrow('"errorType":"server_refuse"');
});

test("A member captures a picture of another's camera", async ({ sdk }) => {
  const { lina, ops, confrId } = await meeting(sdk);
  await ops.expectMedia("lina");
  await lina.page.evaluate(async (id) => {
    const video = document.createElement("video");
    video.muted = true;
    video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
    await video.play();
    emedia.mgr._services[id]!.getHTMLVideo = () => video;
  }, confrId);
  const [{ streamId } = { streamId: "" }] = await ops.received();
  const size = await ops.page.evaluate(
    async ([id, stream]) => {
      const picture = await new Promise<string | undefined>((resolve, reject) =>
        emedia.mgr._services[id]!.capturePictureRemote(stream, true, resolve, (event) =>
          reject(new Error(event.message())),
        ),
      );
      const image = new Image();
      image.src = picture ?? "";
      await image.decode();
      return [image.naturalWidth, image.naturalHeight];
    },
    [confrId, streamId] as const,
  );
  expect(size).toEqual([640, 480]);
});

test("Too many cameras, screens and speakers are refused, and nobody is thrown out", async ({
  sdk,
}) => {
  const limits = { maxVideoCount: 1, maxPubDesktopCount: 0, maxTalkerCount: 2 };
  const { lina, ops, confrId } = await watched(sdk, limits);
  await expect(ops.publish()).rejects.toThrow("push_fail");
  await ops.expectEvent("too many cameras");
  expect(await lina.act("share")).toBeNull();
  await lina.expectEvent("too many screens");
  const third = await sdk("zhangwei");
  await expect(third.join(confrId)).rejects.toThrow(/join_fail.*-504/);
  // Sound alone is no camera.
  await ops.publish({ audio: true, video: false });
  await lina.expectMedia("ops", { video: false });
  await ops.expectMedia("lina");
  expect([...(await lina.events("exit")), ...(await ops.events("exit"))]).toEqual([]);
});

test("joinRoom tells who created the conference", async ({ sdk }) => {
  const wanted = { roomName: `conference-${Date.now()}`, password: "123456", role: 3 };
  const clients = [await sdk("lina"), await sdk("ops")];
  for (const client of clients) await client.act("joinRoom", wanted);
  expect(await Promise.all(clients.map((client) => client.events("entered")))).toEqual([
    [{ creator: true }],
    [{ creator: false }],
  ]);
});

test("The quality records of a client are stored: its enter, its streams and its events", async ({
  sdk,
  server,
}) => {
  const lina = await sdk("lina");
  const sent: number[] = [];
  lina.page.on("websocket", (socket) => {
    if (!socket.url().includes(QUALITY_PATH)) return;
    socket.on("framesent", ({ payload }) => {
      sent.push((JSON.parse(String(payload)) as { type: number }).type);
    });
  });
  const ops = await sdk("ops");
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.expectMedia("lina");
  await expect.poll(() => [...new Set(sent)].toSorted(), { timeout: 60_000 }).toEqual([0, 1, 2]);
  for (const client of [ops, lina]) await client.act("leave");
  await expect.poll(() => lina.events("exit")).toHaveLength(1);
  // The server stores what it has before it ends.
  await server.kill();
  const kinds = await storedQuality(server, confrId);
  await server.start();
  expect(kinds).toEqual([0, 1, 2]);
});
