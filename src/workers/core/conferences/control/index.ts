/**
 * Control of shared screens in the core: the side that is controlled, the controller, and the commands of tabs
 * (docs/conferences.md#control-of-a-screen).
 */
import { CONTROL_EVENT } from "../../../../shared/domain/remote-control.ts";
import { OP2 } from "../../../../shared/protocol/confr-signalling.ts";
import type { Handlers } from "../../../../shared/protocol/core-rpc.ts";
import { controlArgSchema } from "../../../../shared/protocol/remote-control.ts";
import { RESULT } from "../../../../shared/protocol/signalling.ts";
import type { MemberRequests } from "../member-requests.ts";
import type { Changes } from "../model.ts";
import { notInside } from "../rules.ts";
import { createControlledScreen } from "./controlled.ts";
import { createScreenController } from "./controller.ts";
import type { ControlDeps } from "./wire.ts";

export type ControlHandlers = Pick<
  Handlers<"conference">,
  "askControl" | "sendControl" | "releaseControl" | "answerControl" | "stopControl"
>;
export interface Control {
  readonly handlers: ControlHandlers;
  /** The tab that shares the screen can execute input, or cannot any more. */
  able(able: boolean): void;
  /** Another tab owns the media. */
  moved(): void;
  /** Members or streams are gone. */
  changed(changes: Pick<Changes, "removed" | "gone">): void;
  /** The session was lost, or the conference is over. */
  over(): void;
}

export function createControl(
  deps: ControlDeps & { readonly requests: Pick<MemberRequests, "ask" | "handle"> },
): Control {
  const controlled = createControlledScreen(deps);
  const controller = createScreenController(deps);
  deps.requests.handle(OP2.panelControl, (request) => {
    const { data: arg } = controlArgSchema.safeParse(request.arg);
    if (arg === undefined) return request.answer(RESULT.notAllowed);
    const { evt } = arg;
    if (evt === CONTROL_EVENT.stopped) controller.endedThere(request, arg);
    else controlled.requested(request, { ...arg, evt });
  });
  const inside = (): void => {
    if (deps.model.slice.status === "idle") throw notInside(deps.model.slice);
  };

  return {
    handlers: {
      async askControl({ streamId }) {
        inside();
        controller.ask(streamId);
        return null;
      },
      async sendControl({ streamId, actions }) {
        controller.send(streamId, actions);
        return null;
      },
      async releaseControl() {
        controller.release();
        return null;
      },
      async answerControl({ id, agree }) {
        inside();
        controlled.answer(id, agree);
        return null;
      },
      async stopControl() {
        controlled.stop();
        return null;
      },
    },
    able: controlled.able,
    moved: controlled.moved,
    changed({ removed, gone }) {
      for (const { id } of removed) {
        controlled.removed(id);
        controller.removed(id);
      }
      for (const { memId } of gone) {
        controlled.gone(memId);
        controller.gone(memId);
      }
    },
    over() {
      controlled.over();
      controller.over();
    },
  };
}
