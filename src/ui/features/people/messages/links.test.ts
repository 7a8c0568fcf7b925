import { expect, test } from "vitest";
import { linkParts } from "./links.ts";

const links = (text: string): string[] =>
  linkParts(text).flatMap(({ href }) => (href === null ? [] : [href]));

test("Addresses of http and https become links, and the text stays as it is", () => {
  const text = "看 https://example.com/a?b=1#c，再看 HTTP://Example.org。\n第二行 (http://a.cn/x).";
  expect(links(text)).toEqual([
    "https://example.com/a?b=1#c",
    "http://example.org/",
    "http://a.cn/x",
  ]);
  expect(
    linkParts(text)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});

test("Brackets inside an address belong to it", () => {
  expect(links("https://zh.wikipedia.org/wiki/A_(B) end")).toEqual([
    "https://zh.wikipedia.org/wiki/A_(B)",
  ]);
});

test.each([
  "javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "https://",
  "http://user:password@evil.example/",
  "https://bank.example@evil.example/",
  "xhttps://example.com",
  "<img src=x onerror=alert(1)>",
  "",
])("%j has no link", (text) => {
  expect(links(text)).toEqual([]);
  expect(linkParts(text)).toEqual([{ text, href: null }]);
});

test("An address ends before anything that could break out of an attribute", () => {
  for (const text of [
    'https://a.cn/"onmouseover="alert(1)',
    "https://a.cn/'><script>alert(1)</script>",
    "https://a.cn/<script>alert(1)</script>",
  ]) {
    expect(links(text)).toEqual(["https://a.cn/"]);
  }
});
