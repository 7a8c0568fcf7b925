/** Controls another member's camera: the checks, the request, its result, and what all tabs see after it (docs/conferences.md#remote-camera). */
import { CONFERENCE_REFUSALS } from "../../../shared/domain/conference-refusals.ts";
import { STREAM_TYPE } from "../../../shared/domain/conference-types.ts";
import { AppError, type ErrorCode } from "../../../shared/errors.ts";
import {
  cameraAnswerSchema,
  type CameraControl,
  type CameraKind,
  type CameraState,
  CAMERA_SCALE,
  opsFor,
  pictureOf,
  type RemoteCameraAction,
  requestOf,
  toScale,
} from "../../../shared/protocol/confr-camera.ts";
import { CONFR_RESULT } from "../../../shared/protocol/confr-signalling.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type { ConferenceConfig } from "./config.ts";
import type { MemberRequests } from "./member-requests.ts";
import type { Model } from "./model.ts";
import { invalid, showsPicture, TEXTS } from "./rules.ts";

/** The platform's code of every failure of a remote control, and its types. */
const FAILURE = -203;
const ERROR_TYPES: Readonly<Record<CameraKind, string>> = {
  focus: "focusexpo_remote_fail",
  capture: "capture_remote_fail",
  // The platform's library names it so, too.
  zoom: "capture_remote_fail",
  torch: "torch_remote_fail",
  freeze: "freeze_remote_fail",
  switch: "switch_camera_fail",
};
const CODES: Readonly<Record<number, ErrorCode>> = {
  [CONFR_RESULT.controlRejected]: "camera.rejected",
  [CONFR_RESULT.controlBusy]: "camera.busy",
  [RESULT.requestTimeout]: "camera.no-answer",
  [RESULT.notAllowed]: "camera.not-allowed",
  [RESULT.notFound]: "camera.unsupported",
};
const NO_PICTURE = "Not found base64 pic";

export interface RemoteCamera {
  /**
   * @returns the state of the camera afterwards; a zoom that would fall below 1 changes nothing
   * @throws AppError conference.invalid for a stream that cannot be controlled; camera.* with `details` {result, error, errorType}
   */
  control(
    streamId: string,
    control: CameraControl,
  ): Promise<CameraState & { readonly picture: string | null }>;
  reset(): void;
}

export const stateOf = ({ torch, freezeFrame, zoom }: CameraState): CameraState => ({
  torch,
  freezeFrame,
  zoom,
});

const failed = (kind: CameraKind, result: number, cause: string): AppError =>
  new AppError(CODES[result] ?? "camera.failed", {
    details: { result, error: FAILURE, errorType: ERROR_TYPES[kind], cause },
  });

/** @param before the zoom that was asked for last. @returns null for a zoom that would fall below 1 */
function actionFor(
  control: CameraControl,
  stream: CameraState,
  before: number,
): RemoteCameraAction | null {
  switch (control.kind) {
    case "torch":
      return { kind: "torch", on: control.on ?? !stream.torch };
    case "freeze":
      return { kind: "freeze", on: control.on ?? !stream.freezeFrame };
    case "zoom": {
      const scaled = toScale(before * control.by);
      return scaled < CAMERA_SCALE ? null : { kind: "zoom", zoom: scaled / CAMERA_SCALE };
    }
    case "focus":
      return { ...control, focus: true, expo: true };
    case "capture":
    case "switch":
      return control;
  }
}

/** What a success changes. @param reached the zoom that the camera reached */
function changesOf(action: RemoteCameraAction, reached: number | null): Partial<CameraState> {
  if (action.kind === "torch") return { torch: action.on };
  if (action.kind === "freeze") return { freezeFrame: action.on };
  if (action.kind === "zoom") return { zoom: reached ?? action.zoom };
  // The next camera has a lamp of its own.
  if (action.kind === "switch") return { torch: false };
  return {};
}

export function createRemoteCamera(deps: {
  readonly config: Pick<ConferenceConfig, "cameraAnswerMillis" | "cameraPictureMillis">;
  readonly model: Model;
  readonly requests: Pick<MemberRequests, "ask">;
}): RemoteCamera {
  const { config, model, requests } = deps;
  /** Zooms without an answer, by stream: the next one multiplies the last. */
  const zooms = new Map<string, { zoom: number; open: number }>();

  function controllable(streamId: string): ConferenceStreamView {
    const stream = model.slice.streams[streamId];
    if (stream === undefined) throw invalid(TEXTS.badStream, "流不存在");
    if (stream.located) throw invalid(TEXTS.badStream, "不能控制自己的摄像头");
    if (stream.type !== STREAM_TYPE.camera) throw invalid(TEXTS.badStream, "只能控制摄像头画面");
    if (!showsPicture(stream)) {
      throw invalid(CONFERENCE_REFUSALS.notSubscribed, "尚未接收对方的画面，不能控制摄像头");
    }
    return stream;
  }
  function zoomBegins(streamId: string, zoom: number): () => void {
    const one = { zoom, open: (zooms.get(streamId)?.open ?? 0) + 1 };
    zooms.set(streamId, one);
    return () => {
      const now = zooms.get(streamId);
      if (now === undefined) return;
      now.open -= 1;
      if (now.open === 0) zooms.delete(streamId);
    };
  }

  return {
    async control(streamId, control) {
      const stream = controllable(streamId);
      const { kind } = control;
      const { memId } = stream;
      const action = actionFor(control, stream, zooms.get(streamId)?.zoom ?? stream.zoom);
      if (action === null) return { ...stateOf(stream), picture: null };
      const member = model.slice.members[memId];
      if (member === undefined) {
        throw failed(kind, RESULT.notFound, `member not found at local. memberId = ${memId}`);
      }
      const lacks = [...opsFor(kind), OP.message].find((op) => !member.acptOps.includes(op));
      if (lacks !== undefined) {
        throw failed(kind, RESULT.notFound, `member not accept op ${lacks}, ${memId}`);
      }
      const zoomEnds =
        action.kind === "zoom" ? zoomBegins(streamId, action.zoom) : (): void => undefined;
      const millis = kind === "capture" ? config.cameraPictureMillis : config.cameraAnswerMillis;
      const answer = await requests.ask(memId, requestOf(streamId, action), { millis });
      zoomEnds();
      if (answer.result !== RESULT.ok) throw failed(kind, answer.result, answer.msg);
      const { pic, zoom } = cameraAnswerSchema.safeParse(answer.arg).data ?? {};
      const picture = pictureOf(pic);
      if (kind === "capture" && picture === null) {
        throw failed(kind, RESULT.clientFailure, NO_PICTURE);
      }
      model.patchStream(
        streamId,
        changesOf(action, zoom === undefined ? null : zoom / CAMERA_SCALE),
      );
      return {
        ...stateOf(model.slice.streams[streamId] ?? stream),
        picture: kind === "capture" ? picture : null,
      };
    },
    reset: () => zooms.clear(),
  };
}
