/** The rows of the message list in their order: calls, date lines, the line "new messages", messages, messages that wait. Pure. */
import type { WaitingMessage } from "../../../state/sending.ts";
import type { UnevenRow } from "../../../components/useUnevenRows.ts";
import type { PlacedCall, Row } from "./rows.ts";

type About<C> =
  | { readonly kind: "call"; readonly call: C }
  | { readonly kind: "mark"; readonly mark: "day" | "time"; readonly time: number }
  | { readonly kind: "new" }
  | { readonly kind: "message"; readonly row: Row }
  | { readonly kind: "waiting"; readonly message: WaitingMessage };
export type Unit<C> = UnevenRow & About<C>;

/** px of a line, and of a bubble with one line of text. */
const LINE = 34;
const BUBBLE = 44;
/** px of a picture or film, and of a card. */
const PICTURE = 200;
const CARD = 80;
/** Characters that fit into a line of a bubble, and px of each further line. */
const WIDTH = 40;
const FURTHER = 21;

function heightOf({ message, begins, ends }: Row): number {
  if (message.status === "recall") return LINE;
  const about = (begins ? 0 : 4) + (ends ? 30 : 0);
  if (message.type === "img" || message.type === "video") return about + PICTURE;
  if (message.type !== "text") return about + CARD;
  return about + BUBBLE + Math.floor(message.msg.length / WIDTH) * FURTHER;
}

export function unitsOf<C extends { readonly startedAt: number }>(list: {
  readonly rows: readonly Row[];
  /** The calls before each row, and after all. */
  readonly places: readonly (readonly PlacedCall<C>[])[];
  readonly callKey: (call: C) => string;
  /** The calls after all rows are shown. */
  readonly callsAtEnd: boolean;
  /** Id of the message above which the line "new messages" stands. */
  readonly newLine: string | null;
  readonly waiting: readonly WaitingMessage[];
}): Unit<C>[] {
  const { rows, places, callKey, newLine } = list;
  const calls = (at: number): Unit<C>[] =>
    (places[at] ?? []).flatMap(({ call, newDay }) => {
      const key = `call ${callKey(call)}`;
      const entry: Unit<C> = { key, estimate: BUBBLE, kind: "call", call };
      if (!newDay) return [entry];
      const time = call.startedAt;
      return [{ key: `day ${key}`, estimate: LINE, kind: "mark", mark: "day", time }, entry];
    });
  const units = rows.flatMap((row, at): Unit<C>[] => {
    const { id, time } = row.message;
    return [
      ...calls(at),
      ...(row.mark === null
        ? []
        : [{ key: `mark ${id}`, estimate: LINE, kind: "mark" as const, mark: row.mark, time }]),
      ...(id === newLine ? [{ key: "new", estimate: LINE, kind: "new" as const }] : []),
      { key: id, estimate: heightOf(row), kind: "message", row },
    ];
  });
  const waiting = list.waiting.map((message): Unit<C> => ({
    key: `waiting ${message.key}`,
    estimate: BUBBLE,
    kind: "waiting",
    message,
  }));
  return [...units, ...(list.callsAtEnd ? calls(rows.length) : []), ...waiting];
}
