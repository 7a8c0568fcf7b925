/** What both sides of the control of a screen need: their dependencies, and how messages are written and read. */
import {
  CONTROL_ID_LENGTH,
  type CONTROL_EVENT,
  type ControlEnd,
} from "../../../../shared/domain/remote-control.ts";
import type { NoticeKey } from "../../../../shared/domain/notice-texts.ts";
import { noticeFields } from "../../../../shared/domain/notice-texts.ts";
import { OP2 } from "../../../../shared/protocol/confr-signalling.ts";
import type { ControlCommand, ControlView } from "../../../../shared/protocol/remote-control.ts";
import type { CoreEnv, Store } from "../../contracts.ts";
import type { ConferenceConfig } from "../config.ts";
import type { MemberRequests } from "../member-requests.ts";
import type { Model } from "../model.ts";

export interface ControlDeps {
  readonly env: Pick<CoreEnv, "clock" | "newId" | "log">;
  readonly config: ConferenceConfig;
  readonly model: Model;
  readonly notice: Store["notice"];
  readonly requests: Pick<MemberRequests, "ask">;
  /** Whether the session is entered. Input is not kept for a later one. */
  readonly reachable: () => boolean;
  readonly toTab: (command: ControlCommand) => void;
  /** Id of the own shared screen; null when none is shared. */
  readonly ownScreen: () => string | null;
}
/** The other member of a control, and the stream that is controlled. */
export type Other = NonNullable<ControlView["own"]["of"]>;

export const argOf = (
  evt: (typeof CONTROL_EVENT)[keyof typeof CONTROL_EVENT],
  streamId: string,
  cId: string,
) => ({ op2: OP2.panelControl, evt, streamId, cId });

/** @param id a random text of letters and digits */
export const controlIdOf = (id: string): string =>
  id.replaceAll(/\W/g, "").padStart(CONTROL_ID_LENGTH, "0").slice(-CONTROL_ID_LENGTH);

export const nameOf = (model: Model, memId: string): string => {
  const { nickName = "", memName = memId } = model.slice.members[memId] ?? {};
  return nickName === "" ? memName : nickName;
};

export const patchControl = (model: Model, part: Partial<ControlView>): void =>
  model.patch({ control: { ...model.slice.control, ...part } });

/** Tells a person why a control ended. */
export function sayEnd(
  deps: Pick<ControlDeps, "notice">,
  side: "control" | "controlled",
  why: ControlEnd,
  name: string,
): void {
  const key = `${side}.${why}` as NoticeKey;
  const own = why === "released" || why === "stopped";
  deps.notice({ style: own ? "info" : "warning", ...noticeFields(key, { name }) });
}
