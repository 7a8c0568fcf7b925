/** What the next core needs in order to continue a conference: how to enter it again, and what the person wants of it. */
import { z } from "../../../shared/zod.ts";
import { conferenceTypeSchema } from "../../../shared/protocol/confr-model.ts";
import { keptRecordingSchema } from "../../../shared/protocol/confr-recording.ts";
import { rtcCfgSchema, ticketSchema } from "../../../shared/protocol/rest/rtc.ts";
import { agoraAccessSchema } from "../../../shared/protocol/media-port.ts";
import { videoCodecsSchema } from "../../../shared/protocol/confr-model.ts";
import { publicationSchema } from "../../../shared/protocol/confr-publish.ts";
import type { CoreEnv } from "../contracts.ts";
import { withPresentNames } from "../former-names.ts";
import { createKeptState, type KeptState } from "../kept-state.ts";

export const CONFERENCE_KEY = "conference";

export const keptSchema = z.object({
  version: z.literal(1),
  accountId: z.string(),
  me: z.string(),
  nickName: z.string(),
  ext: z.string(),
  confrId: z.string(),
  name: z.string(),
  type: conferenceTypeSchema,
  /** Set where the server mixes (docs/conferences.md#mixer-streams): how it says to publish and subscribe. */
  mixes: z.union([z.literal(11), z.literal(12)]).optional(),
  isCreator: z.boolean(),
  password: z.string(),
  ticket: ticketSchema,
  rtcCfg: rtcCfgSchema,
  sessId: z.string().nullable(),
  roleToken: z.string().nullable(),
  autoSub: z.boolean(),
  publishing: z.boolean(),
  /** Others may control the own camera. */
  cameraControl: z.boolean().optional(),
  codecs: videoCodecsSchema.optional(),
  /** The `ext` that is published with the camera stream. */
  pubExt: z.string().default(""),
  /** How own streams are published, by type; a type without an entry has the defaults. */
  publications: z.record(z.string(), publicationSchema).optional(),
  audioMuted: z.boolean(),
  audioOff: z.boolean().default(false),
  videoOff: z.boolean(),
  /** Ids of the own streams by type, so that they are published again under the same ids. */
  streams: z.record(z.string(), z.string()),
  /** What the person chose for a stream; null: nothing of it. Other streams follow autoSub. */
  chosen: z
    .record(z.string(), z.object({ video: z.boolean(), audio: z.boolean() }).nullable())
    .default({}),
  /** Established connections by key, with the version of their stream. The owner tab may still have them. */
  connections: z
    .record(z.string(), z.object({ rtcId: z.string(), sver: z.number().int() }))
    .default({}),
  /** What this person records. */
  recording: keptRecordingSchema.nullable().default(null),
  startedAt: z.number().nullable(),
  ownerEpoch: z.number().int(),
  /** The channel of the cloud that carries the media. Absent: the media node carries them. */
  cloud: agoraAccessSchema.optional(),
});
export type KeptConference = z.infer<typeof keptSchema>;

/** The current conference. Every change is stored. */
export interface ConferenceRecord {
  readonly now: KeptConference | null;
  begin(kept: KeptConference): void;
  patch(part: Partial<KeptConference>): void;
  /** The person leaves: no later core continues the conference. Resolves when that is stored. */
  forget(): Promise<void>;
  end(): void;
}

export function createRecord(keeper: Pick<KeptState<KeptConference>, "save">): ConferenceRecord {
  let now: KeptConference | null = null;
  let forgotten = false;
  return {
    get now() {
      return now;
    },
    begin(kept) {
      now = kept;
      forgotten = false;
      void keeper.save(now);
    },
    patch(part) {
      if (now === null) return;
      now = { ...now, ...part };
      if (!forgotten) void keeper.save(now);
    },
    forget() {
      forgotten = true;
      return keeper.save(null);
    },
    end() {
      now = null;
      void keeper.save(null);
    },
  };
}

export const createKeeper = (
  env: Pick<CoreEnv, "kv" | "clock" | "log">,
): KeptState<KeptConference> =>
  createKeptState(env, {
    key: CONFERENCE_KEY,
    scope: "conferences",
    what: "the conference",
    read: (stored) => {
      const parsed = keptSchema.safeParse(withPresentNames(stored, { links: "connections" }));
      return parsed.success ? parsed.data : null;
    },
  });
