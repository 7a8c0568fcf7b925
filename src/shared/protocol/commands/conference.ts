/** Conferences. */
import { z } from "../../zod.ts";
import { cameraControlSchema, cameraStateSchema } from "../confr-camera.ts";
import { confrRoleSchema, streamTypeSchema, videoCodecsSchema } from "../confr-model.ts";
import { confrLimitsSchema, knownConferenceSchema } from "../rest/confr.ts";
import { groupIdSchema } from "../group-model.ts";
import { chatUserNameSchema } from "../rest/entities.ts";
import { conferenceTypeSchema } from "../confr-model.ts";
import { ticketSchema, useVCodesSchema } from "../rest/rtc.ts";
import {
  captureSourcesSchema,
  publishSettingsSchema,
  trackConstraintsSchema,
} from "../confr-publish.ts";
import { annotationCommands } from "./annotations.ts";
import { command, done, inCompany, messageText, none } from "./command.ts";
import { conferenceControlCommands } from "./conference-control.ts";
import { recordingCommands } from "./recording.ts";

/** How a member enters: what it publishes and subscribes to automatically. */
const confrEntry = {
  nickName: z.string().max(64).default(""),
  ext: z.string().max(4096).default(""),
  /** Publish camera and microphone after entering; an audience member does not. */
  publish: z.boolean().default(true),
  audioMuted: z.boolean().default(false),
  videoOff: z.boolean().default(false),
  /** Subscribe to every published stream. */
  autoSub: z.boolean().default(true),
  /** Others may control the own camera. Left out: no. */
  cameraControl: z.boolean().optional(),
  /** Left out when the browser cannot be asked. */
  codecs: videoCodecsSchema.optional(),
};
/** What goes into the requests for a conference and for a ticket as it is. */
const confrWishes = {
  rec: z.boolean().optional(),
  recMerge: z.boolean().optional(),
  /** The codecs of the conference, best first. */
  useVCodes: useVCodesSchema.optional(),
};
const roleToken = z.string().min(1).max(4096);
/** The conference that was entered, and as what. */
const enteredSchema = z.object({
  confrId: z.string(),
  type: conferenceTypeSchema,
  isCreator: z.boolean(),
  /** The own member. */
  joinId: z.string(),
  role: confrRoleSchema,
});
const confrMems = z.array(z.string().min(1).max(64)).min(1).max(100);

export const conferenceCommands = {
  /** Creates a conference and joins it as its admin. */
  create: inCompany(
    command(
      z.object({
        type: conferenceTypeSchema.default(10),
        name: z.string().trim().min(1).max(64),
        password: z.string().max(64).default(""),
        limits: confrLimitsSchema.default({}),
        liveCfg: z.record(z.string(), z.unknown()).optional(),
        ...confrWishes,
        ...confrEntry,
      }),
      enteredSchema,
    ),
  ),
  /** Joins an existing conference by its id. */
  join: command(
    z.object({
      confrId: z.string().min(1).max(64),
      password: z.string().max(64).default(""),
      role: confrRoleSchema.optional(),
      /** Of this conference, from somebody who was inside: it stands for the password. */
      roleToken: roleToken.optional(),
      ...confrWishes,
      ...confrEntry,
    }),
    enteredSchema,
  ),
  /** Makes or joins a conference by its name (docs/conferences.md#getting-in). */
  joinRoom: command(
    z.object({
      roomName: z.string().trim().min(1).max(64),
      password: z.string().min(1).max(64),
      role: confrRoleSchema,
      limits: confrLimitsSchema.default({}),
      ...confrWishes,
      ...confrEntry,
    }),
    enteredSchema,
  ),
  joinWithTicket: command(
    /** confrId: the conference that the caller means; it must match the ticket's. */
    z.object({ confrId: z.string().optional(), ticket: ticketSchema, ...confrEntry }),
    enteredSchema,
  ),
  /** close: end the conference for all members (admins only). */
  exit: command(z.object({ close: z.boolean().default(false) }), done),
  /** Publishes camera and microphone (0), or the screen that this tab has just been granted (1). Without an owner, the calling tab becomes it. */
  publish: command(
    z.object({
      /** 2: camera and microphone are published as a mixer stream. */
      type: streamTypeSchema.default(0),
      audioMuted: z.boolean().optional(),
      videoOff: z.boolean().optional(),
      ext: z.string().max(4096).default(""),
      settings: publishSettingsSchema.optional(),
      /** Types 0 and 2. Own tracks are those that the calling tab has just provided; then it becomes the owner. */
      sources: captureSourcesSchema.optional(),
    }),
    z.object({ streamId: z.string() }),
  ),
  /** The own device was asked for this, beside what `publish` asked for. Devices that open later are asked for it too. */
  constrain: command(
    z.object({ kind: z.enum(["audio", "video"]), constraints: trackConstraintsSchema }),
    done,
  ),
  unpublish: command(z.object({ streamId: z.string() }), done),
  subscribe: command(
    z.object({ streamId: z.string(), video: z.boolean(), audio: z.boolean() }),
    done,
  ),
  unsubscribe: command(z.object({ streamId: z.string() }), done),
  setLocal: command(
    z.object({
      audioMuted: z.boolean().optional(),
      videoOff: z.boolean().optional(),
      /** The person turns a device on: open it (again if that failed before) and publish it. */
      publish: z.literal(true).optional(),
    }),
    done,
  ),
  /** Controls another member's camera. Resolves with its state after that, and with the picture of a capture as a data URL. */
  controlCamera: command(
    z.object({ streamId: z.string(), control: cameraControlSchema }),
    cameraStateSchema.extend({ picture: z.string().nullable() }),
  ),
  /** Whether others may control the own camera from now on. */
  allowCameraControl: command(z.object({ on: z.boolean() }), done),
  /** Ends the zoom, torch and freeze of the own camera that another member began. */
  restoreCamera: command(none, done),
  grantRole: command(z.object({ memIds: confrMems, role: confrRoleSchema }), done),
  degradeRole: command(z.object({ memIds: confrMems, role: confrRoleSchema }), done),
  kick: command(z.object({ memIds: confrMems }), done),
  /** mayUnmute: the members may unmute themselves. */
  muteAll: command(z.object({ on: z.boolean(), mayUnmute: z.boolean().optional() }), done),
  muteMember: command(z.object({ memId: z.string(), on: z.boolean() }), done),
  /** Raises or lowers the own hand. With `memIds` an admin lowers the hands of these members. */
  hand: command(
    z.object({ up: z.boolean(), memIds: z.array(z.string().min(1).max(64)).min(1).optional() }),
    done,
  ),
  /** Asks the admins for a role. Resolves when the request is sent; the answer appears in the slice. */
  request: command(z.object({ kind: z.enum(["talker", "admin"]) }), done),
  answerRequest: command(z.object({ id: z.string(), agree: z.boolean() }), done),
  setAttrs: command(z.object({ key: z.string().min(1).max(64), val: z.string().max(4096) }), done),
  deleteAttrs: command(z.object({ key: z.string().min(1).max(64) }), done),
  /** Live streams of a mixed conference. What a configuration and a region hold is the platform's. */
  addLive: command(z.object({ liveCfg: z.record(z.string(), z.unknown()) }), done),
  updateLive: command(
    z.object({ liveId: z.string().min(1).max(64), regions: z.array(z.unknown()).max(100) }),
    done,
  ),
  deleteLive: command(z.object({ liveId: z.string().min(1).max(64) }), done),
  sendMessage: command(z.object({ text: messageText(2000), to: z.string().optional() }), done),
  ...recordingCommands,
  /** Moves the media to the calling tab because the person asked for it. */
  bringHere: command(none, done),
  /** Inside the conference its own role token stands for one that is left out. */
  select: command(
    z.object({
      confrId: z.string().min(1).max(64),
      password: z.string().max(64).optional(),
      roleToken: roleToken.optional(),
    }),
    knownConferenceSchema,
  ),
  ...annotationCommands,
  /** Sends an invitation as a chat text: once to the group, and to each of the people. */
  invite: command(
    z
      .object({
        userNames: z.array(chatUserNameSchema).max(50).default([]),
        groupId: groupIdSchema.optional(),
      })
      .refine(({ userNames, groupId }) => userNames.length > 0 || groupId !== undefined),
    done,
  ),
  ...conferenceControlCommands,
} as const;
