import { describe, expect, it } from "vitest";
import { fakeWorld } from "../browser.fake.ts";
import { settle } from "../clock.fake.ts";
import { FakeTrack } from "../media/devices.fake.ts";
import { createTally } from "../tally.ts";
import { createConnectionDriver, WAITING_CANDIDATES } from "./driver.ts";

function driven() {
  const world = fakeWorld();
  const tally = createTally();
  const out: string[] = [];
  const driver = createConnectionDriver(
    world.deps,
    { config: { iceServers: [] }, tally, code: "call.connection-failed" },
    {
      description: (type, sdp, restart) =>
        out.push(`${type}${restart ? " restart" : ""} ${sdp.split("\r\n")[0]}`),
      candidates: (cands) => out.push(`candidates ${cands.map((c) => c.candidate).join(",")}`),
      state: (state) => out.push(`state ${state}`),
      failed: ({ code, details }) => out.push(`failed ${code} ${String(details?.["step"])}`),
    },
  );
  const [pc] = world.connections;
  if (pc === undefined) throw new Error("no connection was made");
  return { world, tally, out, driver, pc };
}
const cand = (candidate: string, usernameFragment?: string) => ({
  candidate,
  sdpMid: "0",
  ...(usernameFragment === undefined ? {} : { usernameFragment }),
});
const OFFER = "m=audio 9\r\n";

describe("steps", () => {
  it("run one after another, in the order of their commands", async () => {
    const { driver, pc, out } = driven();
    const order: string[] = [];
    driver.offer({ sections: () => order.push("sections of the offer") });
    driver.acceptAnswer("answer", () => order.push("answer accepted"));
    driver.acceptOffer(OFFER, {
      begin: () => order.push("begin"),
      sections: () => order.push("sections of the answer"),
      answered: () => order.push("answered"),
    });
    driver.offer({ iceRestart: true });
    expect(pc.log).toEqual([]);
    await settle();
    expect(pc.log).toEqual([
      "local offer",
      "remote answer",
      "remote offer",
      "local answer",
      "local offer",
    ]);
    expect(order).toEqual([
      "sections of the offer",
      "answer accepted",
      "begin",
      "sections of the answer",
      "answered",
    ]);
    expect(out.filter((line) => !line.startsWith("candidates"))).toEqual([
      "offer offer 1",
      "answer answer",
      "offer restart offer 2 restart",
    ]);
  });

  it("that fail are reported with their name, and the next step runs", async () => {
    const { driver, out } = driven();
    driver.acceptOffer("bad");
    driver.offer();
    await settle();
    expect(out.slice(0, 2)).toEqual([
      "failed call.connection-failed remote offer",
      "offer offer 1",
    ]);
  });

  it("use the edited answer", async () => {
    const { driver, pc } = driven();
    driver.acceptOffer(OFFER, { edit: (sdp) => `${sdp}a=edited\r\n` });
    await settle();
    expect(pc.localDescription?.sdp).toBe("answer\r\na=edited\r\n");
  });
});

describe("candidates", () => {
  it("from the other side wait for the remote description, the newest 200 of them", async () => {
    const { driver, pc } = driven();
    const all = Array.from({ length: WAITING_CANDIDATES + 5 }, (_, index) => cand(`c${index}`));
    driver.addCandidates(all);
    await settle();
    expect(pc.added).toEqual([]);
    driver.acceptOffer(OFFER);
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(
      all.slice(5).map(({ candidate }) => candidate),
    );
  });

  it("of an ICE restart wait for its description", async () => {
    const { driver, pc } = driven();
    driver.acceptOffer(`${OFFER}a=ice-ufrag:one\r\n`);
    driver.addCandidates([cand("new", "two"), cand("old", "one")]);
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(["old"]);
    driver.acceptOffer(`${OFFER}a=ice-ufrag:two\r\n`);
    await settle();
    expect(pc.added.map(({ candidate }) => candidate)).toEqual(["old", "new"]);
  });

  it("from this side are held until their description was emitted", async () => {
    const { driver, pc, out } = driven();
    driver.offer();
    pc.find("before the offer");
    await settle();
    expect(out).toEqual(["offer offer 1", "candidates before the offer,of offer"]);
  });
});

describe("the state", () => {
  it("is ICE and DTLS as one, emitted only when it changes", async () => {
    const { driver, pc, out } = driven();
    const dtls = (state: string): void => {
      pc.connectionState = state;
      pc.dispatchEvent(new Event("connectionstatechange"));
    };
    pc.ice("checking");
    dtls("connecting");
    pc.ice("connected");
    dtls("connected");
    dtls("failed");
    // ICE goes on although nothing can be decrypted.
    pc.ice("completed");
    driver.replay();
    dtls("connecting");
    expect(out).toEqual([
      "state checking",
      "state connected",
      "state failed",
      "state failed",
      "state completed",
    ]);
  });

  it("is emitted once when ICE and the whole connection fail together", () => {
    const { pc, out } = driven();
    pc.ice("failed");
    pc.connectionState = "failed";
    pc.dispatchEvent(new Event("connectionstatechange"));
    expect(out).toEqual(["state failed"]);
  });
});

describe("replaceTrack", () => {
  it("compares with the last requested track, because the sender changes later", async () => {
    const { driver, pc } = driven();
    const { sender } = pc.addTransceiver("video", { direction: "sendrecv" });
    const requests: unknown[] = [];
    let finish = (): void => undefined;
    sender.replaceTrack = (track) => {
      requests.push(track);
      return new Promise((resolve) => {
        finish = () => resolve();
      });
    };
    const track = new FakeTrack("video") as unknown as MediaStreamTrack;
    const same = sender as unknown as RTCRtpSender;
    driver.replaceTrack(same, null);
    driver.replaceTrack(same, track);
    driver.replaceTrack(same, track);
    driver.replaceTrack(same, null);
    finish();
    expect(requests).toEqual([track, null]);
  });
});

describe("closing", () => {
  it("undoes everything in order before the connection closes, even when one step throws", async () => {
    const { driver, pc, tally, world, out } = driven();
    const order: string[] = [];
    driver.onClose(() => order.push(`first, closed ${pc.closed}`));
    driver.onClose(() => {
      throw new Error("no picture");
    });
    driver.onClose(() => order.push("last"));
    driver.offer();
    await settle();
    pc.find("waits for its batch");
    const emitted = out.length;
    driver.close();
    driver.close();
    pc.ice("failed");
    world.clock.pass(1000);
    expect(order).toEqual(["first, closed false", "last"]);
    expect([pc.closed, driver.closed, out.length]).toEqual([true, true, emitted]);
    expect(world.reports).toEqual(["closing: Error: no picture"]);
    expect(tally.read()).toMatchObject({ peers: 0, listeners: 0 });
    expect(world.clock.pending).toBe(0);
  });

  it("in the middle of a step drops the rest of it and the steps behind it", async () => {
    const { driver, pc, out } = driven();
    driver.acceptOffer(OFFER, { sections: () => driver.close() });
    driver.offer();
    await settle();
    expect(pc.log).toEqual(["remote offer"]);
    driver.offer();
    driver.addCandidates([cand("late")]);
    driver.configure({ iceServers: [{ urls: "turn:new" }] });
    await settle();
    expect([pc.log, pc.added, pc.config.iceServers]).toEqual([["remote offer"], [], []]);
    expect(out).toEqual([]);
  });

  it("runs at once what is registered afterwards", () => {
    const { driver } = driven();
    driver.close();
    let undone = false;
    driver.onClose(() => (undone = true));
    expect(undone).toBe(true);
  });
});
