/** The commands of a tab about cameras (docs/conferences.md#remote-camera). */
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import type { CameraRequests } from "./camera-requests.ts";
import type { Conference } from "./conference.ts";
import type { ConferenceRecord, KeptConference } from "./kept.ts";
import type { Model } from "./model.ts";
import type { RemoteCamera } from "./remote-camera.ts";

export function cameraCommands(
  deps: {
    readonly model: Model;
    readonly record: ConferenceRecord;
    readonly conference: Conference;
    readonly remoteCamera: RemoteCamera;
    readonly cameraRequests: CameraRequests;
  },
  /** @throws AppError conference.not-joined */
  inside: () => Promise<KeptConference>,
): Pick<Handlers<"conference">, "controlCamera" | "allowCameraControl" | "restoreCamera"> {
  const { model, record, conference, cameraRequests } = deps;
  return {
    async controlCamera({ streamId, control }) {
      await inside();
      return deps.remoteCamera.control(streamId, control);
    },
    async allowCameraControl({ on }) {
      await inside();
      const { local } = model.slice;
      if (local.cameraControl === on) return null;
      record.patch({ cameraControl: on });
      model.patch({ local: { ...local, cameraControl: on } });
      if (!on) cameraRequests.restore();
      // A member declares what it accepts when it enters. A resumed session goes on.
      if (conference.wire?.entered === true) conference.wire.replace("it accepts other ops");
      return null;
    },
    async restoreCamera() {
      await inside();
      cameraRequests.restore();
      return null;
    },
  };
}
