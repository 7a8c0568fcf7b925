/**
 * A bad network between the two browsers of a call, inside the test's process: all media pass a relay that loses, delays or limits packets.
 * The relay stands in the candidates that the first person's browser is given; the second person's browser gets none, so that no other way
 * exists, and learns the relay's from the packets.
 */
import type { Page } from "@playwright/test";
import { createUdpRelay, type NetworkTrouble, type UdpRelay } from "../media/udp-relay.ts";
import type { Person } from "./people.ts";

declare global {
  // Set by `listen`: the candidate as the browser is to use it; "" for none.
  var relayedCandidate: (connection: string, candidate: string) => Promise<string>;
}

/** Runs in the page before its scripts. */
function useRelay(): void {
  const Original = globalThis.RTCPeerConnection;
  let made = 0;
  globalThis.RTCPeerConnection = class extends Original {
    // A connection that is negotiated again keeps its sockets, and another one has others.
    private readonly relayName = `${performance.timeOrigin} ${(made += 1)}`;
    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      const lines = (description.sdp ?? "").split("\r\n");
      const sdp = lines.filter((line) => !/^a=(candidate|end-of-candidates)/.test(line));
      await super.setRemoteDescription({ ...description, sdp: sdp.join("\r\n") });
    }
    override async addIceCandidate(given?: RTCIceCandidateInit | null): Promise<void> {
      const candidate = given?.candidate ?? "";
      if (candidate === "" || / tcp /i.test(candidate)) return;
      const relayed = await globalThis.relayedCandidate(this.relayName, candidate);
      if (relayed !== "") await super.addIceCandidate({ ...given, candidate: relayed });
    }
  };
}

export interface CallNetwork {
  /** From now on, for connections that exist and those to come. `rateUp` is what the first person sends. */
  change(trouble: Partial<NetworkTrouble>): void;
  close(): void;
}

const NONE: NetworkTrouble = { loss: 0, delay: 0, cut: false, rate: 0, rateUp: 0 };

/** Call before the pages of the call are loaded. */
export async function createCallNetwork(
  first: Person,
  second: Person,
  random: () => number,
): Promise<CallNetwork> {
  const relays = new Map<string, Promise<UdpRelay>>();
  let trouble = NONE;
  const relayOf = (name: string): Promise<UdpRelay> => {
    const known = relays.get(name);
    if (known !== undefined) return known;
    const made = createUdpRelay("127.0.0.1", random).then((relay) => {
      Object.assign(relay.trouble, trouble);
      return relay;
    });
    relays.set(name, made);
    return made;
  };
  const listen = async (
    person: Person,
    answer: (name: string, candidate: string) => Promise<string>,
  ): Promise<void> => {
    await person.context.exposeFunction("relayedCandidate", answer);
    await person.context.addInitScript(useRelay);
  };
  await listen(first, async (name, candidate) => (await relayOf(name)).rewrite(candidate));
  await listen(second, () => Promise.resolve(""));
  return {
    change(next) {
      trouble = { ...NONE, ...next };
      for (const made of relays.values())
        void made.then((relay) => Object.assign(relay.trouble, trouble));
    },
    close() {
      for (const made of relays.values()) void made.then((relay) => relay.close());
    },
  };
}

/**
 * Runs in the page before its scripts: the camera is a canvas, which `makeHeavy` makes larger than a computer encodes in time. It has little
 * detail, so that the network carries what the computer does not make.
 */
export function heavyCamera(): void {
  const { mediaDevices } = navigator as Partial<Navigator>;
  if (mediaDevices === undefined) return;
  const getUserMedia = mediaDevices.getUserMedia.bind(mediaDevices);
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: 640, height: 360 });
  const noise = document.createElement("canvas");
  Object.assign(noise, { width: 512, height: 512 });
  const pixels = new ImageData(512, 512);
  for (let i = 0; i < pixels.data.length; i += 1) {
    pixels.data[i] = i % 4 === 3 ? 255 : Math.floor(Math.random() * 256);
  }
  noise.getContext("2d")?.putImageData(pixels, 0, 0);
  let drawn = 0;
  setInterval(() => {
    const context = canvas.getContext("2d");
    if (context === null) return;
    drawn += 1;
    const at = (drawn * 37) % 512;
    context.fillStyle = "#345";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(noise, at, at, 64, 64, at, at / 2, 64, 64);
  }, 40);
  mediaDevices.getUserMedia = async (constraints = {}) => {
    const stream = await getUserMedia(constraints);
    const [camera] = stream.getVideoTracks();
    const [drawing] = canvas.captureStream(25).getVideoTracks();
    if (camera === undefined || drawing === undefined) return stream;
    camera.stop();
    return new MediaStream([...stream.getAudioTracks(), drawing]);
  };
  globalThis.makeHeavy = (on) => {
    Object.assign(canvas, on ? { width: 3840, height: 2160 } : { width: 640, height: 360 });
  };
}
declare global {
  // Set by `heavyCamera`.
  var makeHeavy: (on: boolean) => void;
}

export const setHeavy = (page: Page, on: boolean): Promise<void> =>
  page.evaluate((heavy) => globalThis.makeHeavy(heavy), on);
