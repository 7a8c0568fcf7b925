/** Who was inside a past group call, from when to when (docs/calls.md#records). */
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import type { CallPerson } from "../../../shared/protocol/rest/call-records.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { CALL_RECORD_TEXTS } from "./texts.ts";

const timeOf = (at: number | null): string => (at === null ? "–" : formatDate(at));

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
              <td className="tnum">{enteredAt === null ? text("notInside") : timeOf(enteredAt)}</td>
              <td className="tnum">{timeOf(leftAt)}</td>
              <td className="tnum">{enteredAt === null ? "–" : formatDuration(inside)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
