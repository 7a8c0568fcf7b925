/** What the messages of a conference's signalling consist of: ids, descriptions, candidates, members, arguments (confr-signalling.ts). */
import { z } from "../zod.ts";
import {
  confrAttrSchema,
  type ConferenceMember,
  confrRoleSchema,
  confrStateSchema,
  confrStreamSchema,
  extSchema,
  flagSchema,
  streamTypeSchema,
  type VideoCodec,
  videoCodecSchema,
} from "./confr-model.ts";
import type { Candidate } from "./signalling.ts";

export const tsxId = z.string().min(1).max(64);
export const sessId = z.string().min(1).max(64);
export const rtcId = z.string().min(1).max(64);
export const memId = z.string().min(1).max(64);
export const streamId = z.string().min(1).max(64);
export const cctx = z.string().max(64).optional();
export const result = z.number().int();
/** END_REASON, or CONFR_END.kicked. */
export const exitReason = z.number().int();
export const cver = z.number().int().nonnegative();

const textOf = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
};
const descriptionSchema = z.object({
  type: z.enum(["OFFER", "ANSWER"]),
  sdp: z.string().min(1).max(200_000),
});
export type MediaDescription = z.infer<typeof descriptionSchema>;
/** @returns null for a text that is not the JSON of a description */
export const readDescription = (text: string): MediaDescription | null =>
  descriptionSchema.safeParse(textOf(text)).data ?? null;
export const writeDescription = (description: MediaDescription): string =>
  JSON.stringify(description);
/** A session description as a JSON text. */
export const sdp = z
  .string()
  .max(400_000)
  .refine((text) => readDescription(text) !== null, "not JSON of a description");

const wireCandidateSchema = z.object({
  candidate: z.string().max(2000),
  mid: z.string().max(64).nullish(),
  mlineindex: z.number().int().min(0).max(64).nullish(),
});
/** @returns the candidates; a text that is none is left out */
export const readCandidates = (texts: readonly string[]): Candidate[] =>
  texts.flatMap((text) => {
    const { data } = wireCandidateSchema.safeParse(textOf(text));
    if (data === undefined) return [];
    const { candidate, mid = null, mlineindex = null } = data;
    return [{ candidate, sdpMid: mid, sdpMLineIndex: mlineindex }];
  });
export const writeCandidates = (cands: readonly Candidate[]): string[] =>
  cands.map(({ candidate, sdpMid = null, sdpMLineIndex = null }) =>
    JSON.stringify({ type: "candidate", candidate, mlineindex: sdpMLineIndex, mid: sdpMid }),
  );
/** Each candidate is a JSON text. */
export const cands = z.array(z.string().max(3000)).max(100);

/** A client may name more codecs than the media node knows. */
const knownCodecs = z
  .array(z.string().max(32))
  .max(16)
  .transform((all) => all.filter((one) => videoCodecSchema.safeParse(one).success) as VideoCodec[]);
/** What a client can do: the ops that it accepts from other members, and the codecs that it decodes; none named means all. */
export const resSchema = z.object({
  ops: z.array(z.number().int()).max(64).default([]),
  vcodes: knownCodecs.default([]),
});
/** A member on the wire. Our own beside the specification's fields: `muted`, `hand`, `recording`, `free`. */
export const wireMemberSchema = z.object({
  id: memId,
  name: z.string().max(64),
  nickName: z.string().max(64).default(""),
  role: confrRoleSchema,
  ext: extSchema.default(""),
  /** The same as in `res`: clients read either. */
  vcodes: knownCodecs.default([]),
  res: resSchema.default({ ops: [], vcodes: [] }),
  muted: z.boolean().optional(),
  hand: z.number().optional(),
  recording: z.number().optional(),
  free: z.boolean().optional(),
});
export type WireMember = z.infer<typeof wireMemberSchema>;

export function toWire({ memId: id, memName: name, acptOps, vcodes, ...rest }: ConferenceMember) {
  return { id, name, ...rest, vcodes, res: { ops: acptOps, vcodes } } satisfies WireMember;
}
export function memberOf({ id, name, res, vcodes, ...rest }: WireMember): ConferenceMember {
  const codecs = res.vcodes.length > 0 ? res.vcodes : vcodes;
  return { memId: id, memName: name, ...rest, acptOps: res.ops, vcodes: codecs };
}

/** The whole conference, as the answer to enter and copy carries it. */
export const snapshot = {
  mems: z.array(wireMemberSchema),
  streams: z.array(confrStreamSchema),
  cver,
  cattrs: z.array(confrAttrSchema),
  cstate: confrStateSchema,
};

const controlArgSchema = z.looseObject({ op2: z.number().int().optional() });
export type ControlArg = z.infer<typeof controlArgSchema>;
/** @returns null for a text that is not JSON of an object */
export function readArg(text: string): ControlArg | null {
  try {
    return controlArgSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
/** Content of a message between two members (ops 1001, 1002): a JSON text. The server forwards it unchanged. */
const argUpTo = (length: number) =>
  z
    .string()
    .max(length)
    .refine((text) => readArg(text) !== null, "not JSON of an object");
export const arg = argUpTo(200_000);
/** The answer to a capture is a picture in base64. */
export const answerArg = argUpTo(2_000_000);

/** What a client wants to publish. */
export const pubSchema = z.object({
  /** Set to publish an existing stream again (camera switched, connection rebuilt, another tab); left out for a new stream. */
  id: streamId.optional(),
  type: streamTypeSchema,
  voff: flagSchema.default(0),
  aoff: flagSchema.default(0),
  /** Codecs in order of preference, best first. */
  vcodes: z
    .array(z.string().max(32))
    .max(16)
    .default(["VP8", "H264"])
    // A client may know more codecs than the media nodes do.
    .transform((names) =>
      videoCodecSchema.options
        .filter((codec) => names.includes(codec))
        .sort((a, b) => names.indexOf(a) - names.indexOf(b)),
    ),
  resolution: z.object({ w: z.number().int(), h: z.number().int() }).nullable().default(null),
  ext: extSchema.default(""),
});
