import { expect, it } from "vitest";
import { FakeClock } from "../clock.fake.ts";
import { rowChecks } from "../../shared/row-checks.harness.ts";
import { download, fileName } from "./download.ts";

it("A file name has the conference and the time, and nothing that a system refuses", () => {
  const at = new Date(2026, 10, 27, 9, 5, 7).getTime();
  expect(fileName("周例会", at, ".webm")).toBe("周例会 2026-11-27 09-05-07.webm");
  expect(fileName('a/b\\c:"d"\u0000', at, ".webm")).toBe("a b c d 2026-11-27 09-05-07.webm");
  expect(fileName("  ", at, ".png")).toBe("recording 2026-11-27 09-05-07.png");
  expect([...fileName("长".repeat(500), at, ".webm")].length).toBeLessThan(121);
});

/** Rows of the conference catalogue (tests/conference/catalogue.ts), which is bound to these functions by their type. */
export const checks = rowChecks({
  "time.object-url: The address of a file is valid for 40000 ms after its download": () => {
    const clock = new FakeClock();
    const revoked: string[] = [];
    const clicked: string[][] = [];
    let read = false;
    download(
      new Blob(["x"]),
      "a.webm",
      {
        clock,
        urls: { createObjectURL: () => "blob:1", revokeObjectURL: (url) => revoked.push(url) },
        click: (...given) => clicked.push(given),
      },
      () => {
        read = true;
      },
    );
    expect(clicked).toEqual([["blob:1", "a.webm"]]);
    clock.pass(39_999);
    expect([revoked, read]).toEqual([[], false]);
    clock.pass(1);
    expect([revoked, read]).toEqual([["blob:1"], true]);
  },
});
