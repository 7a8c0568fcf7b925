/** The call of two people. */
import { z } from "../../zod.ts";
import { DEVICE_STATES } from "../../domain/device-states.ts";
import { PICTURE_LEVELS } from "../../domain/picture-levels.ts";
import { CALL_STATES } from "../../domain/call-states.ts";
import { callMediaSchema } from "../call-message.ts";
import { ownCallSchema } from "../rest/own-calls.ts";

export const shownConnectionSchema = z.enum([
  "none",
  "connecting",
  "connected",
  "weak",
  "restarting",
  "failed",
]);
export type ShownConnection = z.infer<typeof shownConnectionSchema>;

export const callSliceSchema = z.object({
  status: z.enum(CALL_STATES),
  direction: z.enum(["out", "in"]).nullable(),
  info: z
    .object({
      confrName: z.string(),
      channel: z.string(),
      callId: z.string(),
      type: z.union([z.literal(1), z.literal(2)]),
      media: callMediaSchema,
      fromUser: z.string(),
      toUser: z.string(),
    })
    .nullable(),
  peer: z.object({ userName: z.string(), name: z.string() }).nullable(),
  /** ms since the epoch when the call reached `chat`; the duration is the wall clock minus this. */
  startedAt: z.number().nullable(),
  /** When the running ring, answer or confirm timeout ends, ms since the epoch. */
  deadline: z.number().nullable(),
  /** The tab in which the person dialled or answered; it shows the call's window large. */
  gestureTab: z.string().nullable().default(null),
  /** The tab that shows the system's notification of a ring: the visible one, else the one that had the focus last. */
  ringTab: z.string().nullable().default(null),
  local: z.object({
    audioMuted: z.boolean(),
    videoOff: z.boolean(),
    /** Which devices could be opened; a call without a camera continues with voice. */
    hasAudio: z.boolean(),
    hasVideo: z.boolean(),
    /** Why a device does not work, for the window; absent before the devices were opened. */
    microphone: z.enum(DEVICE_STATES).optional(),
    camera: z.enum(DEVICE_STATES).optional(),
    /** What a weak network leaves of the own picture; absent: all of it. */
    picture: z.enum(PICTURE_LEVELS).optional(),
  }),
  remote: z.object({
    audioMuted: z.boolean(),
    videoOff: z.boolean(),
    picture: z.enum(PICTURE_LEVELS).optional(),
  }),
  /** The owner: the tab that holds the devices and connections. */
  owner: z.object({ tabId: z.string(), epoch: z.number().int(), ready: z.boolean() }).nullable(),
  connection: shownConnectionSchema,
  /** Set once per direction by the call monitor; cleared when data flows again. */
  noData: z.object({ local: z.boolean(), remote: z.boolean() }),
  /** How the last call ended, for the window that has just closed. */
  lastOutcome: z
    .object({
      callId: z.string(),
      outcome: z.string(),
      /** ms, null when it never connected */
      duration: z.number().nullable(),
      at: z.number(),
    })
    .nullable(),
  /** A call that this person has on another device; absent before the server was asked. */
  elsewhere: ownCallSchema.nullable().optional(),
});
export type CallSlice = z.infer<typeof callSliceSchema>;
