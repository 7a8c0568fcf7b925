/**
 * Encodes and decodes the provider's binary frames. Ids (uint64) are decimal strings on our side, because they do not fit a
 * double. Decoders throw on malformed bytes; the caller then closes the socket.
 */
import { readFileSync } from "node:fs";
import protobuf from "protobufjs";
// protobufjs also looks for Long itself. It is set explicitly because without it every id would silently lose its low digits.
import Long from "long";
import { sourcePath } from "../../../base/source-path.ts";

protobuf.util.Long = Long;
protobuf.configure();
/** The messages of chat.proto. */
export const chatProto = protobuf.parse(
  readFileSync(sourcePath("src/server/modules/chat/wire/chat.proto"), "utf8"),
  { keepCase: true },
).root;

export const COMMAND = { sync: 0, unread: 1, notice: 2, provision: 3, logout: 4 } as const;
export const NAMESPACE = { statistic: 0, chat: 1, muc: 2, roster: 3, notify: 5 } as const;
export const ROUTE = { all: 0, online: 1, direct: 2 } as const;
export const BODY = {
  chat: 1,
  groupChat: 2,
  chatRoom: 3,
  readAck: 4,
  deliverAck: 5,
  recall: 6,
  channelAck: 7,
  edit: 8,
} as const;
/** Operations of a group event (MUCBody). */
export const MUC = {
  create: 0,
  destroy: 1,
  apply: 4,
  applyAccept: 5,
  applyDecline: 6,
  invite: 7,
  inviteAccept: 8,
  inviteDecline: 9,
  kick: 10,
  unblock: 13,
  update: 14,
  presence: 17,
  absence: 18,
  directJoined: 19,
  assignOwner: 20,
  addAdmin: 21,
  removeAdmin: 22,
  addMute: 23,
  removeMute: 24,
  updateAnnouncement: 25,
  uploadFile: 27,
  deleteFile: 28,
  addAllowed: 29,
  removeAllowed: 30,
  muteAll: 31,
  unmuteAll: 32,
  attributes: 45,
} as const;
/** Operations of a RosterBody: asked, ended, in the list now, agreed, declined. */
export const ROSTER = { add: 2, remove: 3, accept: 4, remoteAccept: 8, remoteDecline: 9 } as const;
export const CONTENT = { text: 0, command: 6 } as const;
/** The type of a text among the key-value pairs of an ext. */
export const KEY_VALUE_STRING = 7;
export const STATUS = {
  ok: 0,
  fail: 1,
  unauthorized: 2,
  wrongParameter: 4,
  unknownCommand: 9,
  permissionDenied: 7,
} as const;
export const KICK = { removed: 1, otherLogin: 2, passwordChanged: 3, kicked: 4 } as const;
export const USER_DOMAIN = "easemob.com";
export const GROUP_DOMAIN = "conference.easemob.com";

export interface Jid {
  appKey?: string;
  name?: string;
  domain?: string;
  clientResource?: string;
}
export interface Status {
  errorCode: number;
  reason?: string;
}
export interface MSync {
  guid?: Jid;
  auth?: string;
  command: number;
  payload?: Uint8Array;
  encryptType?: number[];
}
export interface Provision {
  status?: Status;
  resource?: string;
  authToken?: string;
  sessionId?: string;
  protocolCompressType?: number[];
  deviceUuid?: string;
  osType?: number;
  version?: string;
}
export interface Meta {
  id: string;
  from?: Jid;
  to?: Jid;
  timestamp?: string;
  ns: number;
  payload?: Uint8Array;
  routetype?: number;
  ext?: unknown[];
  directedUsers?: string[];
}
export interface SyncUp {
  meta?: Meta;
  key?: string;
  queue?: Jid;
}
export interface SyncDown {
  status?: Status;
  metaId?: string;
  serverId?: string;
  metas?: Meta[];
  nextKey?: string;
  queue?: Jid;
  isLast?: boolean;
  timestamp?: string;
}
export interface Content {
  type: number;
  text?: string;
  action?: string;
  customEvent?: string;
}
export interface MessageBody {
  type: number;
  from?: Jid;
  to?: Jid;
  contents?: Content[];
  ext?: unknown[];
  ackMessageId?: string;
  ackContent?: string;
  meta?: string;
  editMessageId?: string;
}
export interface MucBody {
  mucId?: Jid;
  operation: number;
  from?: Jid;
  to?: Jid[];
  reason?: string;
  isChatroom?: boolean;
  mucName?: string;
  eventInfo?: { eventType?: number; ext?: string };
  mucMemberCount?: number;
  ext?: string;
}
export interface RosterBody {
  operation: number;
  from?: Jid;
  to?: Jid[];
  reason?: string;
}
export interface StatisticsBody {
  operation: number;
  reason?: string;
}
export interface UnreadDown {
  status?: Status;
  unread?: { queue?: Jid; n: number }[];
  timestamp?: string;
}

/** The bytes are not a valid message of the wire. */
export class MalformedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MalformedError";
  }
}

export interface Codec<T> {
  /** @throws Error when a field has the wrong type */
  encode(value: T): Uint8Array;
  /** @throws MalformedError */
  decode(bytes: Uint8Array): T;
}

function codec<T extends object>(name: string, defaults: Partial<T> = {}): Codec<T> {
  const type = chatProto.lookupType(`easemob.pb.${name}`);
  return {
    encode: (value) => type.encode(type.fromObject(value)).finish(),
    decode(bytes) {
      let plain: unknown;
      try {
        plain = type.toObject(type.decode(bytes), { longs: String });
      } catch (cause) {
        throw new MalformedError(`not a ${name}`, { cause });
      }
      // proto2 omits absent fields. Fields that the gateway always reads get their default here.
      return { ...defaults, ...(plain as T) };
    },
  };
}

export const MSyncCodec = codec<MSync>("MSync", { command: 0 });
export const ProvisionCodec = codec<Provision>("Provision");
export const MetaCodec = codec<Meta>("Meta", { id: "0", ns: 0 });
export const SyncUpCodec = codec<SyncUp>("CommSyncUL");
export const SyncDownCodec = codec<SyncDown>("CommSyncDL");
export const NoticeCodec = codec<{ queue?: Jid }>("CommNotice");
export const UnreadDownCodec = codec<UnreadDown>("CommUnreadDL");
export const MessageBodyCodec = codec<MessageBody>("MessageBody", { type: 0 });
export const MucBodyCodec = codec<MucBody>("MUCBody", { operation: 0 });
export const RosterBodyCodec = codec<RosterBody>("RosterBody", { operation: 0 });
export const StatisticsCodec = codec<StatisticsBody>("StatisticsBody", { operation: 0 });
export const LogoutCodec = codec<{ status?: Status }>("Logout");

/** The tag of CommSyncDL.metas: field 4, with a length. */
const METAS_TAG = (4 << 3) | 2;

/** Like the codec, but takes encoded metas, so that a message to many is encoded once. */
export function encodeSyncDown(
  value: Omit<SyncDown, "metas">,
  metas: readonly Uint8Array[],
): Uint8Array {
  const parts: Uint8Array[] = metas.flatMap((meta) => {
    const head = [METAS_TAG];
    let length = meta.length;
    for (; length > 127; length >>>= 7) head.push((length & 127) | 128);
    head.push(length);
    return [Uint8Array.from(head), meta];
  });
  return Buffer.concat([...parts, SyncDownCodec.encode(value)]);
}

/** A complete frame for the given command. */
export function frame(command: number, payload: Uint8Array): Uint8Array {
  return MSyncCodec.encode({ command, payload, encryptType: [0] });
}
