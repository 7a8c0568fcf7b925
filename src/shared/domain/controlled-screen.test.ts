/** Every event in every state of both tables of the control of a screen. */
import { describe, expect, it } from "vitest";
import { controlledStep, type ControlledEvent } from "./controlled-screen.ts";
import { CONTROLLED_STATES, CONTROLLER_STATES } from "./remote-control.ts";
import { type ControllerEventType, controllerStep } from "./screen-controller.ts";

const by = { memId: "a", memName: "anna", cId: "1" };
const otherDevice = { memId: "a2", memName: "anna", cId: "2" };
const other = { memId: "b", memName: "ben", cId: "3" };

describe("The controlled side", () => {
  const walk = (event: ControlledEvent, able = true) =>
    CONTROLLED_STATES.map((state) => {
      const { to, effects } = controlledStep(
        state,
        { able, by: state === "free" ? null : by },
        event,
      );
      return `${to}: ${effects.join(" ")}`;
    });

  it.each<[ControlledEvent, string[]]>([
    [
      { type: "ask", from: by },
      ["asked: keepRequest", "asked: keepRequest", "controlled: replace answerOk"],
    ],
    [
      { type: "ask", from: otherDevice },
      ["asked: keepRequest", "asked: keepRequest", "controlled: replace answerOk"],
    ],
    [
      { type: "ask", from: other },
      ["asked: keepRequest", "asked: answerBusy", "controlled: answerBusy"],
    ],
    [{ type: "agree" }, ["free: ", "controlled: begin acceptRequest", "controlled: "]],
    [{ type: "refuse" }, ["free: ", "free: rejectRequest", "controlled: "]],
    [{ type: "expire" }, ["free: ", "free: sayLate", "controlled: "]],
    [
      { type: "release", from: by },
      ["free: answerOk", "free: answerOk sayReleased", "free: answerOk end sayReleased"],
    ],
    [
      { type: "release", from: other },
      ["free: answerOk", "asked: answerOk", "controlled: answerOk"],
    ],
    [
      { type: "input", from: by },
      ["free: answerNotAllowed", "asked: answerNotAllowed", "controlled: heard execute"],
    ],
    [
      { type: "input", from: otherDevice },
      ["free: answerNotAllowed", "asked: answerNotAllowed", "controlled: answerNotAllowed"],
    ],
    [
      { type: "keepAlive", from: by },
      ["free: answerNotAllowed", "asked: answerNotAllowed", "controlled: heard answerOk"],
    ],
    [{ type: "stop" }, ["free: ", "asked: ", "free: end tellController sayStopped"]],
    [{ type: "silent" }, ["free: ", "asked: ", "free: end tellController sayLate"]],
    [{ type: "memberGone", memId: "a" }, ["free: ", "free: sayGone", "free: end sayGone"]],
    [{ type: "memberGone", memId: "b" }, ["free: ", "asked: ", "controlled: "]],
    [
      { type: "unshared" },
      ["free: ", "free: rejectRequest sayGone", "free: end tellController sayGone"],
    ],
    [
      { type: "moved" },
      ["free: ", "free: rejectRequest sayGone", "free: end tellController sayGone"],
    ],
    [{ type: "over" }, ["free: ", "free: sayGone", "free: end sayGone"]],
  ])("%j", (event, expected) => {
    expect(walk(event)).toEqual(expected);
  });

  it("refuses every request while nothing can execute input", () => {
    const event = { type: "ask", from: other } as const;
    expect(walk(event, false)).toEqual([
      "free: answerNotAllowed",
      "asked: answerNotAllowed",
      "controlled: answerNotAllowed",
    ]);
  });
});

it.each<[ControllerEventType, string[]]>([
  ["ask", ["asking: sendAsk", "asking: sendRelease sendAsk", "asking: end sendRelease sendAsk"]],
  ["accepted", ["idle: ", "controlling: begin", "controlling: "]],
  ["rejected", ["idle: ", "idle: sayRejected", "idle: end sayRejected"]],
  ["busy", ["idle: ", "idle: sayBusy", "idle: end sayBusy"]],
  ["notAllowed", ["idle: ", "idle: sayNotAllowed", "idle: end sayStopped"]],
  ["late", ["idle: ", "idle: sendRelease sayLate", "controlling: "]],
  ["release", ["idle: ", "idle: sendRelease sayReleased", "idle: end sendRelease sayReleased"]],
  ["stopped", ["idle: ", "idle: sayStopped", "idle: end sayStopped"]],
  ["silent", ["idle: ", "asking: ", "idle: end sendRelease sayLate"]],
  ["gone", ["idle: ", "idle: sayGone", "idle: end sayGone"]],
])("The controller: %s", (event, expected) => {
  expect(
    CONTROLLER_STATES.map((state) => {
      const { to, effects } = controllerStep(state, event);
      return `${to}: ${effects.join(" ")}`;
    }),
  ).toEqual(expected);
});
