import { beforeEach, describe, expect, it } from "vitest";
import { receiverOffer, SSRC } from "./sfu.harness.ts";
import { createSfuWorld, type SfuWorld } from "./sfu-world.harness.ts";

let world: SfuWorld;
beforeEach(() => {
  world = createSfuWorld();
});

describe("connections", () => {
  it("of subscribers are answered with the publisher's SSRCs", async () => {
    expect(await world.publish()).toMatchObject({ vcodec: "VP8", layers: ["low", "high"] });
    const { sdp } = await world.subscribe("s");
    expect(sdp).toContain("m=audio 9 UDP/TLS/RTP/SAVPF 111");
    expect(sdp).toContain("m=video 9 UDP/TLS/RTP/SAVPF 96");
    expect(sdp).toContain(`a=ssrc:${SSRC.high} cname:p`);
    expect(sdp).not.toContain("a=mid:2");
    const low = await world.subscribe("t", "low");
    expect(low.sdp).toContain(`a=ssrc:${SSRC.low} cname:p`);
    expect(low.sdp).toContain("a=mid:1");
  });

  it("announce the candidates that the node finds later", async () => {
    await world.publish();
    const candidate = "candidate:2 1 UDP 1 192.0.2.10 7000 typ host";
    world.fakes.get("p").events.candidates([candidate]);
    const cands = [{ candidate, sdpMid: "0", sdpMLineIndex: 0 }];
    expect(world.events).toEqual([{ t: "candidates", id: "p", cands }]);
  });

  it("leave nothing open when they are refused", async () => {
    await expect(world.publish("p", { audio: false, videos: 0 })).rejects.toThrow();
    expect(world.fakes.all).toHaveLength(0);
    world.fakes.fail = true;
    await expect(world.publish()).rejects.toMatchObject({ code: "conference.invalid" });
    expect(world.fakes.all.map((t) => t.closed)).toEqual([true]);
    world.fakes.fail = false;
    await world.publish();
    await expect(world.publish()).rejects.toMatchObject({ code: "conference.invalid" });
    await expect(world.subscribe("s", "high", "nobody")).rejects.toMatchObject({
      code: "conference.invalid",
    });
    await expect(
      world.sfu.subscribe({
        id: "s",
        conferenceId: "other",
        publisher: "p",
        offer: receiverOffer(),
        video: true,
        audio: true,
        layer: "high",
      }),
    ).rejects.toMatchObject({ code: "conference.invalid" });
    await world.subscribe("s");
    expect(world.sfu.stats()).toMatchObject({ publishers: 1, subscribers: 1, forwarded: 0 });
  });

  it("are bounded in number", async () => {
    await world.publish();
    await Promise.all(["a", "b", "c"].map((id) => world.subscribe(id)));
    await expect(world.subscribe("d")).rejects.toMatchObject({
      code: "conference.media-unavailable",
    });
    world.sfu.closeConnection("a");
    await world.subscribe("d");
  });

  it("are cancelled when they are closed while opening", async () => {
    const opening = world.publish();
    world.sfu.closeConnection("p");
    await expect(opening).rejects.toMatchObject({ code: "conference.invalid" });
    const other = world.publish();
    world.sfu.closeConference("c");
    await expect(other).rejects.toMatchObject({ code: "conference.invalid" });
    expect(world.fakes.all.every((t) => t.closed)).toBe(true);
  });

  it("of subscribers end with their publisher, for whatever reason it ends", async () => {
    await world.flowing("a");
    await world.flowing("b");
    world.fakes.get("p").events.state("failed");
    expect(world.events.filter((e) => e.t === "state").slice(-3)).toEqual([
      { t: "state", id: "p", state: "failed" },
      { t: "state", id: "a", state: "closed" },
      { t: "state", id: "b", state: "closed" },
    ]);
    expect(world.fakes.all.every((t) => t.closed)).toBe(true);
    expect(world.sfu.stats()).toMatchObject({ publishers: 0, subscribers: 0 });
    world.fakes.get("a").events.state("closed");
    expect(world.events.at(-1)).toEqual({ t: "state", id: "b", state: "closed" });
  });

  it("that never connect fail after a minute", async () => {
    await world.publish();
    world.run(61_500);
    expect(world.events.at(-1)).toEqual({ t: "state", id: "p", state: "failed" });
    expect(world.fakes.get("p").closed).toBe(true);
  });

  it("accept only candidates with literal addresses", async () => {
    await world.publish();
    await world.subscribe("s");
    const good = "candidate:1 1 udp 1 192.0.2.5 9 typ host";
    world.sfu.candidates("s", [
      { candidate: good },
      { candidate: "candidate:1 1 udp 1 a.local 9 typ host" },
    ]);
    expect(world.fakes.get("s").candidates).toEqual([good]);
    world.sfu.candidates("nobody", [{ candidate: good }]);
  });

  it("are all closed by close(), which may be called twice", async () => {
    await world.flowing();
    world.sfu.close();
    world.sfu.close();
    expect(world.fakes.all.every((t) => t.closed)).toBe(true);
    await expect(world.publish("q")).rejects.toMatchObject({
      code: "conference.media-unavailable",
    });
  });
});
