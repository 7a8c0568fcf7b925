/** What the parts of a group call use of each other, and of the conference that carries it. */
import type { CommandParsed } from "../../../shared/protocol/core-rpc.ts";
import type { GroupCallSlice } from "../../../shared/protocol/state.ts";
import type { Rung } from "./kept.ts";

export type Codecs = CommandParsed<"groupCall", "start">["codecs"];

/** The conference module, as group calls use it. */
export interface CallConference {
  /** The conference of an earlier core is known. */
  readonly ready: Promise<void>;
  /** Resolves once inside; rejects with AppError. */
  enter(
    input: {
      readonly confrId: string;
      readonly audioMuted: boolean;
      readonly videoOff: boolean;
      readonly codecs: Codecs;
    },
    tabId: string,
  ): Promise<void>;
  exit(): Promise<void>;
  setAttrs(changes: readonly { readonly key: string; readonly val: string }[]): Promise<void>;
  /** No page shows that this conference ended. */
  forgetExit(confrId: string): void;
  /** Called after the conference's slice changed. @returns a function that removes the handler */
  onChange(handler: () => void): () => void;
}

/** The call of two that becomes this group call, on this side. */
export interface GrownFrom {
  /** Chat user name of the other side, who may enter without being rung. */
  readonly peer: string;
  readonly audioMuted: boolean;
  readonly videoOff: boolean;
  /** Called once the server has made the conference. */
  made(conference: { readonly channel: string; readonly callId: string }): void;
}

/** The present call. Changes are mirrored and stored at once. */
export interface GroupCallState {
  readonly slice: Readonly<GroupCallSlice>;
  readonly caller: { readonly userName: string; readonly device: string } | null;
  readonly awaitsConfirm: boolean;
  patch(part: Partial<GroupCallSlice>): void;
  keep(part: {
    caller?: { readonly userName: string; readonly device: string } | null;
    awaitsConfirm?: boolean;
    rung?: Readonly<Record<string, Rung>>;
  }): void;
  /** The call is over. */
  clear(): void;
}
