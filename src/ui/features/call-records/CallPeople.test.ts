import { expect, it } from "vitest";
import { formatDate } from "../../../shared/domain/format.ts";
import { peopleText } from "./CallPeople.tsx";

it("An exported group call names each person with the times, and those who did not join", () => {
  const at = Date.UTC(2026, 0, 5, 8);
  const inside = { enteredAt: at, leftAt: at + 60_000, inside: 60_000 };
  const absent = { enteredAt: null, leftAt: null, inside: 0 };
  const people = [
    { userName: "lina", name: "李娜", ...inside },
    { userName: "ops", name: "运维", ...absent },
  ];
  expect(peopleText(people, "未加入")).toBe(
    `李娜: ${formatDate(at)} – ${formatDate(at + 60_000)}\n运维: 未加入`,
  );
  expect(peopleText([], "未加入")).toBe("");
});
