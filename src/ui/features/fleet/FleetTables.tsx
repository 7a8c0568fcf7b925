/** What happened in the time of the charts, by code, by connection and by command. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { abbreviate } from "../../../shared/domain/format.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { coresAddress, type Scope } from "./fleet-view.ts";
import { FLEET_TEXTS } from "./texts.ts";
import { useFleetWords } from "./words.ts";

type Part = PageCallData<"fleet.parts">["parts"][number];
/** Rows of a table; what is behind them is seldom. */
const MOST = 20;

const ms = (value: number | null): string => (value === null ? "–" : `${abbreviate(value)} ms`);
const detailed = ({ details }: Part, words: (name: string) => string): string =>
  details.map(({ name, value }) => `${words(name)} ${value}`).join(" · ");

function Table(props: {
  readonly title: string;
  readonly empty: string;
  readonly heads: readonly string[];
  /** Rows; none: it is empty; null: they are loaded. */
  readonly children: readonly ReactNode[] | null;
}) {
  const { t } = useTranslation();
  return (
    <section className="panel fleet-panel" aria-label={props.title}>
      <h2>{props.title}</h2>
      {props.children === null || props.children.length === 0 ? (
        <p className="fleet-note">{props.children === null ? t("common.loading") : props.empty}</p>
      ) : (
        <ScrollBox
          className="table-scroll table-tall"
          tabIndex={0}
          role="group"
          aria-label={props.title}
        >
          <table className="table">
            <thead>
              <tr>
                {props.heads.map((head, i) => (
                  <th key={head} className={i === 0 ? "" : "num"}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{props.children}</tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

interface Shown {
  /** null: they are loaded. */
  readonly parts: readonly Part[] | null;
  readonly scope: Scope;
}

export function ErrorsTable({ parts, scope }: Shown) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  return (
    <Table
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
    </Table>
  );
}

export function LostTable({ parts, scope }: Shown) {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  return (
    <Table title={text("lostTable")} empty={text("noLost")} heads={[text("socket"), text("count")]}>
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
    </Table>
  );
}

export function CommandsTable({ parts }: Pick<Shown, "parts">) {
  const text = useTexts(FLEET_TEXTS);
  return (
    <Table
      title={text("commandsTable")}
      empty={text("noCommands")}
      heads={[text("command"), text("count"), text("p50"), text("p99")]}
    >
      {parts === null
        ? null
        : parts.slice(0, MOST).map(({ name, value, p50, p99 }) => (
            <tr key={name} data-command={name}>
              <th scope="row" translate="no">
                <code>{name}</code>
              </th>
              <td className="num">{abbreviate(value)}</td>
              <td className="num">{ms(p50)}</td>
              <td className="num">{ms(p99)}</td>
            </tr>
          ))}
    </Table>
  );
}
