import { expect, it } from "vitest";
import { conferenceIn, isMeetingNumber, showMeetingNumber } from "./meeting-number.ts";

it("nine digits are shown in three groups, anything else unchanged", () => {
  expect(showMeetingNumber("123456789")).toBe("123 456 789");
  expect(showMeetingNumber("abc")).toBe("abc");
  expect(["012345678", "12345678", "1234567890", "12345678x"].map(isMeetingNumber)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it("conferenceIn reads a number in any grouping, a link, or a plain id", () => {
  for (const text of [
    "123456789",
    " 123 456 789 ",
    "123-456-789",
    "１２３ ４５６ ７８９",
    "123.456.789",
  ]) {
    expect(conferenceIn(text), text).toBe("123456789");
  }
  expect(conferenceIn("https://host/im/conference?id=123456789")).toBe("123456789");
  expect(conferenceIn(" LBR-12 ")).toBe("LBR-12");
  expect(conferenceIn("")).toBe("");
});
