import { describe, expect, it } from "vitest";
import { deployConfigSchema } from "../protocol/rest/confr.ts";
import { addressRewrites, type AddressRewrites, NO_REWRITES } from "./address-rewrites.ts";

const CONFIG = deployConfigSchema.parse({
  ws: "media.example:8443",
  turn: "turn.example:3478",
  rtc: {
    candidate_map: [
      {
        src: { ip: "10.0.0.5", min_port: "30000", max_port: "30099" },
        dst: { ip: "203.0.113.7", min_port: "40000", max_port: "40099" },
      },
      {
        src: { ip: "10.0.0.6", min_port: 1, max_port: 65_535 },
        dst: { ip: "203.0.113.8", min_port: 1, max_port: 65_535 },
      },
    ],
  },
});
const rewrites = addressRewrites(CONFIG);

describe("The signalling socket", () => {
  it.each([
    ["wss://inside:9000/rtc/ws?ticket=a", "wss://media.example:8443/rtc/ws?ticket=a"],
    ["ws://inside/rtc/ws", "ws://media.example:8443/rtc/ws"],
    ["/rtc/ws?ticket=a", "/rtc/ws?ticket=a"],
  ])("%s becomes %s", (url, becomes) => {
    expect(rewrites.socket(url)).toBe(becomes);
  });

  it("loses the port that the new host does not name", () => {
    expect(addressRewrites({ ws: "media.example" }).socket("wss://inside:9000/a")).toBe(
      "wss://media.example/a",
    );
  });
});

it("The hosts of TURN servers are replaced, those of STUN servers are not", () => {
  const given = {
    iceServers: [
      { urls: "stun:inside:3478" },
      { urls: ["turn:inside:3478?transport=udp", "turns:inside:5349"], username: "u" },
    ],
  };
  expect(rewrites.ice(given)).toEqual({
    iceServers: [
      { urls: "stun:inside:3478" },
      { urls: ["turn:turn.example:3478?transport=udp", "turns:turn.example:3478"], username: "u" },
    ],
  });
});

const rewrite = (by: AddressRewrites, text: string): string =>
  by.candidates([{ candidate: text }])[0]?.candidate ?? "";

describe("A candidate of the media node", () => {
  const text = (ip: string, port: number): string =>
    `candidate:3 1 UDP 2013266431 ${ip} ${port} typ host generation 0`;

  it.each([
    ["10.0.0.5", 30_000, "203.0.113.7", 40_000],
    ["10.0.0.5", 30_099, "203.0.113.7", 40_099],
    ["10.0.0.5", 30_100, "10.0.0.5", 30_100],
    ["10.0.0.5", 29_999, "10.0.0.5", 29_999],
    ["10.0.0.6", 5, "203.0.113.8", 5],
    ["10.0.0.7", 30_000, "10.0.0.7", 30_000],
  ])("%s:%d becomes %s:%d", (ip, port, nextIp, nextPort) => {
    expect(rewrite(rewrites, text(ip, port))).toBe(text(nextIp, nextPort));
  });

  it("is found in a description, and all other lines stay to the letter", () => {
    const sdp = `v=0\r\no=- 1 1 IN IP4 10.0.0.5\r\na=${text("10.0.0.5", 30_001)}\r\na=end-of-candidates\r\n`;
    expect(rewrites.sdp(sdp)).toBe(
      sdp.replace("UDP 2013266431 10.0.0.5 30001", "UDP 2013266431 203.0.113.7 40001"),
    );
  });

  it.each(["", "candidate:", "a=candidate:1 1 udp 5 10.0.0.5 x typ host", "candidate:1 1 udp 5"])(
    "that is none (%s) stays",
    (broken) => {
      expect(rewrite(rewrites, broken)).toBe(broken);
    },
  );
});

it("Without a configuration every address stays", () => {
  const none = NO_REWRITES;
  const ice = { iceServers: [{ urls: "turn:inside" }] };
  expect(none.ice(ice)).toEqual(ice);
  expect(none.socket("wss://inside/a")).toBe("wss://inside/a");
  expect(rewrite(none, "candidate:3 1 UDP 1 10.0.0.5 30000 typ host")).toContain("10.0.0.5 30000");
});
