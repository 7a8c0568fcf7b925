/** The own picture of the current call on a weak network (docs/calls.md#weak-network): joins the ladder, the owner tab and both sides. */
import { QUALITY_EVENT } from "../../../shared/protocol/qoe.ts";
import type { OwnerCommand } from "../media-owner/contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import { createLadder, type Ladder } from "./ladder.ts";
import type { CallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";

export function createPicture(deps: {
  readonly calls: Pick<CallStore, "slice" | "patch">;
  readonly qoe: Pick<Qoe, "event">;
  readonly send: (command: OwnerCommand) => boolean;
  readonly signalling: Pick<CallSignalling, "tellStreams">;
}): Ladder {
  const { calls } = deps;
  return createLadder({
    level: () => calls.slice.local.picture ?? "full",
    sends() {
      const { status, info, local } = calls.slice;
      return status === "chat" && info?.media === "video" && local.hasVideo && !local.videoOff;
    },
    apply: (level) => deps.send({ t: "picture", level }),
    changed(picture) {
      calls.patch({ local: { ...calls.slice.local, picture } });
      deps.qoe.event(QUALITY_EVENT.picture, { detail: picture });
      deps.signalling.tellStreams();
    },
  });
}
