import { describe, expect, it } from "vitest";
import { LAYER_REQUEST_MS } from "./requested-layers.ts";
import { conference, type Conference } from "./engine.harness.ts";

describe("requested layers", () => {
  const layers = ({ eventsOfType }: Conference) => eventsOfType("wish").map(({ layer }) => layer);

  it("a large tile requests the high layer, a small one the low layer, a hidden or missing one none", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    const { element, unbind } = bind("st1");
    await subscribe("r1", "st1");
    await pass(0);
    expect(layers(all)).toEqual(["high"]);
    world.look(element, { visible: true, width: 320 });
    await pass(LAYER_REQUEST_MS);
    world.look(element, { visible: false, width: 320 });
    await pass(LAYER_REQUEST_MS);
    world.look(element, { visible: true, width: 321 });
    await pass(LAYER_REQUEST_MS);
    unbind();
    await pass(LAYER_REQUEST_MS);
    expect(layers(all)).toEqual(["high", "low", "none", "high", "none"]);
  });

  it("the larger of two tiles decides, and a tile that appears with its stream causes no earlier lower request", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    await subscribe("r1", "st1");
    await pass(LAYER_REQUEST_MS - 1);
    expect(layers(all)).toEqual([]);
    const small = bind("st1");
    world.look(small.element, { visible: true, width: 160 });
    await pass(0);
    const large = bind("st1");
    await pass(LAYER_REQUEST_MS);
    large.unbind();
    await pass(LAYER_REQUEST_MS);
    expect(layers(all)).toEqual(["low", "high", "low"]);
  });

  it("a flickering tile causes at most two requests per second", async () => {
    const all = await conference();
    const { world, subscribe, pass, bind } = all;
    const { element } = bind("st1");
    await subscribe("r1", "st1");
    for (let i = 0; i < 100; i += 1) {
      world.look(element, { visible: i % 2 === 0, width: 640 });
      await pass(20);
    }
    expect(layers(all).length).toBeLessThanOrEqual(5);
  });
});
