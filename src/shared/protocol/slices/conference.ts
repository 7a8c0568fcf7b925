/** The conference that this person is in. */
import { z } from "../../zod.ts";
import { CONFERENCE_CONNECTION_STATES, CONFERENCE_STATES } from "../../domain/conference-states.ts";
import { DEVICE_STATES } from "../../domain/device-states.ts";
import { cameraControlSchema, cameraStateSchema } from "../confr-camera.ts";
import { confrMemberSchema, confrStreamSchema, layerSchema } from "../confr-model.ts";
import { conferenceTypeSchema } from "../confr-model.ts";
import { conferenceSignalSchema } from "./conference-signals.ts";
import { controlViewSchema } from "../remote-control.ts";
import { ownRecordingSchema } from "../confr-recording.ts";

/** A stream of a conference as every tab shows it. */
export const confrStreamViewSchema = confrStreamSchema.extend({
  /** Published by this person. */
  located: z.boolean(),
  /** What is subscribed; for an own stream, what is sent. */
  video: z.boolean(),
  audio: z.boolean(),
  layer: layerSchema,
  connection: z.enum(CONFERENCE_CONNECTION_STATES),
  /** The connection that carries it here; absent and null: none. */
  rtcId: z.string().nullable().optional(),
  talking: z.boolean(),
  /** 2 good, 1 poor, 0 disconnected. */
  quality: z.union([z.literal(0), z.literal(1), z.literal(2)]),
  /** What this person has made of the camera, for an own stream what others have. */
  ...cameraStateSchema.shape,
});
export type ConferenceStreamView = z.infer<typeof confrStreamViewSchema>;

export const conferenceSliceSchema = z.object({
  status: z.enum(CONFERENCE_STATES),
  info: z
    .object({
      confrId: z.string(),
      name: z.string(),
      type: conferenceTypeSchema,
      isCreator: z.boolean(),
    })
    .nullable(),
  self: confrMemberSchema.nullable(),
  /** All members including oneself, by memId. */
  members: z.record(z.string(), confrMemberSchema),
  streams: z.record(z.string(), confrStreamViewSchema),
  /** Whether screens can be shared. At the cloud an account has one picture (docs/calls.md#group-calls-by-agora). */
  screens: z.boolean(),
  cver: z.number().int(),
  attrs: z.record(z.string(), z.string()),
  muteAll: z.boolean(),
  /** While all are muted: they may unmute themselves. */
  mayUnmute: z.boolean(),
  /** An admin muted this member individually. */
  mutedByAdmin: z.boolean(),
  /** Requests that an admin may answer, by id. */
  requests: z.record(
    z.string(),
    z.object({
      id: z.string(),
      kind: z.enum(["talker", "admin"]),
      memId: z.string(),
      nickName: z.string(),
      at: z.number(),
    }),
  ),
  /** The own request that has no answer yet. */
  asked: z.enum(["talker", "admin"]).nullable(),
  /** The outcome of the last request; after `late` and `lost` the person may ask again. */
  reply: z
    .object({
      id: z.string(),
      kind: z.enum(["talker", "admin"]),
      result: z.enum(["agreed", "refused", "late", "lost"]),
    })
    .nullable(),
  /** In-call texts, oldest first, at most 200. */
  messages: z.array(
    z.object({
      id: z.string(),
      from: z.string(),
      nickName: z.string(),
      to: z.string().nullable(),
      text: z.string(),
      at: z.number(),
      mine: z.boolean(),
    }),
  ),
  /** What this person records. Recordings of others are marked at their members. */
  recording: ownRecordingSchema.nullable(),
  owner: z.object({ tabId: z.string(), epoch: z.number().int(), ready: z.boolean() }).nullable(),
  local: z.object({
    audioMuted: z.boolean(),
    /** The microphone is closed until the person turns it on. */
    audioOff: z.boolean(),
    videoOff: z.boolean(),
    microphone: z.enum(DEVICE_STATES),
    camera: z.enum(DEVICE_STATES),
    /** Others may control the own camera. */
    cameraControl: z.boolean(),
    /** A screen is being shared. */
    sharing: z.boolean(),
    /** The person wants to publish what is on; it is published again after every loss. */
    publishing: z.boolean(),
  }),
  /** What happened and is no state, oldest first. They outlive the conference. */
  signals: z.array(conferenceSignalSchema),
  /** Control of shared screens. */
  control: controlViewSchema,
  /** The last control of the own camera by another member. */
  cameraControlled: z
    .object({
      id: z.string(),
      memId: z.string(),
      kind: z.enum(cameraControlSchema.options.map(({ shape }) => shape.kind.value)),
    })
    .nullable(),
  startedAt: z.number().nullable(),
  /** How the last one ended: a reason of END_REASON or CONFR_END, and whether it was a failure. */
  lastExit: z
    .object({
      confrId: z.string(),
      name: z.string(),
      reason: z.number().int(),
      failed: z.boolean(),
      at: z.number(),
    })
    .nullable(),
});
export type ConferenceSlice = z.infer<typeof conferenceSliceSchema>;
