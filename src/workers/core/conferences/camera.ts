/** The stream of the own microphone and camera. It is published while the person wants it and a device is on, from the owner tab. */
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { lineOf, wordsOf } from "../../../shared/domain/device-errors.ts";
import { causeOfState, DEVICE_CAUSES, isOpenState } from "../../../shared/domain/device-states.ts";
import type { ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import type { CoreEnv, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { ConferenceRecord } from "./kept.ts";
import { pubKey } from "./connection.ts";
import type { Connections } from "./connections.ts";
import type { Local, LocalWish } from "./local.ts";
import type { Model } from "./model.ts";
import { AUDIENCE, invalid, TEXTS } from "./rules.ts";

export interface Camera {
  /** Publishes the devices that are on, after waiting for those being opened. Rejects with Refused or AppError conference.invalid. */
  publish(): Promise<ConferenceStream>;
  /** The person turns a device on or off. */
  turn(wish: LocalWish, publish: boolean): void;
  /** Publishes or adopts the stream if it is wanted and not published. @param standing a connection that the tab still has */
  follow(standing?: string): void;
  /** The server removed the stream: it is published again after `republishDelayMillis` if it is still wanted. */
  removed(): void;
  /** The states of the devices may have changed. */
  captured(): void;
  /** The conference has reached its limit of pictures: only the sound is published. */
  tooMany(): void;
  stop(): void;
}

export function createCamera(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly config: Pick<ConferenceConfig, "republishDelayMillis">;
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly connections: Connections;
  readonly local: Local;
}): Camera {
  const { model, record, connections, local } = deps;
  const key = pubKey(STREAM_TYPE.camera);
  let republish: Timer | null = null;
  /** Callers of `publish` that wait for a device to open. */
  let waiting: {
    resolve(stream: Promise<ConferenceStream>): void;
    reject(error: unknown): void;
  }[] = [];

  const isWanted = (): boolean => {
    const { status, self, local: wish } = model.slice;
    return status === "joined" && wish.publishing && self?.role !== AUDIENCE;
  };
  /** Whether there is something to send. A stream that was published before continues at once, while its devices open. */
  const sends = (): boolean => local.sends ?? record.now?.streams["0"] !== undefined;
  const clear = (): void => {
    republish?.cancel();
    republish = null;
  };
  const send = (): Promise<ConferenceStream> => {
    clear();
    return connections.publish({
      kind: "pub",
      type: STREAM_TYPE.camera,
      ext: record.now?.pubExt ?? "",
    });
  };
  const follow = (standing?: string): void => {
    if (!isWanted() || connections.stateOf(key) !== "none") return;
    if (standing !== undefined) {
      connections.adopt(
        { kind: "pub", type: STREAM_TYPE.camera, ext: record.now?.pubExt ?? "" },
        standing,
      );
    } else if (sends()) send().catch(() => undefined);
  };
  const nothingOpen = (): unknown => {
    const { microphone, camera } = model.slice.local;
    const causes = [causeOfState(microphone), causeOfState(camera)];
    const worst = DEVICE_CAUSES.find((cause) => causes.includes(cause)) ?? "missing";
    const which = causes[0] === causes[1] ? "both" : causes[0] === worst ? "microphone" : "camera";
    return invalid(TEXTS.notOpen, lineOf(wordsOf(which, worst)).zh);
  };

  return {
    publish() {
      if (local.sends === true) return send();
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    turn(wish, publish) {
      if (publish && !model.slice.local.publishing) local.publishing(true);
      local.set(wish, publish);
      follow();
    },
    follow,
    removed() {
      clear();
      republish = deps.env.clock.after(deps.config.republishDelayMillis, () => {
        republish = null;
        follow();
      });
    },
    captured() {
      const { pending, sends: isSending } = local;
      if (isSending !== true && !pending) {
        for (const { reject } of waiting.splice(0)) reject(nothingOpen());
        connections.stop(key);
        return;
      }
      if (isSending !== true) return;
      const asked = waiting;
      waiting = [];
      if (asked.length === 0) return follow();
      const sent = send();
      for (const { resolve } of asked) resolve(sent);
    },
    tooMany() {
      const { videoOff, microphone } = model.slice.local;
      const soundAlone = !videoOff && isOpenState(microphone);
      local.set({ videoOff: true });
      if (soundAlone) follow();
      else local.publishing(false);
    },
    stop() {
      clear();
      for (const { reject } of waiting.splice(0)) reject(nothingOpen());
    },
  };
}
