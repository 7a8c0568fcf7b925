import { describe, expect, it } from "vitest";
import { createClients, parseProxies, type TrustedProxies } from "./client.ts";

const NOBODY: TrustedProxies = { hops: 0 };
const proxies = (text: string): TrustedProxies => {
  const parsed = parseProxies(text);
  if (parsed === null) throw new Error(`${text} is not valid`);
  return parsed;
};
const ask = (trusted: TrustedProxies, remoteAddress: string, forwarded?: string, proto?: string) =>
  createClients(trusted).clientOf({
    socket: { remoteAddress } as never,
    headers: {
      ...(forwarded === undefined ? {} : { "x-forwarded-for": forwarded }),
      ...(proto === undefined ? {} : { "x-forwarded-proto": proto }),
    },
  });

describe("The client's address", () => {
  it("is the socket's address without a trusted proxy, whatever the header contains", () => {
    expect(ask(NOBODY, "::ffff:9.9.9.9", "1.1.1.1", "https")).toEqual({
      address: "9.9.9.9",
      key: "9.9.9.9",
      secure: false,
      hosts: [],
    });
    expect(ask(proxies("10.0.0.0/8"), "9.9.9.9", "1.1.1.1").address).toBe("9.9.9.9");
  });

  it("is the address that the last trusted proxy saw", () => {
    const two = proxies("10.0.0.0/8, 192.168.1.5");
    expect(ask(two, "10.1.2.3", "1.1.1.1").address).toBe("1.1.1.1");
    expect(ask(two, "10.1.2.3", "6.6.6.6, 1.1.1.1, 192.168.1.5").address).toBe("1.1.1.1");
    expect(ask(two, "10.1.2.3").address).toBe("10.1.2.3");
    expect(ask(two, "10.1.2.3", "unknown").address).toBe("10.1.2.3");
    expect(ask(two, "10.1.2.3", "1.1.1.1:5000").address).toBe("1.1.1.1");
    expect(ask(two, "10.1.2.3", "[2001:db8::1]:443").address).toBe("2001:db8::1");
  });

  it("is counted from the end of the header when a number of hops is configured", () => {
    expect(ask({ hops: 1 }, "10.0.0.1", "6.6.6.6, 1.1.1.1").address).toBe("1.1.1.1");
    expect(ask({ hops: 2 }, "10.0.0.1", "6.6.6.6, 1.1.1.1, 10.0.0.2").address).toBe("1.1.1.1");
  });

  it("The client counts as secure when a trusted proxy reports TLS", () => {
    expect(ask({ hops: 1 }, "10.0.0.1", "1.1.1.1", "https").secure).toBe(true);
    expect(ask({ hops: 1 }, "10.0.0.1", "1.1.1.1", "http").secure).toBe(false);
    expect(ask(NOBODY, "10.0.0.1", "1.1.1.1", "https").secure).toBe(false);
  });

  it("All addresses of an IPv6 /64 network share one key", () => {
    const key = (address: string): string => ask(NOBODY, address).key;
    expect(key("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
    expect(key("2001:db8:1:2:ffff::")).toBe("2001:db8:1:2::/64");
    expect(key("2001:db8:1:3::1")).not.toBe(key("2001:db8:1:2::1"));
    expect(key("::1")).toBe("0:0:0:0::/64");
  });
});

describe("The hosts that the client may have called", () => {
  const hosts = (
    trusted: TrustedProxies,
    host: string,
    forwarded: { readonly host?: string; readonly port?: string } = {},
  ): readonly string[] =>
    createClients(trusted).clientOf({
      socket: { remoteAddress: "10.0.0.1" } as never,
      headers: { host, "x-forwarded-host": forwarded.host, "x-forwarded-port": forwarded.port },
    }).hosts;

  it("are that of the request alone, unless a trusted proxy says more", () => {
    const said = { host: "evil.example", port: "81" };
    expect(hosts(NOBODY, "inside:8080", said)).toEqual(["inside:8080"]);
    expect(hosts(proxies("10.0.0.2"), "inside:8080", said)).toEqual(["inside:8080"]);
  });

  it("are those of the proxy's headers, the likeliest first", () => {
    expect(hosts({ hops: 1 }, "a.example")).toEqual(["a.example"]);
    expect(hosts({ hops: 1 }, "a.example", { port: "8443" })).toEqual([
      "a.example:8443",
      "a.example",
    ]);
    expect(
      hosts(proxies("10.0.0.1"), "inside:8080", { host: "a.example:8443", port: "1" }),
    ).toEqual(["a.example:8443", "inside:8080"]);
    expect(hosts({ hops: 1 }, "inside:8080", { host: "a.example", port: "8443" })).toEqual([
      "a.example:8443",
      "a.example",
      "inside:8080",
    ]);
  });

  it("are those that the nearest proxy wrote, when others stand before them", () => {
    const said = { host: "evil.example, a.example:8443", port: "81, 8443" };
    expect(hosts({ hops: 1 }, "inside", said)).toEqual(["a.example:8443", "inside:8443", "inside"]);
    expect(hosts({ hops: 1 }, "inside", { host: "a b/c", port: "x" })).toEqual(["inside"]);
  });
});

it.each(["10.0.0.1/33", "example.org", "10.0.0.1,,", "1/2/3", "12", "::1/129", ""])(
  "The setting %j is refused",
  (text) => {
    expect(parseProxies(text)).toBeNull();
  },
);
