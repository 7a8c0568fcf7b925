import pino from "pino";
import { describe, expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { AGAIN, createLocalBus } from "../cluster/bus.ts";
import { CACHE_TTL, createCompanyCache } from "./index.ts";

const setup = () => {
  const bus = createLocalBus(pino({ level: "silent" }));
  const clock = createManualClock();
  const loads: (string | null)[] = [];
  let version = 1;
  const open = () =>
    createCompanyCache({ bus, clock }, "things", async (companyId) => {
      loads.push(companyId);
      const seen = version;
      await Promise.resolve();
      return `${companyId} v${seen}`;
    });
  return { bus, clock, loads, open, write: () => (version += 1) };
};

describe("The cache of a company", () => {
  it("is loaded once for all parallel readers, and separately per company", async () => {
    const { open, loads } = setup();
    const cache = open();
    expect(await Promise.all([cache.get("1"), cache.get("1"), cache.get("2")])).toEqual([
      "1 v1",
      "1 v1",
      "2 v1",
    ]);
    expect(await cache.get(null)).toBe("null v1");
    expect(loads).toEqual(["1", "2", null]);
  });

  it("is cleared when messages between the processes may have been lost", async () => {
    const { bus, open, write } = setup();
    const cache = open();
    await cache.get("1");
    write();
    expect(await cache.get("1")).toBe("1 v1");
    await bus.publish(AGAIN, null);
    expect(await cache.get("1")).toBe("1 v2");
  });

  it("is cleared by a write, in every process", async () => {
    const { open, loads, write } = setup();
    const [here, there] = [open(), open()];
    await Promise.all([here.get("1"), there.get("1"), there.get("2")]);
    write();
    await here.forget("1");
    expect(await Promise.all([here.get("1"), there.get("1"), there.get("2")])).toEqual([
      "1 v2",
      "1 v2",
      "2 v1",
    ]);
    there.close();
    expect(loads).toHaveLength(5);
  });

  it("does not keep a load that started before a write", async () => {
    const { open, write } = setup();
    const cache = open();
    const early = cache.get("1");
    write();
    await cache.forget("1");
    expect(await early).toBe("1 v1");
    expect(await cache.get("1")).toBe("1 v2");
  });

  it("expires", async () => {
    const { open, clock, write } = setup();
    const cache = open();
    await cache.get("1");
    write();
    clock.advance(CACHE_TTL - 1);
    expect(await cache.get("1")).toBe("1 v1");
    clock.advance(1);
    expect(await cache.get("1")).toBe("1 v2");
  });

  it("retries a load that failed", async () => {
    const { clock } = setup();
    const bus = createLocalBus(pino({ level: "silent" }));
    let failures = 1;
    const cache = createCompanyCache({ bus, clock }, "x", () =>
      failures-- > 0 ? Promise.reject(new Error("no database")) : Promise.resolve("well"),
    );
    await expect(cache.get("1")).rejects.toThrow("no database");
    expect(await cache.get("1")).toBe("well");
  });
});
