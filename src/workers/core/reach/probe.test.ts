import { expect, test } from "vitest";
import { createProbe } from "./probe.ts";

const ORIGIN = "https://console.example";

/** @param pages the paths that are answered by a page; all others by JSON */
function probing(baseUrl: string, status: number, ...pages: readonly string[]) {
  const asked: unknown[] = [];
  const probe = createProbe(baseUrl, ORIGIN, (input, init) => {
    const path = new URL(input as string).pathname;
    asked.push([path, init?.mode]);
    const type = pages.includes(path) || pages.includes("*") ? "text/html" : "application/json";
    return Promise.resolve(new Response("", { status, headers: { "content-type": type } }));
  });
  return { probe, asked };
}

test("JSON of the own origin is a sign of life, whatever the health; a gateway's error is none", async () => {
  for (const [status, alive] of [
    [200, true],
    [500, true],
    [502, false],
    [504, false],
  ] as const) {
    const { probe, asked } = probing(ORIGIN, status);
    expect(await probe()).toBe(alive);
    expect(asked).toEqual([["/healthz", "same-origin"]]);
  }
});

test("A network that answers everything by its page intercepts; a platform without the path does not", async () => {
  expect(await probing(ORIGIN, 200, "*").probe()).toBe("intercepted");
  const { probe, asked } = probing(ORIGIN, 200, "/healthz");
  expect(await probe()).toBe(true);
  expect(asked).toHaveLength(2);
});

test("A gateway of another origin may answer anything", async () => {
  const { probe, asked } = probing("https://gateway.example", 200, "*");
  expect(await probe()).toBe(true);
  expect(asked).toEqual([["/healthz", "no-cors"]]);
});
