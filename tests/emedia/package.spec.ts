/** The unmodified package easemob-emedia as a client of this server. */
import { expect, test } from "./fixtures.ts";
import { joiningSteps } from "./steps/joining.ts";
import { managingSteps } from "./steps/managing.ts";
import { mediaSteps } from "./steps/media.ts";
import { meeting, watched } from "./steps/meeting.ts";

joiningSteps();
managingSteps();
mediaSteps();

test("The admin ends the conference on leaving, or by the call", async ({ sdk }) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops");
  await ops.join(await lina.host());
  // The package throws when the conference ends while it still subscribes.
  await ops.expectMedia("lina");
  await lina.act("close");
  await ops.expectEvent("exit", { reason: 11 });

  await expect.poll(() => lina.events("exit")).toHaveLength(1);
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.expectMedia("lina");
  await lina.page.evaluate((id) => void emedia.mgr.destroyConference(id), confrId);
  await expect.poll(() => ops.events("exit")).toEqual([{ reason: 11 }, { reason: 11 }]);
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

test("A client whose socket is cut for 3 s comes back with its stream", async ({ sdk, relay }) => {
  const lina = await sdk("lina");
  const ops = await sdk("ops", { server: relay.url });
  const confrId = await lina.host();
  await ops.join(confrId);
  await ops.publish();
  await lina.expectMedia("ops");
  await relay.cut(3000);
  await ops.expectMedia("lina");
  await lina.expectMedia("ops");
  expect(await lina.members()).toEqual(["ops"]);
  expect([...(await lina.events("exited")), ...(await ops.events("exit"))]).toEqual([]);
});

test("A publisher changes its camera twice, and the stream goes on", async ({ sdk }) => {
  const { lina, ops, streamId } = await watched(sdk);
  const cameras = () =>
    lina.page.evaluate(() => {
      const tracks = peerConnections!
        .filter(({ connectionState }) => connectionState === "connected")
        .flatMap((pc) => pc.getSenders())
        .map(({ track }) => track);
      const video = tracks.filter((track) => track?.kind === "video");
      return [...new Set(video.map((track) => track?.label))];
    });
  for (const camera of [1, 2]) {
    await lina.act("changeCamera");
    await expect.poll(cameras).toEqual([`fake_device_${camera}`]);
  }
  await ops.expectMedia("lina");
  expect(await ops.received()).toMatchObject([{ streamId }]);
});

test("joinRoom tells who created the room", async ({ sdk }) => {
  const room = { roomName: `room-${Date.now()}`, password: "123456", role: 3 };
  const clients = [await sdk("lina"), await sdk("ops")];
  for (const client of clients) await client.act("joinRoom", room);
  expect(await Promise.all(clients.map((client) => client.events("room")))).toEqual([
    [{ creator: true }],
    [{ creator: false }],
  ]);
});
