/**
 * The provider's protobuf messages, as far as the gateway uses them (package easemob.pb, SDK 4.21.1). A test compares every
 * number with the SDK's own descriptor.
 */
import type { AnyNestedObject, INamespace } from "protobufjs";

type FieldJson = {
  type: string;
  id: number;
  rule?: "repeated";
  options?: Record<string, unknown>;
};

/** One field per line: `name type number`. `*` before the type means repeated, `!` repeated and not packed. */
function fields(...lines: string[]): Record<string, FieldJson> {
  return Object.fromEntries(
    lines.map((line): [string, FieldJson] => {
      const [name = "", type = "", id = "0"] = line.split(" ");
      const mark = type[0];
      if (mark === "*") return [name, { rule: "repeated", type: type.slice(1), id: Number(id) }];
      if (mark === "!") {
        return [
          name,
          { rule: "repeated", type: type.slice(1), id: Number(id), options: { packed: false } },
        ];
      }
      return [name, { type, id: Number(id) }];
    }),
  );
}

const OS_TYPES = {
  OS_IOS: 0,
  OS_ANDROID: 1,
  OS_LINUX: 2,
  OS_OSX: 3,
  OS_WIN: 4,
  OS_CUSTOM: 5,
  OS_OTHER: 16,
};
const NETWORK_TYPES = {
  NETWORK_NONE: 0,
  NETWORK_WIFI: 1,
  NETWORK_4G: 2,
  NETWORK_3G: 3,
  NETWORK_2G: 4,
  NETWORK_WIRE: 5,
};

const messages: Record<string, AnyNestedObject> = {
  EncryptType: { values: { ENCRYPT_NONE: 0, ENCRYPT_AES_128_CBC: 1, ENCRYPT_AES_256_CBC: 2 } },
  JID: {
    fields: fields(
      "appKey string 1",
      "name string 2",
      "domain string 3",
      "clientResource string 4",
    ),
  },
  RedirectInfo: { fields: fields("host string 1", "port uint32 2") },
  Status: {
    fields: fields("errorCode ErrorCode 1", "reason string 2", "redirectInfo *RedirectInfo 3"),
    nested: {
      ErrorCode: {
        values: {
          OK: 0,
          FAIL: 1,
          UNAUTHORIZED: 2,
          MISSING_PARAMETER: 3,
          WRONG_PARAMETER: 4,
          REDIRECT: 5,
          TOKEN_EXPIRED: 6,
          PERMISSION_DENIED: 7,
          NO_ROUTE: 8,
          UNKNOWN_COMMAND: 9,
          PB_PARSER_ERROR: 10,
          BIND_ANOTHER_DEVICE: 11,
          IM_FORBIDDEN: 12,
          TOO_MANY_DEVICES: 13,
          PLATFORM_LIMIT: 14,
          USER_MUTED: 15,
          ENCRYPT_DISABLE: 16,
          ENCRYPT_ENABLE: 17,
          DECRYPT_FAILURE: 18,
          PERMISSION_DENIED_EXTERNAL: 19,
        },
      },
    },
  },
  KeyValue: {
    oneofs: { value: { oneof: ["varintValue", "floatValue", "doubleValue", "stringValue"] } },
    fields: fields(
      "key string 1",
      "type ValueType 2",
      "varintValue int64 3",
      "floatValue float 4",
      "doubleValue double 5",
      "stringValue string 6",
    ),
    nested: {
      ValueType: {
        values: {
          BOOL: 1,
          INT: 2,
          UINT: 3,
          LLINT: 4,
          FLOAT: 5,
          DOUBLE: 6,
          STRING: 7,
          JSON_STRING: 8,
        },
      },
    },
  },
  MSync: {
    fields: fields(
      "version Version 1",
      "guid JID 2",
      "auth string 3",
      "compressAlgorimth uint32 4",
      "crypto uint32 5",
      "userAgent string 6",
      "pov uint64 7",
      "command Command 8",
      "payload bytes 9",
      "deviceId uint32 10",
      "encryptType !EncryptType 11",
      "encryptKey string 12",
      "traceId uint64 20",
    ),
    nested: {
      Version: { values: { MSYNC_V1: 0, MSYNC_V2: 1 } },
      Command: { values: { SYNC: 0, UNREAD: 1, NOTICE: 2, PROVISION: 3, LOGOUT: 4 } },
    },
  },
  Provision: {
    fields: fields(
      "osType OsType 1",
      "version string 2",
      "networkType NetworkType 3",
      "appSign string 4",
      "compressType !CompressType 5",
      "encryptType !EncryptType 6",
      "encryptKey string 7",
      "status Status 8",
      "deviceUuid string 9",
      "isManualLogin bool 10",
      "password string 11",
      "deviceName string 12",
      "resource string 13",
      "auth string 14",
      "serviceId string 16",
      "actionVersion string 17",
      "authToken string 18",
      "osCustomValue uint32 19",
      "sessionId string 20",
      "reason string 21",
      "protocolCompressType *CompressType 22",
      "protocolCompressDirection CompressDirection 23",
    ),
    nested: {
      OsType: { values: OS_TYPES },
      NetworkType: { values: NETWORK_TYPES },
      CompressType: { values: { COMPRESS_NONE: 0, COMPRESS_ZLIB: 1, COMPRESS_LZ4: 2 } },
      CompressDirection: { values: { ONLY_UP: 0, ONLY_DOWN: 1, BI: 2 } },
    },
  },
  Logout: { fields: fields("sessionId string 1", "reason string 2", "status Status 3") },
  Meta: {
    fields: fields(
      "id uint64 1",
      "from JID 2",
      "to JID 3",
      "timestamp uint64 4",
      "ns NameSpace 5",
      "payload bytes 6",
      "routetype RouteType 7",
      "ext *KeyValue 8",
      "meta bytes 9",
      "directedUsers *string 10",
    ),
    nested: {
      NameSpace: {
        values: { STATISTIC: 0, CHAT: 1, MUC: 2, ROSTER: 3, CONFERENCE: 4, NOTIFY: 5, QUERY: 6 },
      },
      RouteType: { values: { ROUTE_ALL: 0, ROUTE_ONLINE: 1, ROUTE_DIRECT: 2 } },
    },
  },
  CommSyncUL: {
    fields: fields(
      "meta Meta 1",
      "key uint64 2",
      "queue JID 3",
      "isRoam bool 4",
      "lastFullRoamKey uint64 5",
    ),
  },
  CommSyncDL: {
    fields: fields(
      "status Status 1",
      "metaId uint64 2",
      "serverId uint64 3",
      "metas *Meta 4",
      "nextKey uint64 5",
      "queue JID 6",
      "isLast bool 7",
      "timestamp uint64 8",
      "isRoam bool 9",
    ),
  },
  CommNotice: { fields: fields("queue JID 1") },
  CommUnreadUL: { fields: {} },
  MetaQueue: { fields: fields("queue JID 1", "n uint32 2") },
  CommUnreadDL: { fields: fields("status Status 1", "unread *MetaQueue 2", "timestamp uint64 3") },
  StatisticsBody: {
    fields: fields(
      "operation Operation 1",
      "os OsType 2",
      "version string 3",
      "network NetworkType 4",
      "imTime uint32 5",
      "chatTime uint32 6",
      "location string 7",
      "reason string 10",
    ),
    nested: {
      Operation: {
        values: {
          INFORMATION: 0,
          USER_REMOVED: 1,
          USER_LOGIN_ANOTHER_DEVICE: 2,
          USER_KICKED_BY_CHANGE_PASSWORD: 3,
          USER_KICKED_BY_OTHER_DEVICE: 4,
        },
      },
      OsType: { values: OS_TYPES },
      NetworkType: { values: NETWORK_TYPES },
    },
  },
  MessageBody: {
    fields: fields(
      "type Type 1",
      "from JID 2",
      "to JID 3",
      "contents *Content 4",
      "ext *KeyValue 5",
      "ackMessageId uint64 6",
      "msgConfig MessageConfig 7",
      "ackContent string 8",
      "meta string 9",
      "editMessageId uint64 11",
      "editScope EditScope 12",
    ),
    nested: {
      Type: {
        values: {
          NORMAL: 0,
          CHAT: 1,
          GROUPCHAT: 2,
          CHATROOM: 3,
          READ_ACK: 4,
          DELIVER_ACK: 5,
          RECALL: 6,
          CHANNEL_ACK: 7,
          EDIT: 8,
        },
      },
      EditScope: { values: { BODY: 1, BODY_AND_EXT: 2 } },
      MessageConfig: { fields: fields("allowGroupAck bool 1") },
      Content: {
        fields: fields(
          "type Type 1",
          "text string 2",
          "latitude double 3",
          "longitude double 4",
          "address string 5",
          "displayName string 6",
          "remotePath string 7",
          "secretKey string 8",
          "fileLength int32 9",
          "action string 10",
          "params *KeyValue 11",
          "duration int32 12",
          "size Size 13",
          "thumbnailRemotePath string 14",
          "thumbnailSecretKey string 15",
          "thumbnailDisplayName string 16",
          "thumbnailFileLength int32 17",
          "thumbnailSize Size 18",
          "customEvent string 19",
          "customExts *KeyValue 20",
          "buildingName string 21",
          "subType SubType 22",
          "title string 23",
          "summary string 24",
          "combineLevel int32 25",
        ),
        nested: {
          Type: {
            values: {
              TEXT: 0,
              IMAGE: 1,
              VIDEO: 2,
              LOCATION: 3,
              VOICE: 4,
              FILE: 5,
              COMMAND: 6,
              CUSTOM: 7,
              COMBINE: 8,
            },
          },
          Size: { fields: fields("width double 1", "height double 2") },
          SubType: { values: { COMBINE: 0, GIF: 1, SUB_STREAM: 10 } },
        },
      },
    },
  },
};

// Edition 2023 tracks field presence: an explicit zero is sent, as in the provider's proto2. It also keeps unknown enum values
// and refuses invalid UTF-8.
const edition = "2023";

export const DESCRIPTOR: INamespace = {
  nested: {
    easemob: {
      nested: {
        pb: {
          nested: Object.fromEntries(
            Object.entries(messages).map(([name, json]) => [name, { edition, ...json }]),
          ),
        },
      },
    },
  },
};
