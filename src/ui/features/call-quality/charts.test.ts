import { expect, it } from "vitest";
import { CALL_CHARTS } from "../../../shared/domain/call-lines.ts";
import { chartsOf, toneOf } from "./charts.ts";

it("Lines of a call look as the table says, under their words", () => {
  const [chart] = chartsOf(
    {
      charts: [
        {
          title: "frames",
          lines: [
            { name: "receivedPicture", y: [20, null] },
            { name: "freezes", y: [0, 1] },
          ],
        },
      ],
    },
    (word) => `words of ${word}`,
  );
  expect(chart).toEqual({
    title: "frames",
    series: [
      { name: "words of receivedPicture", colour: "pink", unit: " fps", y: [20, null] },
      { name: "words of freezes", colour: "red", unit: "", shape: "bars", y: [0, 1] },
    ],
  });
});

it("No chart has two lines of one name, by which the looks are found", () => {
  for (const { title, lines } of CALL_CHARTS) {
    const names = lines.map(({ name }) => name);
    expect([title, new Set(names).size]).toEqual([title, names.length]);
  }
});

it("A cause is red where it comes from, and both directions where it is of both", () => {
  const cause = { cause: "loss", begin: 0, end: null } as const;
  const ann = { memName: "ann" };
  expect(toneOf({ ...cause, from: "ann" }, ann)).toBe("bad");
  expect(toneOf({ ...cause, from: "bob" }, ann)).toBe("warn");
  expect(toneOf({ ...cause, from: null }, ann)).toBe("bad");
});
