/** The media nodes that the tests run on, each with a browser, a rig and a relay for every test. */
import { chromium, type Browser } from "playwright";
import pino from "pino";
import { Registry } from "prom-client";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { systemClock } from "../../src/server/base/clock.ts";
import { readConfig } from "../../src/server/base/config.ts";
import type { EmbeddedNode } from "../../src/server/modules/media-node/embedded/index.ts";
import { createMediaNodes, type MediaNode } from "../../src/server/modules/media-node/index.ts";
import { launchOptions } from "../support/chromium.ts";
import { hostAddress, startJanus, type JanusProcess } from "./janus-process.ts";
import { createRig, until, type Rig } from "./rig.ts";
import { createUdpRelay, type UdpRelay } from "./udp-relay.ts";

export interface Backend {
  readonly node: MediaNode;
  readonly metrics: Registry;
  kill(): Promise<void>;
  revive(): Promise<void>;
  close(): Promise<void>;
}

const log = pino({ level: "silent" });

export function nodeOf(env: Record<string, string>): { node: MediaNode; metrics: Registry } {
  const config = readConfig({ APP_SECRET: "s".repeat(40), ...env });
  const metrics = new Registry();
  const [node] = createMediaNodes({ config, clock: systemClock, log, metrics });
  if (node === undefined) throw new Error("no node");
  return { node, metrics };
}

export async function embedded(): Promise<Backend> {
  const { node, metrics } = nodeOf({});
  await node.warm?.();
  return {
    node,
    metrics,
    async kill() {
      process.kill((node as EmbeddedNode).pid ?? 0, "SIGKILL");
      await Promise.resolve();
    },
    // The node restarts automatically.
    revive: () => Promise.resolve(),
    close: () => node.close(),
  };
}

export async function janus(): Promise<Backend> {
  const server: JanusProcess = await startJanus();
  const env = { MEDIA_EMBEDDED: "off", JANUS_URL: server.url, JANUS_SECRET: server.secret };
  const { node, metrics } = nodeOf(env);
  await until(() => node.up, Boolean, "the connection to Janus");
  return {
    node,
    metrics,
    kill: () => server.kill(),
    revive: () => server.start(),
    async close() {
      await node.close();
      await server.close();
    },
  };
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch(launchOptions(["--autoplay-policy=no-user-gesture-required"]));

/** What a test of a node works with; each test has its own rig and relay. */
export interface NodeSetup {
  readonly backend: Backend;
  readonly rig: Rig;
  readonly relay: UdpRelay;
  /** Waits for the first frame of a subscription. */
  shown(id: string): Promise<unknown>;
  /** States of a connection so far, in order. */
  states(id: string): string[];
  /** Layers that a subscription was given so far, in order. */
  layers(id: string): string[];
}

/**
 * Starts a node and a browser for the tests of the surrounding `describe`.
 *
 * @param random of the relay, 0..1; decides which packets it loses
 */
export function useNode(start: () => Promise<Backend>, random = Math.random): NodeSetup {
  let browser: Browser;
  let backend: Backend;
  let rig: Rig;
  let relay: UdpRelay;
  beforeAll(async () => {
    browser = await launchBrowser();
    backend = await start();
  });
  afterAll(async () => {
    await backend.close();
    await browser.close();
  });
  beforeEach(async () => {
    rig = await createRig(backend.node, browser);
    relay = await createUdpRelay(hostAddress(), random);
  });
  afterEach(async () => {
    backend.node.closeConference("c");
    await rig.close();
    relay.close();
  });
  return {
    get backend() {
      return backend;
    },
    get rig() {
      return rig;
    },
    get relay() {
      return relay;
    },
    shown: (id) =>
      until(
        () => rig.watched(id),
        (w) => w.firstFrameAt > 0,
        `${id}'s first frame`,
      ),
    states: (id) => rig.events.flatMap((e) => (e.t === "state" && e.id === id ? [e.state] : [])),
    layers: (id) => rig.events.flatMap((e) => (e.t === "layer" && e.id === id ? [e.layer] : [])),
  };
}
