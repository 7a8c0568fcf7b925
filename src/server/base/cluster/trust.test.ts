import { expect, it } from "vitest";
import { CARRIED, createMarks } from "./trust.ts";

let now = 1_000_000;
const clock = { now: () => now, setTimeout: () => ({ cancel: () => undefined }) };
const marks = createMarks("s".repeat(32), clock);
const carried = (mark: string, url = "/conference?confr=1", method = "GET") => ({
  method,
  url,
  headers: { [CARRIED]: mark },
});

it("A mark carries the client's address, for this request and for a short time only", () => {
  const mark = marks.make("GET", "/conference?confr=1", "10.1.2.3");
  expect(marks.read(carried(mark))).toBe("10.1.2.3");
  expect(marks.read(carried(mark, "/conference?confr=2"))).toBeNull();
  expect(marks.read(carried(mark, undefined, "POST"))).toBeNull();
  expect(marks.read(carried(mark.replace("10.1.2.3", "10.1.2.4")))).toBeNull();
  expect(createMarks("t".repeat(32), clock).read(carried(mark))).toBeNull();
  for (const odd of ["", " ", "x y z", `NaN ${mark.split(" ")[1]} 10.1.2.3`]) {
    expect(marks.read(carried(odd))).toBeNull();
  }
  expect(marks.read({ method: "GET", url: "/", headers: {} })).toBeNull();
  now += 31_000;
  expect(marks.read(carried(mark))).toBeNull();
});
