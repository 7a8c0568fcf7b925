/** The charts of one side of a call and their lines, as a table (docs/session.md#quality-of-calls). Pure. */
import type { TimelinePoint } from "../protocol/call-timeline.ts";

type Figure = {
  [K in keyof TimelinePoint]: TimelinePoint[K] extends number | null ? K : never;
}[keyof TimelinePoint];

export const CALL_CHART_TITLES = ["mos", "kbps", "loss", "delay", "frames", "size"] as const;
export const CALL_LINE_NAMES = [
  "sentSound",
  "sentPicture",
  "receivedSound",
  "receivedPicture",
  "available",
  "rtt",
  "jitter",
  "buffer",
  "late",
  "source",
  "freezes",
] as const;
type CallChartTitle = (typeof CALL_CHART_TITLES)[number];

export interface Line {
  readonly name: (typeof CALL_LINE_NAMES)[number];
  readonly colour: "blue" | "teal" | "amber" | "pink" | "grey" | "violet" | "red";
  readonly unit: string;
  readonly figure: Figure;
  /** Left out: both. */
  readonly direction?: "local" | "remote";
  readonly kind?: "audio" | "video";
  /** Of several streams, as those of a conference. */
  readonly of: "sum" | "most" | "least";
  readonly shape?: "bars";
  readonly scale?: string;
}

const SENT = { direction: "local" } as const;
const RECEIVED = { direction: "remote" } as const;
const SOUND = { kind: "audio" } as const;
const PICTURE = { kind: "video" } as const;

/** In the order of the page. */
export const CALL_CHARTS: readonly {
  readonly title: CallChartTitle;
  readonly lines: readonly Line[];
}[] = [
  {
    title: "mos",
    lines: [
      {
        name: "sentSound",
        colour: "blue",
        ...SENT,
        ...SOUND,
        figure: "mos",
        unit: "",
        of: "least",
      },
      {
        name: "sentPicture",
        colour: "teal",
        ...SENT,
        ...PICTURE,
        figure: "mos",
        unit: "",
        of: "least",
      },
      {
        name: "receivedSound",
        colour: "amber",
        ...RECEIVED,
        ...SOUND,
        figure: "mos",
        unit: "",
        of: "least",
      },
      {
        name: "receivedPicture",
        colour: "pink",
        ...RECEIVED,
        ...PICTURE,
        figure: "mos",
        unit: "",
        of: "least",
      },
    ],
  },
  {
    title: "kbps",
    lines: [
      {
        name: "sentSound",
        colour: "blue",
        ...SENT,
        ...SOUND,
        figure: "kbps",
        unit: " kbit/s",
        of: "sum",
      },
      {
        name: "sentPicture",
        colour: "teal",
        ...SENT,
        ...PICTURE,
        figure: "kbps",
        unit: " kbit/s",
        of: "sum",
      },
      {
        name: "receivedSound",
        colour: "amber",
        ...RECEIVED,
        ...SOUND,
        figure: "kbps",
        unit: " kbit/s",
        of: "sum",
      },
      {
        name: "receivedPicture",
        colour: "pink",
        ...RECEIVED,
        ...PICTURE,
        figure: "kbps",
        unit: " kbit/s",
        of: "sum",
      },
      {
        name: "available",
        colour: "grey",
        ...SENT,
        figure: "available",
        unit: " kbit/s",
        of: "most",
        scale: "available",
      },
    ],
  },
  {
    title: "loss",
    lines: [
      {
        name: "sentSound",
        colour: "blue",
        ...SENT,
        ...SOUND,
        figure: "loss",
        unit: "%",
        of: "most",
      },
      {
        name: "sentPicture",
        colour: "teal",
        ...SENT,
        ...PICTURE,
        figure: "loss",
        unit: "%",
        of: "most",
      },
      {
        name: "receivedSound",
        colour: "amber",
        ...RECEIVED,
        ...SOUND,
        figure: "loss",
        unit: "%",
        of: "most",
      },
      {
        name: "receivedPicture",
        colour: "pink",
        ...RECEIVED,
        ...PICTURE,
        figure: "loss",
        unit: "%",
        of: "most",
      },
    ],
  },
  {
    title: "delay",
    lines: [
      { name: "rtt", colour: "amber", figure: "rtt", unit: " ms", of: "most" },
      { name: "jitter", colour: "violet", figure: "jitter", unit: " ms", of: "most" },
      { name: "buffer", colour: "grey", ...RECEIVED, figure: "buffer", unit: " ms", of: "most" },
      { name: "late", colour: "red", figure: "late", unit: " ms", of: "most" },
    ],
  },
  {
    title: "frames",
    lines: [
      { name: "source", colour: "grey", ...SENT, figure: "sourceFps", unit: " fps", of: "most" },
      {
        name: "sentPicture",
        colour: "teal",
        ...SENT,
        ...PICTURE,
        figure: "fps",
        unit: " fps",
        of: "most",
      },
      {
        name: "receivedPicture",
        colour: "pink",
        ...RECEIVED,
        ...PICTURE,
        figure: "fps",
        unit: " fps",
        of: "least",
      },
      {
        name: "freezes",
        colour: "red",
        ...RECEIVED,
        figure: "freezes",
        unit: "",
        of: "sum",
        shape: "bars",
      },
    ],
  },
  {
    title: "size",
    lines: [
      {
        name: "sentPicture",
        colour: "teal",
        ...SENT,
        ...PICTURE,
        figure: "height",
        unit: " px",
        of: "most",
      },
      {
        name: "receivedPicture",
        colour: "pink",
        ...RECEIVED,
        ...PICTURE,
        figure: "height",
        unit: " px",
        of: "most",
      },
    ],
  },
];
