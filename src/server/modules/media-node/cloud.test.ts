import { expect, it } from "vitest";
import { writeCloudDescription } from "../../../shared/domain/cloud-description.ts";
import { createCloudNode } from "./cloud.ts";
import type { NodeEvent } from "./contracts.ts";

const offerOf = (uid: number, sends: boolean): string => writeCloudDescription({ uid, sends });
const received = { video: true, audio: true, layer: "high" } as const;

function opened() {
  const node = createCloudNode();
  const events: NodeEvent[] = [];
  node.onEvent((event) => events.push(event));
  const publish = (id: string, offer: string) =>
    node.publish({ id, conferenceId: "c1", offer, vcodes: ["H264"] });
  const subscribe = (id: string, publisher: string) =>
    node.subscribe({ id, conferenceId: "c1", publisher, offer: offerOf(2, false), ...received });
  return { node, events, publish, subscribe };
}

it("Each subscriber learns the publisher's account, and both count as connected", async () => {
  const { node, events, publish, subscribe } = opened();
  expect(await publish("p", offerOf(1, true))).toMatchObject({
    hasAudio: true,
    hasVideo: true,
    vcodec: "H264",
    layers: ["low", "high"],
  });
  expect(await subscribe("s", "p")).toEqual({ type: "answer", sdp: offerOf(1, true) });
  expect(events).toEqual([
    { t: "state", id: "p", state: "connected" },
    { t: "state", id: "s", state: "connected" },
  ]);
  expect(await node.stats()).toMatchObject({ publishers: 1, subscribers: 1, bytesOut: 0 });
  expect(await node.restart("s", offerOf(2, false))).toEqual({
    type: "answer",
    sdp: offerOf(1, true),
  });
});

it("The end of a publisher ends its subscribers", async () => {
  const { node, events, publish, subscribe } = opened();
  await publish("p", offerOf(1, true));
  await subscribe("s", "p");
  node.closeConnection("p");
  node.closeConnection("p");
  expect(events.slice(2)).toEqual([{ t: "state", id: "s", state: "closed" }]);
  await expect(subscribe("s2", "p")).rejects.toMatchObject({
    code: "conference.media-unavailable",
  });
  await publish("p2", offerOf(1, true));
  node.closeConference("c1");
  expect(await node.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
});

it("The description of a browser is refused, as of a tab that does not know the cloud", async () => {
  const { publish } = opened();
  await expect(publish("p", "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n")).rejects.toMatchObject({
    code: "conference.invalid",
  });
});
