/** What this member declares that it accepts from others (`res.ops`, docs/conferences.md#requests). */
import { ALWAYS_ACCEPTED, CAMERA_OPS } from "../../../shared/protocol/confr-camera.ts";
import { REQUIRED_OPS } from "../../../shared/protocol/confr-signalling.ts";
import { OP } from "../../../shared/protocol/signalling.ts";

/** @param camera whether others may control the camera */
export const acceptedOps = (camera: boolean): number[] => [
  OP.message,
  OP.annotate,
  ...ALWAYS_ACCEPTED,
  REQUIRED_OPS.panel,
  ...(camera ? CAMERA_OPS : []),
];
