import { beforeEach, expect, it } from "vitest";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { AppError } from "../../shared/errors.ts";
import { createFakeEnv } from "./core.fake.ts";
import type { WireRequest } from "./http/transport.ts";
import { createLibraryHosts, type LibraryHosts } from "./library-hosts.ts";

const DNS = ["https://dns1.example", "https://dns2.example", "https://dns3.example"];
const unreachable = (): never => {
  throw new AppError("server.unavailable", { details: { call: "x" } });
};
const refused = (status: number) => (): never => {
  throw new AppError("auth.required", { details: { status } });
};
const listed = (...hosts: string[]) => ({
  rest: {
    hosts: hosts.map((host) => {
      const [protocol = "", domain = ""] = host.split("://");
      return { protocol, domain };
    }),
  },
});

/** Answers by the beginning of the address. Whatever has none is unreachable. */
let answers: Record<string, () => unknown>;
let asked: WireRequest[];
let env: ReturnType<typeof createFakeEnv>;
beforeEach(() => {
  answers = {};
  asked = [];
  env = createFakeEnv();
});

const create = (
  more: { dnsHosts?: string[]; deployUrl?: string } = { dnsHosts: DNS },
): LibraryHosts =>
  createLibraryHosts({
    config: { origin: "https://configured.example", provider: "easemob", appkey: "o#a", ...more },
    kv: env.kv,
    log: env.log,
    async transport(request) {
      asked.push(request);
      const found = Object.keys(answers).find((begin) => request.path.startsWith(begin));
      return (found === undefined ? unreachable : (answers[found] ?? unreachable))();
    },
  });
const paths = (): string[] => asked.map(({ method, path }) => `${method} ${path}`);

it("Without a name service the configured origin is used, and nothing is asked", async () => {
  const hosts = create({});
  await hosts.locate();
  expect([hosts.origin(), asked]).toEqual(["https://configured.example", []]);
});

it("A proxy without a server behind it is no platform", async () => {
  answers["https://dns1"] = () => listed("https://proxy.example");
  answers["https://proxy.example"] = refused(502);
  await expect(create().locate()).rejects.toMatchObject({ code: "server.unavailable" });
});

it("When no host answers, each request says so, and the next one tries again", async () => {
  const hosts = create();
  await expect(hosts.locate()).rejects.toMatchObject({ code: "server.unavailable" });
  answers["https://dns2"] = () => listed("https://live.example");
  answers["https://live.example"] = () => ({});
  await hosts.locate();
  expect(hosts.origin()).toBe("https://live.example");
});

it("Requests at one time find the platform once", async () => {
  answers["https://dns1"] = () => listed("https://live.example");
  answers["https://live.example"] = () => ({});
  const hosts = create();
  await Promise.all([hosts.locate(), hosts.locate(), hosts.locate()]);
  expect(asked).toHaveLength(2);
});

it("The next core knows what was found, and finds another host after a loss", async () => {
  answers["https://dns1"] = () => listed("https://live.example");
  answers["https://live.example"] = () => ({});
  await create().locate();
  asked = [];
  const next = create();
  await next.restore();
  await next.locate();
  expect([next.origin(), asked]).toEqual(["https://live.example", []]);

  delete answers["https://live.example"];
  answers["https://other.example"] = () => ({});
  answers["https://dns1"] = () => listed("https://live.example", "https://other.example");
  next.lost();
  await next.locate();
  expect(next.origin()).toBe("https://other.example");
});

it("What another configuration has found is not used", async () => {
  answers["https://dns1"] = () => listed("https://live.example");
  answers["https://live.example"] = () => ({});
  await create().locate();
  const other = create({ dnsHosts: ["https://dns1.example"] });
  await other.restore();
  expect(other.origin()).toBe("https://configured.example");
});

it.each([
  ["is missing", unreachable],
  ["is none", () => ({ ws: 5 })],
])("A deploy configuration that %s changes nothing", async (_, answer) => {
  const deployUrl = "https://host.example/deploy.json";
  answers[deployUrl] = answer;
  const hosts = create({ deployUrl });
  await hosts.locate();
  expect(hosts.rewrites().socket("wss://inside/ws")).toBe("wss://inside/ws");
});

/** Rows of the conference catalogue (tests/conference/catalogue-tracks.ts). */
export const checks = rowChecks({
  "hosts.https, hosts.token: Of the listed hosts the first that has TLS and answers is used":
    async () => {
      answers["https://dns1"] = () =>
        listed("http://plain.example", "https://dead.example", "https://live.example:8443");
      answers["https://live.example:8443/o/a/token"] = refused(400);
      const hosts = create();
      await hosts.locate();
      expect(hosts.origin()).toBe("https://live.example:8443");
      expect(paths()).toEqual([
        "GET https://dns1.example/easemob/server.json",
        "POST https://dead.example/o/a/token",
        "POST https://live.example:8443/o/a/token",
      ]);
      expect(asked[0]?.query).toEqual({ app_key: "o#a" });
      expect(asked[2]?.body).toMatchObject({ grant_type: "password" });
    },
  "deploy.found: A deploy configuration replaces addresses, also in the next core": async () => {
    const deployUrl = "https://host.example/deploy.json";
    answers[deployUrl] = () => ({ ws: "media.example", turn: "turn.example:3478" });
    const hosts = create({ deployUrl });
    await hosts.locate();
    const next = create({ deployUrl });
    await next.restore();
    for (const one of [hosts, next]) {
      expect(one.origin()).toBe("https://configured.example");
      expect(one.rewrites().socket("wss://inside/ws")).toBe("wss://media.example/ws");
    }
  },
  "hosts.fallbacks: Three name services are asked in their order, until one lists a host that answers":
    async () => {
      for (const first of [
        unreachable,
        () => ({ rest: {} }),
        () => listed("http://plain.example"),
        () => "<html>",
      ]) {
        asked = [];
        answers = {
          "https://dns1": first,
          "https://dns3": () => listed("https://live.example"),
          "https://live.example": () => ({}),
        };
        env = createFakeEnv();
        const hosts = create();
        await hosts.locate();
        expect(hosts.origin()).toBe("https://live.example");
        expect(paths().filter((path) => path.startsWith("GET"))).toEqual(
          DNS.map((dns) => `GET ${dns}/easemob/server.json`),
        );
      }
    },
});
