/** A change of the network as the server sees it (docs/conferences.md#another-network). */
import { describe, expect, it } from "vitest";
import { createFakeEnv } from "../core.fake.ts";
import { CONFERENCE_CONFIG, configWith } from "./config.ts";
import { joined } from "./conferences.harness.ts";
import { createNetworkChange } from "./network-change.ts";

function setUp(rebuilds = true) {
  const env = createFakeEnv();
  const said: string[] = [];
  const network = createNetworkChange({
    env,
    config: { rebuildPeerConnectionWhenNetworkChanaged: rebuilds },
    signals: { report: ({ code }) => void said.push(code) },
    onQuality: (code) => void said.push(String(code)),
  });
  return { env, said, network };
}

describe("a change of the network", () => {
  it("The server's view of the address is compared with that of the last enter, within one version", () => {
    const { said, network } = setUp();
    const seen = ["192.0.2.1", undefined, "::ffff:192.0.2.1", "2001:db8::1", "2001:db8::1"];
    expect(seen.map((address) => network.entered(address))).not.toContain(true);
    expect(said).toEqual([]);
    expect(network.entered("2001:db8::2")).toBe(true);
    expect(said).toEqual(["NetworkChanaged", "104"]);
    network.reset();
    expect(network.entered("2001:db8::3")).toBe(false);
  });

  it("What the tab found a moment ago is not said again, but connections are built again", () => {
    const { env, said, network } = setUp();
    network.entered("192.0.2.1");
    expect(network.found()).toBe(true);
    expect(network.entered("192.0.2.2")).toBe(true);
    expect(said).toHaveLength(2);
    env.clock.advance(5_000);
    expect(network.entered("192.0.2.3")).toBe(true);
    expect(said).toHaveLength(4);
  });

  it("A host page that wants no rebuild gets the report alone", () => {
    const { said, network } = setUp(false);
    network.entered("192.0.2.1");
    expect([network.entered("192.0.2.2"), network.found()]).toEqual([false, false]);
    expect(said).toHaveLength(4);
  });

  it.each([
    ["another address", "192.0.2.2", true, ["NetworkChanaged"]],
    ["another address, without rebuilding", "192.0.2.2", false, ["NetworkChanaged"]],
    ["the same address", "192.0.2.1", true, []],
  ] as const)(
    "After a resume from %s connections are built again only if the address changed and the settings say so",
    async (_what, address, rebuilds, codes) => {
      const config = configWith({ rebuildPeerConnectionWhenNetworkChanaged: rebuilds });
      const { world, tab } = await joined({ config });
      world.server.yourIp = "192.0.2.1";
      world.server.socket?.end(1006);
      await world.run(1_000);
      const before = tab.orders.length;
      world.server.yourIp = address;
      world.server.socket?.end(1006);
      await world.run(1_000);
      expect(world.slice.status).toBe("joined");
      expect(world.slice.signals.map(({ code }) => code)).toEqual(codes);
      const made = tab.orders.slice(before).filter(({ t }) => t === "close" || t === "publish");
      const again = [{ t: "close" }, { t: "publish", restart: false }];
      expect(made).toMatchObject(rebuilds && codes.length > 0 ? again : []);
      await world.run(CONFERENCE_CONFIG.retryFailedMillis);
      expect(tab.openConnections.size).toBe(1);
    },
  );
});
