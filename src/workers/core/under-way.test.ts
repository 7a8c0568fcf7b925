import { expect, it } from "vitest";
import { IMPORT_STATES } from "../../shared/domain/import-states.ts";
import { TRANSFER_STATES } from "../../shared/domain/transfer-states.ts";
import { initialSlices } from "../../shared/protocol/initial-state.ts";
import type { Slices } from "../../shared/protocol/state.ts";
import { underWay } from "./under-way.ts";

const slices = (): Slices => initialSlices({ coreId: "c", build: "b", now: 0 });
const underWayIn = (state: Slices) => underWay({ get: (name) => state[name] });

it("Nothing is under way in a core that has just started", () => {
  expect(underWayIn(slices())).toEqual({ importing: false, sending: false });
});

it("An import counts until its rows are sent or somebody has to act", () => {
  const busy = IMPORT_STATES.filter((state) => {
    const all = slices();
    all.imports.byKey["k"] = { state } as Slices["imports"]["byKey"][string];
    return underWayIn(all).importing;
  });
  expect(busy).toEqual(["staged", "sending", "waiting", "cancelling"]);
});

it("An upload counts until it is over, unless it survives its tab and so a reload too", () => {
  const counting = [true, false].flatMap((survives) =>
    TRANSFER_STATES.filter((state) => {
      const uploading = slices();
      uploading.uploads.byKey["k"] = { state, survives } as Slices["uploads"]["byKey"][string];
      return underWayIn(uploading).sending;
    }).map((state) => [survives, state]),
  );
  expect(counting).toEqual([
    [false, "waiting"],
    [false, "running"],
    [false, "paused"],
  ]);
});

it("A download counts until it has failed or a tab has taken it", () => {
  const counting = TRANSFER_STATES.filter((state) => {
    const downloading = slices();
    downloading.downloads.byKey["k"] = { state } as Slices["downloads"]["byKey"][string];
    return underWayIn(downloading).sending;
  });
  expect(counting).toEqual(["waiting", "running", "paused", "done"]);
});

it("A message counts while it is on its way", () => {
  for (const status of ["sending", "sent", "failed"] as const) {
    const chatting = slices();
    chatting.chat.conversations["c"] = {
      messages: { m: { status } },
    } as unknown as Slices["chat"]["conversations"][string];
    expect([status, underWayIn(chatting).sending]).toEqual([status, status === "sending"]);
  }
});
