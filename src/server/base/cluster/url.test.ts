import { expect, it } from "vitest";
import { processUrl } from "./url.ts";

const face = (address: string, internal: boolean, family: "IPv4" | "IPv6" = "IPv4") => ({
  address,
  internal,
  family,
});
const machine = () => ({
  lo: [face("127.0.0.1", true)],
  eth0: [face("fe80::1", false, "IPv6"), face("10.0.0.5", false)],
});

it("The URL is the configured one, else the listening address, else the machine's first address", () => {
  const given = { PROCESS_URL: "http://console-1:9000", HOST: "0.0.0.0", PORT: 8080 };
  expect(processUrl(given, machine)).toBe("http://console-1:9000");
  const url = (HOST: string, interfaces = machine as Parameters<typeof processUrl>[1]) =>
    processUrl({ PROCESS_URL: undefined, HOST, PORT: 8080 }, interfaces);
  expect(url("0.0.0.0")).toBe("http://10.0.0.5:8080");
  expect(url("::")).toBe("http://10.0.0.5:8080");
  expect(url("192.168.1.2")).toBe("http://192.168.1.2:8080");
  expect(url("::1")).toBe("http://[::1]:8080");
  expect(url("0.0.0.0", () => ({}))).toBe("http://127.0.0.1:8080");
});

it("A port that is not known yet is refused", () => {
  expect(() => processUrl({ PROCESS_URL: undefined, HOST: "::", PORT: 0 }, machine)).toThrow(
    "PROCESS_URL",
  );
});
