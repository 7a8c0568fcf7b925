/** For tests: a stream as the core shows it. */
import type { ConferenceStreamView } from "./state.ts";

export const stream = (
  id: string,
  memId: string,
  more: Partial<ConferenceStreamView> = {},
): ConferenceStreamView => ({
  id,
  memId,
  type: 0,
  voff: 0,
  aoff: 0,
  hasVideo: true,
  hasAudio: true,
  sver: 1,
  vcodes: ["VP8"],
  layers: [],
  resolution: null,
  ext: "",
  located: false,
  video: true,
  audio: true,
  layer: "high",
  connection: "connected",
  talking: false,
  quality: 2,
  torch: false,
  freezeFrame: false,
  zoom: 1,
  ...more,
});
