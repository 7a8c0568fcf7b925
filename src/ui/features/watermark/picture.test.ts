import { expect, test } from "vitest";
import { watermarkImage, watermarkPerson } from "./picture.ts";

const svgOf = (image: string): string =>
  decodeURIComponent(/^url\("data:image\/svg\+xml,(.*)"\)$/.exec(image)?.[1] ?? "");

test("The watermark names the person by the end of the mobile, else of the account", () => {
  const person = { name: "李娜", username: "lina2026" };
  expect(watermarkPerson({ ...person, phone: "138 1234 5678" })).toBe("李娜 5678");
  expect(watermarkPerson({ ...person, phone: "138****5678" })).toBe("李娜 5678");
  expect(watermarkPerson({ ...person, phone: null })).toBe("李娜 2026");
  expect(watermarkPerson({ ...person, phone: "12" })).toBe("李娜 2026");
  expect(watermarkPerson({ name: "李娜", username: null, phone: null })).toBe("李娜");
  expect(watermarkPerson({ name: "长".repeat(30), username: "ab", phone: null })).toBe(
    `${"长".repeat(20)}… ab`,
  );
});

test("A name stays a text of the picture, whatever signs it has", () => {
  const image = watermarkImage(`</text><script>alert(1)</script>"')`, "a\u0000b\ud800c & d");
  expect(image.slice(5, -2)).not.toMatch(/["<>\\]/);
  const svg = svgOf(image);
  expect(svg).not.toContain("<script");
  expect(svg).toContain("&lt;/text&gt;&lt;script&gt;alert(1)");
  expect(svg).toContain(">abc &amp; d</text>");
});
