/** Parses an SDP text into sections. Refuses what is too large or malformed; never throws. */

export interface RtpMap {
  readonly payloadType: number;
  readonly codec: string;
  readonly clockRate: number;
  readonly fmtp: string;
  readonly feedback: readonly string[];
}
export type SdpDirection = "sendrecv" | "sendonly" | "recvonly" | "inactive";
export interface SdpSection {
  readonly kind: string;
  /**
   * Whether the section is in use. Port 0 refuses a section, except in a bundled offer: there all sections but the first may have
   * port 0 and the mark `a=bundle-only` (RFC 8843, 7.3; Firefox does this).
   */
  readonly inUse: boolean;
  readonly mid: string;
  readonly direction: SdpDirection;
  /** In the order of the m line. */
  readonly maps: readonly RtpMap[];
  readonly extensions: readonly { readonly id: number; readonly uri: string }[];
  /** In order of appearance, those of retransmission streams included. */
  readonly ssrcs: readonly number[];
  /** Retransmission and repair streams. */
  readonly repair: readonly number[];
  readonly candidates: readonly string[];
  readonly ice: IceParams | null;
}
export interface IceParams {
  readonly ufrag: string;
  readonly pwd: string;
  /** "sha-256 AA:BB…" */
  readonly fingerprint: string;
  readonly setup: "actpass" | "active" | "passive";
}
export interface Sdp {
  readonly sections: readonly SdpSection[];
}

export const SDP_LIMITS = { bytes: 100_000, lines: 4000, sections: 8 } as const;

const UFRAG = /^[A-Za-z0-9+/=_-]{4,256}$/;
const PWD = /^[A-Za-z0-9+/=_-]{22,256}$/;
const FINGERPRINT = /^(sha-(?:1|224|256|384|512)) ((?:[0-9A-Fa-f]{2}:){19,63}[0-9A-Fa-f]{2})$/i;
const MID = /^[A-Za-z0-9_-]{1,16}$/;
/** Only literal addresses match, so that no client can make the node resolve a name. */
const CANDIDATE =
  /^candidate:[A-Za-z0-9+/]{1,32} [1-9]\d{0,2} udp \d{1,10} (?:[0-9a-f:]{2,45}|\d{1,3}(?:\.\d{1,3}){3}) \d{1,5} typ (?:host|srflx|prflx|relay)(?: [a-z-]+ [A-Za-z0-9.:+/=-]+)*$/i;
const SETUPS = ["actpass", "active", "passive"] as const;
const DIRECTIONS = ["sendrecv", "sendonly", "recvonly", "inactive"] as const;

const u32 = (text: string | undefined): number | null => {
  if (text === undefined || !/^\d{1,10}$/.test(text)) return null;
  const value = Number(text);
  return value <= 0xffffffff ? value : null;
};

/** @returns the candidate's text without "a="; null for TCP, a host name or a malformed text */
export function readCandidate(text: string): string | null {
  const bare = text.trim().replace(/^a=/, "");
  return bare.length <= 400 && CANDIDATE.test(bare) ? bare : null;
}

/** @returns the parsed SDP, or the reason as a string when it is refused */
export function parseSdp(text: string): Sdp | string {
  if (text.length > SDP_LIMITS.bytes) return "the description is too large";
  const lines = text.split(/\r\n|\n/).filter((line) => line !== "");
  if (lines.length > SDP_LIMITS.lines) return "the description has too many lines";
  if (lines[0] !== "v=0") return "this is no session description";
  const starts = lines.flatMap((line, i) => (line.startsWith("m=") ? [i] : []));
  if (starts.length > SDP_LIMITS.sections) return "the description has too many sections";
  const session = lines.slice(0, starts[0] ?? lines.length);
  const sections: SdpSection[] = [];
  for (const [i, start] of starts.entries()) {
    const section = parseSection(lines.slice(start, starts[i + 1]), session);
    if (typeof section === "string") return section;
    sections.push(section);
  }
  return { sections };
}

const values = (lines: readonly string[], name: string): string[] =>
  lines.filter((line) => line.startsWith(name)).map((line) => line.slice(name.length).trim());

function parseSection(lines: readonly string[], session: readonly string[]): SdpSection | string {
  const head = /^m=([a-z]{1,16}) (\d{1,5})(?:\/\d+)? [A-Z/]{3,32} (.+)$/.exec(lines[0] ?? "");
  if (head === null) return "a media line is malformed";
  const mid = values(lines, "a=mid:")[0] ?? "";
  if (!MID.test(mid)) return "a section has no usable mid";
  const repair = values(lines, "a=ssrc-group:FID ").flatMap((v) => {
    const second = u32(v.split(" ")[1]);
    return second === null ? [] : [second];
  });
  const bundled = values(session, "a=group:BUNDLE ").flatMap((v) => v.split(" "));
  const bundleOnly = lines.includes("a=bundle-only") && bundled.includes(mid);
  const ssrcs = values(lines, "a=ssrc:").flatMap((v) => {
    const ssrc = u32(v.split(" ")[0]);
    return ssrc === null ? [] : [ssrc];
  });
  return {
    kind: head[1] ?? "",
    inUse: Number(head[2]) !== 0 || bundleOnly,
    mid,
    direction: DIRECTIONS.find((d) => lines.includes(`a=${d}`)) ?? "sendrecv",
    maps: parseMaps(lines, (head[3] ?? "").split(" ")),
    extensions: values(lines, "a=extmap:").flatMap((v) => {
      const found = /^(\d{1,3})(?:\/[a-z]+)? (\S{1,200})/.exec(v);
      return found === null ? [] : [{ id: Number(found[1]), uri: found[2] ?? "" }];
    }),
    ssrcs: [...new Set(ssrcs)],
    repair,
    candidates: values(lines, "a=candidate:").flatMap((v) => {
      const candidate = readCandidate(`candidate:${v}`);
      return candidate === null ? [] : [candidate];
    }),
    ice: parseIce(lines, session),
  };
}

function parseIce(lines: readonly string[], session: readonly string[]): IceParams | null {
  const one = (name: string): string => values(lines, name)[0] ?? values(session, name)[0] ?? "";
  const ufrag = one("a=ice-ufrag:");
  const pwd = one("a=ice-pwd:");
  const fingerprint = one("a=fingerprint:");
  const setup = SETUPS.find((s) => s === one("a=setup:"));
  if (!UFRAG.test(ufrag) || !PWD.test(pwd) || !FINGERPRINT.test(fingerprint)) return null;
  return setup === undefined ? null : { ufrag, pwd, fingerprint, setup };
}

function parseMaps(lines: readonly string[], formats: readonly string[]): RtpMap[] {
  return formats.flatMap((format) => {
    const payloadType = u32(format);
    if (payloadType === null || payloadType > 127) return [];
    const map = /^([A-Za-z0-9-]{1,32})\/(\d{1,6})/.exec(
      values(lines, `a=rtpmap:${format} `)[0] ?? "",
    );
    if (map === null) return [];
    return [
      {
        payloadType,
        codec: map[1] ?? "",
        clockRate: Number(map[2]),
        fmtp: values(lines, `a=fmtp:${format} `)[0] ?? "",
        feedback: values(lines, `a=rtcp-fb:${format} `),
      },
    ];
  });
}
