/** The conference as the library's users see it. It copies the core's slice, so that two views can be compared. */
import type { ConferenceMember } from "../../shared/protocol/confr-model.ts";
import type { ConferenceSlice, ConferenceStreamView } from "../../shared/protocol/state.ts";
import type { Member, Stream, TextMessage } from "./contracts.ts";

export interface View {
  readonly status: ConferenceSlice["status"];
  readonly confrId: string | null;
  readonly self: Member | null;
  readonly members: ReadonlyMap<string, Member>;
  readonly streams: ReadonlyMap<string, Stream>;
  readonly attrs: ReadonlyMap<string, string>;
  readonly muteAll: boolean;
  readonly mutedByAdmin: boolean;
  readonly cameraControlled: ConferenceSlice["cameraControlled"];
  readonly requests: ReadonlyMap<string, ConferenceSlice["requests"][string]>;
  readonly reply: ConferenceSlice["reply"];
  readonly messages: readonly TextMessage[];
  readonly control: ConferenceSlice["control"];
  readonly lastExit: ConferenceSlice["lastExit"];
}

const memberOf = (member: ConferenceMember): Member => ({
  id: member.memId,
  memName: member.memName,
  nickName: member.nickName,
  role: member.role,
  ext: member.ext,
  vcodes: [...member.vcodes],
  acptOps: [...member.acptOps],
  recordingSince: member.recording ?? null,
});

function streamOf(stream: ConferenceStreamView, owner: Member | null): Stream {
  const { located } = stream;
  return {
    id: stream.id,
    memId: stream.memId,
    owner,
    type: stream.type,
    voff: stream.voff,
    aoff: stream.aoff,
    hasVideo: stream.hasVideo,
    hasAudio: stream.hasAudio,
    sver: stream.sver,
    vcodes: [...stream.vcodes],
    ext: stream.ext,
    resolution: stream.resolution === null ? null : { ...stream.resolution },
    subArgs: { subSVideo: stream.video, subSAudio: stream.audio },
    talking: stream.talking,
    quality: stream.quality,
    rtcId: stream.rtcId ?? null,
    torch: stream.torch,
    freezeFrame: stream.freezeFrame,
    zoom: stream.zoom,
    located: () => located,
  };
}

/** A copy without the proxies of the mirror, which cannot be cloned. */
const copied = <T extends object>(value: T | null): T | null =>
  value === null ? null : { ...value };
const controlOf = ({ able, screen, own, ended, freed }: ConferenceSlice["control"]) => ({
  able,
  screen: { ...screen, by: copied(screen.by) },
  own: { ...own, of: copied(own.of) },
  ended: copied(ended),
  freed: freed === null ? null : { ...freed, counts: { ...freed.counts } },
});

export function viewOf(slice: ConferenceSlice): View {
  const members = new Map(
    Object.values(slice.members).map((member) => [member.memId, memberOf(member)]),
  );
  return {
    status: slice.status,
    confrId: slice.info?.confrId ?? null,
    self: slice.self === null ? null : memberOf(slice.self),
    members,
    streams: new Map(
      Object.values(slice.streams).map((stream) => [
        stream.id,
        streamOf(stream, members.get(stream.memId) ?? null),
      ]),
    ),
    attrs: new Map(Object.entries(slice.attrs)),
    muteAll: slice.muteAll,
    mutedByAdmin: slice.mutedByAdmin,
    cameraControlled: slice.cameraControlled === null ? null : { ...slice.cameraControlled },
    requests: new Map(Object.entries(slice.requests).map(([id, one]) => [id, { ...one }])),
    reply: slice.reply === null ? null : { ...slice.reply },
    messages: slice.messages.map((message) => ({ ...message })),
    control: controlOf(slice.control),
    lastExit: slice.lastExit === null ? null : { ...slice.lastExit },
  };
}
