import pino from "pino";
import { expect, it } from "vitest";
import { createManualClock } from "../../host.harness.ts";
import { createOriginNotes } from "./refused-origins.ts";

function notes() {
  const clock = createManualClock();
  const lines: { level: number; origin: string; host: string; msg: string }[] = [];
  const log = pino(
    { level: "warn" },
    { write: (line: string) => void lines.push(JSON.parse(line)) },
  );
  const note = createOriginNotes({ log, clock });
  return {
    clock,
    lines,
    refuse: (origin: string, hosts: readonly string[], byProxy = false): void =>
      note(origin, { address: "10.0.0.1", key: "10.0.0.1", secure: false, hosts }, byProxy),
  };
}

it("A refused page is logged in one line with its origin, the host and what to set, once for the pair", () => {
  const { lines, refuse, clock } = notes();
  for (let i = 0; i < 3; i += 1) refuse("https://a.example:8443", ["a.example"]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    level: 40,
    origin: "https://a.example:8443",
    host: "a.example",
  });
  for (const word of [
    "https://a.example:8443",
    "host a.example.",
    "TRUSTED_PROXIES",
    "X-Forwarded-Host",
    "ALLOWED_ORIGINS",
  ]) {
    expect(lines[0]?.msg).toContain(word);
  }
  refuse("https://b.example", ["a.example"], true);
  expect(lines).toHaveLength(2);
  expect(lines[1]?.msg).not.toContain("TRUSTED_PROXIES");
  clock.advance(60 * 60_000);
  refuse("https://a.example:8443", ["a.example"]);
  expect(lines).toHaveLength(3);
});

it("A program that sends ever new origins fills neither the log nor the memory", () => {
  const { lines, refuse, clock } = notes();
  for (let i = 0; i < 1000; i += 1)
    refuse(`https://${i}.example/${"x".repeat(5000)}`, ["a.example"]);
  expect(lines).toHaveLength(20);
  expect(lines[0]?.origin).toHaveLength(200);
  clock.advance(60 * 60_000);
  refuse("https://late.example", ["a.example"]);
  expect(lines).toHaveLength(21);
});
