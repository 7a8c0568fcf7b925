import { createElement, Suspense, type ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { expect, it } from "vitest";
import { lazyAhead } from "./lazy-ahead.ts";

const Name = ({ name }: { readonly name: string }) => createElement("b", null, name);
const shown = (part: ComponentType<{ name: string }>): string =>
  renderToString(
    createElement(Suspense, { fallback: "waits" }, createElement(part, { name: "Ann" })),
  );

it("Code loaded ahead shows at the first render; other code shows the fallback first", async () => {
  let loads = 0;
  const load = () => {
    loads += 1;
    return Promise.resolve({ default: Name });
  };
  expect(shown(lazyAhead(load))).toContain("waits");
  expect(loads).toBe(1);
  const ahead = lazyAhead(load);
  await ahead.loadAhead();
  expect(shown(ahead)).toContain("<b>Ann</b>");
  expect(shown(ahead)).not.toContain("waits");
  expect(loads).toBe(2);
});

it("A failed load ahead is tried again when the component shows", async () => {
  const answers = [Promise.reject(new Error("offline")), Promise.resolve({ default: Name })];
  const part = lazyAhead(() => answers.shift()!);
  await expect(part.loadAhead()).rejects.toThrow("offline");
  expect(shown(part)).toContain("waits");
  // What React has asked for arrives.
  await new Promise(setImmediate);
  expect(shown(part)).toContain("<b>Ann</b>");
});
