/** Who was inside a past group call, from when to when (docs/calls.md#records). */
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import type { CallPerson } from "../../../shared/protocol/rest/call-records.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { CALL_RECORD_TEXTS } from "./texts.ts";

const DAY = "{y}-{m}-{d}";
const timeOf = (at: number | null): string => (at === null ? "–" : formatDate(at));

/** The time of day, with the date if it is not the day of `first`. So the table fits on a phone. */
const shortTimeOf = (at: number | null, first: number): string =>
  at !== null && formatDate(at, DAY) === formatDate(first, DAY)
    ? formatDate(at, "{h}:{i}:{s}")
    : timeOf(at);

/** The people of an exported row, one a line. */
export const peopleText = (people: readonly CallPerson[], absent: string): string =>
  people
    .map(({ name, enteredAt, leftAt }) =>
      enteredAt === null
        ? `${name}: ${absent}`
        : `${name}: ${timeOf(enteredAt)} – ${timeOf(leftAt)}`,
    )
    .join("\n");

export function CallPeople({ people }: { readonly people: readonly CallPerson[] }) {
  const text = useTexts(CALL_RECORD_TEXTS);
  const first = Math.min(...people.map(({ enteredAt }) => enteredAt ?? Infinity));
  return (
    <ScrollBox className="table-scroll">
      <table className="table" aria-label={text("participants")}>
        <thead>
          <tr>
            <th>{text("participants")}</th>
            <th>{text("entered")}</th>
            <th>{text("left")}</th>
            <th>{text("inside")}</th>
          </tr>
        </thead>
        <tbody>
          {people.map(({ userName, name, enteredAt, leftAt, inside }) => (
            <tr key={userName}>
              <th scope="row">{name}</th>
              <td className="tnum">
                {enteredAt === null ? text("notInside") : shortTimeOf(enteredAt, first)}
              </td>
              <td className="tnum">{shortTimeOf(leftAt, first)}</td>
              <td className="tnum">{enteredAt === null ? "–" : formatDuration(inside)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
