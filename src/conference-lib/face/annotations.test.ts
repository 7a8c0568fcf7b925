/** Annotations in the library's API; the surface itself is shown in tests/multi-tab/annotations.spec.ts. */
import { expect, it } from "vitest";
import { noConference } from "../../shared/protocol/initial-state.ts";
import type { MarksEvent } from "../../shared/protocol/marks-port.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import type { Annotated, CoreConnection } from "./contracts.ts";
import { faceWorld, member } from "./face.harness.ts";

const MARK = {
  id: "a",
  by: "ann",
  tool: "pen" as const,
  colour: "#ff3b30",
  size: 60,
  points: [1, 1],
};

function marksWorld() {
  let emit: (event: MarksEvent) => void = () => undefined;
  let watched = 0;
  let state: ConferenceSlice = noConference();
  const handlers = new Set<() => void>();
  const core: CoreConnection = {
    commands: {} as CoreConnection["commands"],
    getState: () => state,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    watchMarks(onEvent) {
      watched += 1;
      emit = onEvent;
      return { end: () => void (watched -= 1) };
    },
  };
  const { face } = faceWorld({ core });
  return {
    face,
    emit: (event: MarksEvent) => emit(event),
    watched: () => watched,
    enter() {
      const self = member("m1");
      state = { ...state, status: "joined", self, members: { m1: self } };
      for (const handler of handlers) handler();
    },
  };
}

it("onAnnotated reports whose marks changed over which stream, and opens a port only when somebody listens", () => {
  const { face, emit, watched } = marksWorld();
  expect(watched()).toBe(0);
  const heard: Annotated[] = [];
  face.on("onAnnotated", (annotated) => void heard.push(annotated));
  expect(watched()).toBe(1);
  emit({ t: "boards", boards: [{ streamId: "s", seq: 1, locked: false, marks: [MARK] }] });
  emit({
    t: "changes",
    streamId: "s",
    seq: 3,
    changes: [
      { t: "lock", on: true, by: "bob" },
      { t: "erase", ids: ["a"], by: "ann" },
    ],
  });
  expect(heard).toEqual([
    { streamId: "s", by: [], count: 1, forbidden: false },
    { streamId: "s", by: ["bob", "ann"], count: 0, forbidden: true },
  ]);
  face.dispose();
  expect(watched()).toBe(0);
});

it("graffitiVideo is refused outside a conference and for a stream that is not there", () => {
  const { face, enter } = marksWorld();
  expect(() => face.graffitiVideo("s")).toThrow("Please set up the service with a ticket first");
  enter();
  expect(() => face.graffitiVideo("s")).toThrow("Bad stream");
});
