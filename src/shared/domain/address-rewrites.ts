/**
 * Addresses that a deployment behind a gateway or a NAT names in place of the server's own (docs/conferences.md#addresses): the host of
 * the signalling socket, that of the TURN servers, and those of the media node's candidates. Pure.
 */
import type { DeployConfig } from "../protocol/rest/confr.ts";
import type { RtcCfg } from "../protocol/rest/rtc.ts";
import type { Candidate } from "../protocol/signalling.ts";

export interface AddressRewrites {
  /** @param url of the socket; a bare path is left as it is, because the platform's host comes before it */
  socket(url: string): string;
  /** Addresses of STUN servers are left as they are. */
  ice(config: RtcCfg): RtcCfg;
  /** Their texts are those of SDP, with or without `a=`. */
  candidates(candidates: readonly Candidate[]): Candidate[];
  /** Rewrites the candidates in a description. */
  sdp(sdp: string): string;
}

/** Scheme and host of a whole address. */
const SOCKET = /^(wss?:\/\/)[^/?#]+/i;
/** `turn:host:port?transport=udp` */
const TURN = /^(turn:|turns:)([^?]+)(\?.*)?$/i;
/** foundation, component, transport, priority, address, port */
const CANDIDATE = /^((?:a=)?candidate:\S+ \S+ \S+ \S+ )(\S+) (\d{1,5})(?= |$)/;

type Mapping = NonNullable<NonNullable<DeployConfig["rtc"]>["candidate_map"]>[number];

const includes = ({ src }: Mapping, ip: string, port: number): boolean =>
  src.ip === ip && port >= src.min_port && port <= src.max_port;

export function addressRewrites(config: DeployConfig): AddressRewrites {
  const { ws, turn } = config;
  const mappings = config.rtc?.candidate_map ?? [];
  const candidate = (text: string): string =>
    text.replace(CANDIDATE, (whole, before: string, ip: string, port: string) => {
      const mapping = mappings.find((one) => includes(one, ip, Number(port)));
      if (mapping === undefined) return whole;
      const { src, dst } = mapping;
      return `${before}${dst.ip} ${dst.min_port + Number(port) - src.min_port}`;
    });
  return {
    socket: (url) => (ws === undefined ? url : url.replace(SOCKET, (_, scheme) => scheme + ws)),
    ice(given) {
      if (turn === undefined) return given;
      const server = (text: string): string =>
        text.replace(TURN, (_, scheme: string, __, query = "") => `${scheme}${turn}${query}`);
      return {
        ...given,
        iceServers: given.iceServers.map((one) => ({
          ...one,
          urls: Array.isArray(one.urls) ? one.urls.map(server) : server(one.urls),
        })),
      };
    },
    candidates: (given) => given.map((one) => ({ ...one, candidate: candidate(one.candidate) })),
    sdp(sdp) {
      if (mappings.length === 0) return sdp;
      return sdp
        .split("\n")
        .map((line) => candidate(line))
        .join("\n");
    },
  };
}

/** Every address stays as it is. */
export const NO_REWRITES = addressRewrites({});
