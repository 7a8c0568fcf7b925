/**
 * The state of the person's one call: what tabs see (the call slice) and what they must not see (ticket, session). Both are stored
 * at every change, so that a restarted core continues where the last one stopped.
 */
import type { CallType } from "../../../shared/domain/call-types.ts";
import { z } from "../../../shared/zod.ts";
import { CALL_CONNECTION_STATES } from "../../../shared/domain/call-connection.ts";
import { idleCall } from "../../../shared/protocol/initial-state.ts";
import { rtcCfgSchema, ticketSchema } from "../../../shared/protocol/rest/rtc.ts";
import { type CallSlice, callSliceSchema } from "../../../shared/protocol/state.ts";
import type { CoreEnv, Store } from "../contracts.ts";
import { withPresentNames } from "../former-names.ts";
import { createKeptState } from "../kept-state.ts";

export const CALL_KEY = "call";

export const callPrivateSchema = z.object({
  accountId: z.string(),
  /** When the person dialled or the ring came, ms since the epoch; null in a call that an older build stored. */
  beganAt: z.number().nullable().default(null),
  /** Own chat user name and device. */
  me: z.string(),
  device: z.string(),
  caller: z.boolean(),
  /** The other side's device; "" while unknown. */
  peerDevice: z.string(),
  ticket: ticketSchema.nullable(),
  rtcCfg: rtcCfgSchema.nullable(),
  sessId: z.string().nullable(),
  memId: z.string(),
  /** The ring was sent, so a cancel message is needed. */
  ringHanded: z.boolean(),
  /** No device of the callee has said that the ring arrived, and no text was sent instead (signalling over chat). */
  unheard: z.boolean().default(false),
  /** Another device of this person has the call, which is on its way to this one. */
  arriving: z.boolean().default(false),
  connection: z.object({ state: z.enum(CALL_CONNECTION_STATES), rtcId: z.string().nullable() }),
});
export type CallPrivate = z.infer<typeof callPrivateSchema>;

const presentNames = (stored: unknown): unknown => withPresentNames(stored, { link: "connection" });
const recordSchema = z.object({
  version: z.literal(1),
  ownerEpoch: z.number().int(),
  slice: z.preprocess(presentNames, callSliceSchema.nullable()),
  priv: z.preprocess(presentNames, callPrivateSchema.nullable()),
});
export type CallRecord = z.infer<typeof recordSchema>;

export interface NewCall {
  readonly out: boolean;
  /** "" until the ticket is known. */
  readonly channel: string;
  readonly callId: string;
  readonly type: CallType;
  readonly media: "voice" | "video";
  readonly peer: { readonly userName: string; readonly name: string };
  readonly peerDevice: string;
}
/** Creates both parts of a new call; the machine sets its status. */
export function newCall(
  call: NewCall,
  self: {
    readonly me: string;
    readonly accountId: string;
    readonly device: string;
    readonly beganAt: number;
  },
): { priv: CallPrivate; slice: CallSlice } {
  const { out, peer, channel, callId, type, media } = call;
  return {
    priv: {
      ...self,
      caller: out,
      peerDevice: call.peerDevice,
      ticket: null,
      rtcCfg: null,
      sessId: null,
      memId: "",
      ringHanded: false,
      unheard: out,
      arriving: false,
      connection: { state: "idle", rtcId: null },
    },
    slice: {
      ...idleCall(),
      direction: out ? "out" : "in",
      info: {
        confrName: peer.name,
        channel,
        callId,
        type,
        media,
        fromUser: out ? self.me : peer.userName,
        toUser: out ? peer.userName : self.me,
      },
      peer: { ...peer },
    },
  };
}

export interface CallStore {
  readonly slice: Readonly<CallSlice>;
  /** null without a call; changed by `keep`. */
  readonly priv: Readonly<CallPrivate> | null;
  readonly ownerEpoch: number;
  /** Changes the slice and sends it at once. */
  patch(part: Partial<CallSlice>): void;
  setPrivate(priv: CallPrivate | null): void;
  keep(part: Partial<CallPrivate>): void;
  setOwnerEpoch(epoch: number): void;
  /** Loads what an earlier core stored; null when there is nothing valid. */
  load(): Promise<CallRecord | null>;
  /** Resolves when everything is stored. */
  saved(): Promise<void>;
}

export function createCallStore(deps: {
  env: Pick<CoreEnv, "kv" | "clock" | "log">;
  store: Store;
}): CallStore {
  const { env, store } = deps;
  let slice: CallSlice = idleCall();
  let priv: CallPrivate | null = null;
  let ownerEpoch = 0;
  let writing: Promise<void> = Promise.resolve();
  const kept = createKeptState<CallRecord>(env, {
    key: CALL_KEY,
    scope: "calls",
    what: "the call",
    read: (stored) => {
      const parsed = recordSchema.safeParse(stored);
      return parsed.success ? parsed.data : null;
    },
  });
  const save = (): void => {
    writing = kept.save({ version: 1, ownerEpoch, slice: priv === null ? null : slice, priv });
  };

  return {
    get slice() {
      return slice;
    },
    get priv() {
      return priv;
    },
    get ownerEpoch() {
      return ownerEpoch;
    },
    patch(part) {
      slice = { ...slice, ...part };
      for (const key of Object.keys(part) as (keyof CallSlice)[]) {
        store.set(["call", key], structuredClone(slice[key]));
      }
      store.flush();
      save();
    },
    setPrivate(next) {
      priv = next;
      save();
    },
    keep(part) {
      if (priv === null) return;
      priv = { ...priv, ...part };
      save();
    },
    setOwnerEpoch(epoch) {
      ownerEpoch = epoch;
      save();
    },
    load: kept.load,
    saved: () => writing,
  };
}
