/**
 * What a server that mixes changes (docs/conferences.md#mixer-streams): a member sends its sound to the mixer, and gets the sound of all over
 * the same connection. Who publishes nothing gets it as the stream of the mixer itself.
 */
import {
  CONFERENCE_TYPE,
  MIX_STREAM_ID,
  STREAM_TYPE,
} from "../../../shared/domain/conference-types.ts";
import type { ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import type { ConferenceSlice } from "../../../shared/protocol/state.ts";
import type { KeptConference } from "./kept.ts";

/** What to receive of a stream. */
export interface Choice {
  readonly video: boolean;
  readonly audio: boolean;
}
type Asked = Pick<ConferenceStream, "id" | "type" | "hasVideo" | "hasAudio">;

const MIX: ConferenceStream = {
  id: MIX_STREAM_ID,
  memId: "",
  type: STREAM_TYPE.mixer,
  voff: 1,
  aoff: 0,
  hasVideo: false,
  hasAudio: true,
  sver: 1,
  vcodes: [],
  layers: [],
  resolution: null,
  ext: "",
};

/** The streams that no server lists: a live conference has that of its mixer. */
export const unlistedStreams = (kept: Pick<KeptConference, "mixes"> | null): ConferenceStream[] =>
  kept?.mixes === CONFERENCE_TYPE.live ? [MIX] : [];

/** The sound of a member's mixer stream is in the mix. Only the mix itself has sound to receive. */
export const hasSoundOfItsOwn = ({ id, type }: Pick<ConferenceStream, "id" | "type">): boolean =>
  type !== STREAM_TYPE.mixer || id === MIX_STREAM_ID;

/** The person's choice for a stream, otherwise what is received without one; null: nothing. */
export function choiceOf(
  kept: Pick<KeptConference, "chosen" | "autoSub"> | null,
  stream: Asked,
  local: Pick<ConferenceSlice["local"], "publishing">,
): Choice | null {
  const chosen = kept?.chosen[stream.id];
  if (chosen !== undefined) return chosen;
  if (stream.id === MIX_STREAM_ID) return local.publishing ? null : { video: false, audio: true };
  if (kept?.autoSub !== true) return null;
  const { hasVideo: video, hasAudio } = stream;
  const audio = hasAudio && hasSoundOfItsOwn(stream);
  return !audio && !video && hasAudio ? null : { video, audio };
}
