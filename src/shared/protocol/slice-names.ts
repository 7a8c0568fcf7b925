/** The names of the slices, apart from their schemas, which a tab does not load. */
export const SLICE_NAMES = [
  "session",
  "tabs",
  "chat",
  "call",
  "groupCall",
  "quality",
  "imports",
  "uploads",
  "downloads",
  "conference",
  "worker",
  "probe",
  "reach",
  "news",
  "alerts",
] as const;
export type SliceName = (typeof SLICE_NAMES)[number];
