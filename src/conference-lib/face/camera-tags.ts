/** The events by which a page controls the camera that a bound element shows (remote-camera.ts). */
export const CAMERA_TAG_EVENTS = [
  "capturePictureRemote",
  "freezeFrameRemote",
  "zoomRemote",
  "torchRemote",
] as const;
export type CameraTagEvent = (typeof CAMERA_TAG_EVENTS)[number];
export const isCameraEvent = (name: string): name is CameraTagEvent =>
  CAMERA_TAG_EVENTS.includes(name as CameraTagEvent);
