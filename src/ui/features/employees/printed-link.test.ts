import { expect, it } from "vitest";
import { pictureNames, printedLink } from "./printed-link.ts";

it("Each picture has a name of its own that a file system takes", () => {
  const names = ["孙有号", "新员工 · 保洁", "新员工 · 保洁", "../a:b\u0000", "", "ANN", "ann"];
  expect(pictureNames(names.map((name) => ({ name })))).toEqual([
    "孙有号.png",
    "新员工 · 保洁.png",
    "新员工 · 保洁 (2).png",
    ".. a b.png",
    "QR.png",
    "ANN.png",
    "ann (2).png",
  ]);
});

it("The post stands once beside a code: below a name that does not say it", () => {
  const row = {
    id: "1",
    link: "/invite/1",
    status: "open" as const,
    department: "维保一组",
    position: "维保工程师",
    roles: [],
    employee: { id: "2", name: "孙有号" },
    mobile: null,
    sendable: true,
    reason: "",
    uses: 0,
    usesMax: 1,
    people: [],
    createdBy: null,
    createTime: "2026-11-27T00:00:00.000Z",
    expiresAt: "2026-11-30T00:00:00.000Z",
  };
  const notes = [
    printedLink(row, "孙有号"),
    printedLink(row, "孙有号 · 维保一组 · 维保工程师"),
    printedLink({ ...row, employee: null }, "新员工 · 维保一组 · 维保工程师"),
  ].map(({ note }) => note);
  expect(notes).toEqual(["维保一组 · 维保工程师", "", ""]);
});
