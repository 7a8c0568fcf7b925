/** For tests: handmade packets, a recording transport and descriptions like a browser's. */
import type { TransportParams, WrittenSection } from "../sdp/write.ts";
import type { OpenTransport, TransportEvents } from "./transport.ts";

export const FINGERPRINT = `sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`;

export interface FakeTransport {
  readonly name: string;
  readonly events: TransportEvents;
  readonly sent: { readonly mid: string; readonly packet: Buffer }[];
  readonly candidates: string[];
  remote: string;
  /** The sections that the last offer asked it to send. */
  sending: readonly WrittenSection[];
  /** How many offers it has answered. */
  accepted: number;
  closed: boolean;
}

/** Transports that record what they send. Setting `fail` makes them refuse descriptions. */
export function createFakeTransports(): {
  readonly open: OpenTransport;
  readonly all: FakeTransport[];
  readonly get: (name: string) => FakeTransport;
  fail: boolean;
} {
  const all: FakeTransport[] = [];
  const own: TransportParams = {
    ufrag: "node",
    pwd: "p".repeat(22),
    fingerprint: FINGERPRINT,
    setup: "active",
    candidates: ["candidate:1 1 UDP 1 192.0.2.9 7000 typ host"],
  };
  const fakes = {
    all,
    fail: false,
    get(name: string): FakeTransport {
      const found = all.findLast((t) => t.name === name);
      if (found === undefined) throw new Error(`no transport ${name}`);
      return found;
    },
    open: ((name, events) => {
      const fake: FakeTransport = {
        name,
        events,
        sent: [],
        candidates: [],
        remote: "",
        sending: [],
        accepted: 0,
        closed: false,
      };
      all.push(fake);
      const describe = async (): Promise<TransportParams> => {
        await Promise.resolve();
        if (fakes.fail) throw new Error("refused by the library");
        return own;
      };
      return {
        accept(offer, sending = []) {
          fake.remote = offer;
          fake.sending = sending;
          fake.accepted += 1;
          return describe();
        },
        addCandidate: (candidate) => void fake.candidates.push(candidate),
        send(mid, packet) {
          if (fake.closed) return false;
          fake.sent.push({ mid, packet });
          return true;
        },
        close() {
          fake.closed = true;
        },
      };
    }) satisfies OpenTransport,
  };
  return fakes;
}

export const LEVEL_ID = 1;

export function rtp(fields: {
  readonly ssrc: number;
  readonly sequence: number;
  readonly timestamp?: number;
  readonly payloadType?: number;
  readonly payload?: readonly number[];
  /** The level of its sound, in a header extension with the id of browserOffer. */
  readonly level?: number;
}): Buffer {
  const { level } = fields;
  const extension =
    level === undefined ? [] : [0xbe, 0xde, 0, 1, (LEVEL_ID << 4) | 0, level & 0x7f, 0, 0];
  const payload = Buffer.from([...extension, ...(fields.payload ?? [1, 2, 3])]);
  const b = Buffer.alloc(12 + payload.length);
  b.writeUInt8(level === undefined ? 0x80 : 0x90, 0);
  b.writeUInt8(fields.payloadType ?? 96, 1);
  b.writeUInt16BE(fields.sequence & 0xffff, 2);
  b.writeUInt32BE((fields.timestamp ?? 0) >>> 0, 4);
  b.writeUInt32BE(fields.ssrc >>> 0, 8);
  payload.copy(b, 12);
  return b;
}

/** A VP8 payload with a 15-bit picture id. */
export const vp8 = (pictureId: number, key: boolean): number[] => [
  0x90,
  0x80,
  0x80 | (pictureId >> 8),
  pictureId & 0xff,
  key ? 0 : 1,
  0,
  0,
];

const H264 = "level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f";

export const SSRC = { audio: 11, high: 22, low: 33 } as const;

/** A shortened browser offer, including parts that the node must leave out. */
export function browserOffer(options: {
  readonly audio?: boolean;
  readonly videos?: number;
  readonly extra?: readonly string[];
}): string {
  const { audio = true, videos = 1, extra = [] } = options;
  const ice = [
    "a=ice-ufrag:abcd",
    `a=ice-pwd:${"x".repeat(24)}`,
    "a=ice-options:trickle",
    `a=fingerprint:${FINGERPRINT}`,
    "a=setup:actpass",
  ];
  const mids = [
    ...(audio ? ["0"] : []),
    ...Array.from({ length: videos }, (_, i) => String(i + 1)),
  ];
  const lines = [
    "v=0",
    "o=- 46117 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    `a=group:BUNDLE ${mids.join(" ")}`,
    "a=extmap-allow-mixed",
    "a=msid-semantic: WMS s",
  ];
  if (audio) {
    lines.push(
      "m=audio 9 UDP/TLS/RTP/SAVPF 111 63 0",
      "c=IN IP4 0.0.0.0",
      ...ice,
      "a=mid:0",
      `a=extmap:${LEVEL_ID} urn:ietf:params:rtp-hdrext:ssrc-audio-level`,
      "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
      "a=sendonly",
      "a=msid:s a",
      "a=rtcp-mux",
      "a=rtpmap:111 opus/48000/2",
      "a=rtcp-fb:111 transport-cc",
      "a=fmtp:111 minptime=10;useinbandfec=1",
      "a=rtpmap:63 red/48000/2",
      "a=rtpmap:0 PCMU/8000",
      `a=ssrc:${SSRC.audio} cname:c`,
    );
  }
  for (let i = 0; i < videos; i += 1) {
    const ssrc = i === 0 ? SSRC.high : SSRC.low;
    lines.push(
      "m=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103 104 45",
      "c=IN IP4 0.0.0.0",
      ...ice,
      `a=mid:${i + 1}`,
      "a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time",
      "a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01",
      "a=extmap:5 urn:3gpp:video-orientation",
      "a=sendonly",
      "a=msid:s v",
      "a=rtcp-mux",
      "a=rtpmap:96 VP8/90000",
      "a=rtcp-fb:96 goog-remb",
      "a=rtcp-fb:96 transport-cc",
      "a=rtcp-fb:96 nack",
      "a=rtpmap:97 rtx/90000",
      "a=fmtp:97 apt=96",
      "a=rtpmap:102 H264/90000",
      "a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f",
      "a=rtpmap:103 H264/90000",
      "a=rtcp-fb:103 transport-cc",
      `a=fmtp:103 ${H264}`,
      "a=rtpmap:104 H264/90000",
      "a=fmtp:104 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f",
      "a=rtpmap:45 AV1/90000",
      `a=ssrc-group:FID ${ssrc} ${ssrc + 1000}`,
      `a=ssrc:${ssrc} cname:c`,
      `a=ssrc:${ssrc + 1000} cname:c`,
      ...extra,
    );
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** The offer of a browser that receives, with the numbers of browserOffer. */
export const receiverOffer = (options: Parameters<typeof browserOffer>[0] = {}): string =>
  browserOffer(options)
    .replaceAll("a=sendonly", "a=recvonly")
    .replaceAll(/a=(?:ssrc|msid).*\r\n/g, "");
