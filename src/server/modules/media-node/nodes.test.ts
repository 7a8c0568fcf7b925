import pino from "pino";
import { Registry } from "prom-client";
import { afterEach, expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { readConfig } from "../../base/config.ts";
import { createMediaNodes, type MediaNode } from "./index.ts";

let nodes: MediaNode[] = [];
afterEach(async () => {
  for (const node of nodes) await node.close();
});

const make = (env: Record<string, string>) => {
  const metrics = new Registry();
  nodes = createMediaNodes({
    config: readConfig({ APP_SECRET: "s".repeat(40), ...env }),
    clock: createManualClock(),
    log: pino({ level: "silent" }),
    metrics,
  });
  return metrics;
};

it("The default media node is the embedded one, and it starts no process before its first use", async () => {
  const metrics = make({});
  expect(nodes.map((n) => [n.name, n.kind, n.up, n.load])).toEqual([
    ["embedded", "embedded", true, 0],
  ]);
  expect(await nodes[0]?.stats()).toMatchObject({ publishers: 0, forwarded: 0 });
  nodes[0]?.closeConnection("nobody");
  expect(await metrics.metrics()).toContain('media_forwarded_streams{node="embedded"} 0');
});

it("There is one media node per Janus address, and it is not up before it is connected", async () => {
  make({ MEDIA_EMBEDDED: "off", JANUS_URL: "ws://127.0.0.1:1, ws://127.0.0.1:2" });
  expect(nodes.map((n) => [n.name, n.kind, n.up])).toEqual([
    ["janus-1", "janus", false],
    ["janus-2", "janus", false],
  ]);
  await expect(
    nodes[0]?.subscribe({
      id: "a",
      conferenceId: "c",
      publisher: "b",
      offer: "v=0",
      video: true,
      audio: true,
      layer: "high",
    }),
  ).rejects.toMatchObject({ code: "conference.media-unavailable" });
});

it("A closed media node refuses work", async () => {
  make({});
  await nodes[0]?.close();
  expect(nodes[0]?.up).toBe(false);
  await expect(
    nodes[0]?.publish({ id: "a", conferenceId: "c", offer: "", vcodes: ["VP8"] }),
  ).rejects.toMatchObject({ code: "conference.media-unavailable" });
});

it("The embedded node restarts a killed process, emits down and up, counts the restart and keeps no connection", async () => {
  const { createEmbeddedNode } = await import("./embedded/index.ts");
  const { systemClock } = await import("../../base/clock.ts");
  let restarts = 0;
  const node = createEmbeddedNode({
    options: { port: 0, capacity: 10 },
    clock: systemClock,
    log: pino({ level: "silent" }),
    onStats: () => undefined,
    onRestart: () => (restarts += 1),
  });
  nodes = [node];
  const events: string[] = [];
  node.onEvent((event) => {
    events.push(event.t);
    throw new Error("a listener that fails");
  });
  await node.warm();
  const pid = node.pid ?? 0;
  const asked = node.stats();
  process.kill(pid, "SIGKILL");
  await asked.catch((error: unknown) =>
    expect(error).toMatchObject({ code: "conference.media-unavailable" }),
  );
  await expect.poll(() => events).toContain("up");
  expect(events).toEqual(["down", "up"]);
  expect(restarts).toBe(1);
  expect(node.pid).not.toBe(pid);
  expect(await node.stats()).toMatchObject({ publishers: 0 });
  await expect(
    node.publish({ id: "a", conferenceId: "c", offer: "v=0", vcodes: ["VP8"] }),
  ).rejects.toMatchObject({ code: "conference.invalid" });
});
