/** What happened in the time of the charts, by code, by connection and by command. */
import { Link } from "react-router-dom";
import { abbreviate } from "../../../shared/domain/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import type { ChartPart } from "./chart-data.ts";
import { coresAddress, type Scope } from "./fleet-view.ts";
import { DurationsTable, PartsTable } from "./PartsTable.tsx";
import { FLEET_TEXTS } from "./texts.ts";
import { useFleetWords } from "./words.ts";

/** Rows of a table. Rarer events are left out. */
const MOST = 20;

const detailed = ({ details }: ChartPart, words: (name: string) => string): string =>
  details.map(({ name, value }) => `${words(name)} ${value}`).join(" · ");

interface Shown {
  /** null: they are loaded. */
  readonly parts: readonly ChartPart[] | null;
  readonly scope: Scope;
}

export function ErrorsTable({ parts, scope }: Shown) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  return (
    <PartsTable
      title={text("errorsTable")}
      empty={text("noErrors")}
      heads={[text("code"), text("count")]}
    >
      {parts === null
        ? null
        : parts.slice(0, MOST).map((part) => (
            <tr key={part.name} data-error={part.name}>
              <th scope="row" className="fleet-wide">
                <Link to={coresAddress(scope, { error: part.name })}>{words.error(part.name)}</Link>
                <small translate="no">
                  {[part.name, ...part.details.map(({ name, value }) => `${name} ${value}`)].join(
                    " · ",
                  )}
                </small>
              </th>
              <td className="num">{abbreviate(part.value)}</td>
            </tr>
          ))}
    </PartsTable>
  );
}

export function LostTable({ parts, scope }: Shown) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  return (
    <PartsTable
      title={text("lostTable")}
      empty={text("noLost")}
      heads={[text("socket"), text("count")]}
    >
      {parts === null
        ? null
        : parts.slice(0, MOST).map((part) => (
            <tr key={part.name} data-lost={part.name}>
              <th scope="row" className="fleet-wide">
                <Link to={coresAddress(scope, { socket: part.name })}>
                  {words.socket(part.name)}
                </Link>
                <small>{detailed(part, words.loss)}</small>
              </th>
              <td className="num">{abbreviate(part.value)}</td>
            </tr>
          ))}
    </PartsTable>
  );
}

export function CommandsTable({ parts }: Pick<Shown, "parts">) {
  const text = useTexts(FLEET_TEXTS);
  return (
    <DurationsTable
      title={text("commandsTable")}
      empty={text("noCommands")}
      heads={[text("command"), text("count"), text("p50"), text("p99")]}
      parts={parts}
      most={MOST}
    />
  );
}
