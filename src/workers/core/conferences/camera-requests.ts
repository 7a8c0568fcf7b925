/**
 * Other members control the own camera (docs/conferences.md#remote-camera). The core decides who may, the owner tab does it, the core
 * answers. One member at a time; the requests of a member are done in their order.
 */
import { type NoticeKey, noticeFields } from "../../../shared/domain/notice-texts.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import {
  actionOf,
  CAMERA_AT_REST,
  type CameraAction,
  type CameraDone,
  type CameraState,
  cameraRequestSchema,
  type RemoteCameraAction,
  toScale,
} from "../../../shared/protocol/confr-camera.ts";
import type {
  ConferenceMediaCommand,
  ConferenceMediaEvent,
} from "../../../shared/protocol/confr-media.ts";
import { CONFR_RESULT, OP2 } from "../../../shared/protocol/confr-signalling.ts";
import { RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Store, Timer } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { MemberRequest, MemberRequests } from "./member-requests.ts";
import type { Model } from "./model.ts";

/** Requests of one member that wait for the tab. More would be a flood. */
const QUEUE = 20;
type Kind = RemoteCameraAction["kind"];
const noticeOf = (action: RemoteCameraAction): NoticeKey => {
  if (action.kind === "torch") return action.on ? "camera.torch-on" : "camera.torch-off";
  if (action.kind === "freeze") return action.on ? "camera.freeze-on" : "camera.freeze-off";
  return `camera.${action.kind}` as const;
};

export type CameraEvent = Extract<
  ConferenceMediaEvent,
  { t: "camera-done" } | { t: "camera-state" }
>;

export interface CameraRequests {
  /** What the owner tab says. */
  heard(event: CameraEvent): void;
  /** Another tab owns the media: requests that wait for the former one end. */
  ownerChanged(): void;
  /** The owner is ready: it makes of its camera what the former one had made. */
  ownerReady(): void;
  /** The conference was entered: the own stream may be new to the slice. */
  entered(): void;
  /** Ends zoom, torch and freeze. */
  restore(): void;
  reset(): void;
}

interface Work {
  readonly id: string;
  readonly action: RemoteCameraAction;
  readonly request: MemberRequest;
}

export function createCameraRequests(deps: {
  readonly env: Pick<CoreEnv, "clock" | "newId">;
  readonly config: Pick<ConferenceConfig, "cameraTabMillis" | "cameraNoticeMillis">;
  readonly model: Model;
  readonly requests: Pick<MemberRequests, "handle">;
  readonly notice: Store["notice"];
  /** @returns false when no tab owns the media */
  readonly toTab: (command: Extract<ConferenceMediaCommand, { t: "camera" }>) => boolean;
}): CameraRequests {
  const { env, config, model } = deps;
  const slice = () => model.slice;
  const queue: Work[] = [];
  let timer: Timer | null = null;
  let own: CameraState = CAMERA_AT_REST;
  /** When the person was last notified, by member and kind of control. */
  const notified = new Map<string, number>();

  const toTab = (id: string, action: CameraAction): boolean =>
    deps.toTab({ t: "camera", id, action });
  const show = (): void => {
    const stream = Object.values(slice().streams).find(
      ({ located, type }) => located && type === STREAM_TYPE.camera,
    );
    if (stream !== undefined) model.patchStream(stream.id, own);
  };

  function next(): void {
    const [work] = queue;
    if (work === undefined) return;
    // The person forbade it while it waited.
    if (!slice().local.cameraControl) {
      return done(work.id, { result: CONFR_RESULT.controlRejected });
    }
    timer = env.clock.after(config.cameraTabMillis, () =>
      done(work.id, { result: RESULT.requestTimeout }),
    );
    // While the media move to another tab, nobody can do it.
    if (!toTab(work.id, work.action)) done(work.id, { result: CONFR_RESULT.controlBusy });
  }
  function done(id: string, { result, pic, zoom }: CameraDone): void {
    const [work] = queue;
    if (work?.id !== id) return;
    timer?.cancel();
    queue.shift();
    work.request.answer(result, {
      ...(pic === undefined ? {} : { pic }),
      ...(zoom === undefined ? {} : { zoom: toScale(zoom) }),
    });
    if (result === RESULT.ok) announce(work);
    next();
  }
  /** The person sees who does what. A member who zooms step by step is named once in a while. */
  function announce({ id, action, request: { memId } }: Work): void {
    const { kind } = action;
    model.patch({ cameraControlled: { id, memId, kind } });
    const key = `${memId} ${kind}`;
    const now = env.clock.now();
    const repeats: readonly Kind[] = ["zoom", "focus"];
    const before = notified.get(key);
    if (repeats.includes(kind) && before !== undefined && now - before < config.cameraNoticeMillis)
      return;
    notified.set(key, now);
    const name = slice().members[memId]?.nickName || memId;
    deps.notice({ style: "info", ...noticeFields(noticeOf(action), { name }) });
  }
  /** @returns the result of a refusal; null when it may be done */
  function refusalOf(streamId: string, memId: string): number | null {
    const { streams, local } = slice();
    const stream = streams[streamId];
    if (stream?.located !== true || stream.type !== STREAM_TYPE.camera) return RESULT.notFound;
    if (!local.cameraControl) return CONFR_RESULT.controlRejected;
    if (stream.voff === 1 || !stream.hasVideo) return RESULT.notAllowed;
    const [present] = queue;
    if (present !== undefined && present.request.memId !== memId) return CONFR_RESULT.controlBusy;
    return queue.length >= QUEUE ? CONFR_RESULT.controlBusy : null;
  }

  deps.requests.handle(OP2.mediaControl, (request) => {
    const { data } = cameraRequestSchema.safeParse(request.arg);
    const action = data === undefined ? null : actionOf(data);
    if (data === undefined || action === null) return request.answer(RESULT.notFound);
    const refusal = refusalOf(data.streamId, request.memId);
    if (refusal !== null) return request.answer(refusal);
    queue.push({ id: env.newId(), action, request });
    if (queue.length === 1) next();
  });

  return {
    heard(event) {
      if (event.t === "camera-done") return done(event.id, event);
      const { torch, freezeFrame, zoom } = event;
      own = { torch, freezeFrame, zoom };
      show();
    },
    ownerChanged() {
      timer?.cancel();
      for (const { request } of queue.splice(0)) request.answer(CONFR_RESULT.controlBusy);
    },
    ownerReady() {
      const { zoom, torch, freezeFrame } = own;
      if (zoom > 1) toTab("", { kind: "zoom", zoom });
      if (torch) toTab("", { kind: "torch", on: true });
      if (freezeFrame) toTab("", { kind: "freeze", on: true });
    },
    entered: show,
    restore: () => void toTab("", { kind: "restore" }),
    reset() {
      timer?.cancel();
      queue.length = 0;
      notified.clear();
      own = CAMERA_AT_REST;
    },
  };
}
