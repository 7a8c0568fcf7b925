/** Tables of what happened in the time of the charts: by code, connection, command or route. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { abbreviate } from "../../../shared/domain/format.ts";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import type { ChartPart } from "./chart-data.ts";

interface Titled {
  readonly title: string;
  readonly empty: string;
  /** The first names what a row is of, the others are numbers. */
  readonly heads: readonly string[];
}

const ms = (value: number | null): string => (value === null ? "–" : `${abbreviate(value)} ms`);

export function PartsTable(
  props: Titled & {
    /** Rows; none: it is empty; null: they are loaded. */
    readonly children: readonly ReactNode[] | null;
  },
) {
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

/** How often each name happened, and how long half and 99 of 100 took. */
export function DurationsTable({
  parts,
  most,
  ...titled
}: Titled & {
  /** null: they are loaded. */
  readonly parts: readonly ChartPart[] | null;
  /** Rows that are shown. */
  readonly most: number;
}) {
  return (
    <PartsTable {...titled}>
      {parts === null
        ? null
        : parts.slice(0, most).map(({ name, value, p50, p99 }) => (
            <tr key={name} data-name={name}>
              <th scope="row" translate="no">
                <code>{name}</code>
              </th>
              <td className="num">{abbreviate(value)}</td>
              <td className="num">{ms(p50)}</td>
              <td className="num">{ms(p99)}</td>
            </tr>
          ))}
    </PartsTable>
  );
}
