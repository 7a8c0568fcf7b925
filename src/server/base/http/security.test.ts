import { expect, it } from "vitest";
import { contentSecurityPolicy, foreignOrigins } from "./security.ts";

const connectOf = (agora: boolean): string =>
  contentSecurityPolicy("/login", ["console.example"], foreignOrigins(["//im.example", ""], agora))
    .split("; ")
    .find((directive) => directive.startsWith("connect-src")) ?? "";

it("The console may contact configured hosts", () => {
  expect(connectOf(false)).toBe(
    "connect-src 'self' ws://console.example wss://console.example https://im.example wss://im.example",
  );
});

it("With the Agora engine it may contact that cloud at any port", () => {
  expect(connectOf(true)).toBe(
    `${connectOf(false)} https://*.agora.io:* wss://*.agora.io:* https://*.sd-rtn.com:* wss://*.sd-rtn.com:*`,
  );
});
