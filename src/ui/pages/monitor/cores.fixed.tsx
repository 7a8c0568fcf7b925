/** 在线浏览器 (docs/session.md#fleet): the cores that report now. The address may ask for those behind a number of the fleet. */
import { Link, useLocation } from "react-router-dom";
import { abbreviate, formatDate } from "../../../shared/domain/format.ts";
import { FLEET_HAVING } from "../../../shared/domain/fleet-names.ts";
import type { Filters } from "../../../shared/protocol/rest/page-calls.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { CoreDetails } from "../../features/fleet/CoreDetails.tsx";
import {
  type CoreFilter,
  coresAddress,
  readFilters,
  readView,
  viewAddress,
} from "../../features/fleet/fleet-view.ts";
import { FLEET_TEXTS } from "../../features/fleet/texts.ts";
import { useFleetWords } from "../../features/fleet/words.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useCore, useNow } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";

const EVERY = 15_000;
type Having = (typeof FLEET_HAVING)[number];
const isHaving = (value: string): value is Having =>
  (FLEET_HAVING as readonly string[]).includes(value);

export default function CoresPage() {
  const text = useTexts(FLEET_TEXTS);
  const words = useFleetWords();
  const may = useMay();
  const { rest } = useCore().commands;
  const { search } = useLocation();
  const { scope } = readView(search);
  const asked = readFilters(search);
  const refresh = Math.floor(useNow(EVERY) / EVERY);
  const { answer } = useRead(
    may("fleet.figures") ? { call: "fleet.figures", query: { scope } } : null,
  );
  const shares =
    answer.state === "ready" ? answer.data : { builds: [], browsers: [], companies: [] };
  const named = (name: CoreFilter, value: string): string => {
    if (name === "company") {
      const known = shares.companies.find(({ id }) => id === value)?.name;
      return known === undefined || known === "" ? `${text("companyName")} ${value}` : known;
    }
    if (name === "error") return words.error(value);
    if (name === "socket") return `${text("lost")} ${words.socket(value)}`;
    return name === "having" && isHaving(value) ? text(`having_${value}`) : value;
  };
  const options = (list: readonly { readonly name: string }[]) =>
    list.flatMap(({ name }) => (name === "" ? [] : [{ value: name, label: name }]));
  const filterBar = [
    { key: "build", label: text("build"), options: options(shares.builds) },
    { key: "browser", label: text("browser"), options: options(shares.browsers) },
    {
      key: "having",
      label: text("having"),
      options: FLEET_HAVING.map((value) => ({ value, label: text(`having_${value}`) })),
    },
  ] as const;
  const without = (name: CoreFilter): string => {
    const { [name]: _removed, ...rest } = asked;
    return coresAddress(scope, rest);
  };
  const chosen = Object.entries(asked) as [CoreFilter, string][];
  return (
    <ListPage
      call="fleet.list"
      title={text("coresTitle")}
      total={(count) => text("coresTotal", { count })}
      search={text("coresSearch")}
      failed={text("coresFailed")}
      empty={text("coresEmpty")}
      refresh={refresh}
      filters={{ scope, ...asked } as Filters<"fleet.list">}
      filterBar={filterBar.filter(({ key }) => asked[key] === undefined)}
      summary={
        chosen.length > 0 && (
          <p className="fleet-only">
            {text("only")}
            {chosen.map(([name, value]) => (
              <Link
                key={name}
                to={without(name)}
                replace
                aria-label={text("remove", { name: named(name, value) })}
              >
                {named(name, value)} <span aria-hidden="true">×</span>
              </Link>
            ))}
          </p>
        )
      }
      actions={
        <Link
          className="fleet-see"
          to={`/monitor/fleet${viewAddress({ time: "now", zoom: null, scope })}`}
        >
          {text("toFleet")}
        </Link>
      }
      nameOf={({ name, browser }) => `${name} ${browser}`}
      columns={[
        {
          title: text("name"),
          sort: "name",
          verbatim: true,
          render: ({ name }) => name,
          width: "minmax(120px, 1fr)",
        },
        ...(scope === "all"
          ? [
              {
                key: "companyName",
                title: text("companyName"),
                verbatim: true,
                render: ({ companyName }: { readonly companyName: string }) => companyName,
                width: "minmax(140px, 1.2fr)",
              },
            ]
          : []),
        {
          title: text("browser"),
          sort: "browser",
          verbatim: true,
          render: ({ browser }) => browser,
          width: "minmax(184px, 1.2fr)",
        },
        {
          title: text("build"),
          sort: "build",
          verbatim: true,
          render: ({ build }) => build,
          className: "tnum ellipsis",
        },
        {
          title: text("tabsColumn"),
          sort: "tabs",
          render: ({ tabs, visible }) => `${tabs} (${visible})`,
          className: "tnum",
          width: "minmax(144px, 0.7fr)",
        },
        {
          title: text("slowest"),
          sort: "p99",
          render: ({ p99 }) => (p99 === null ? null : `${abbreviate(p99)} ms`),
          className: "tnum",
          width: "minmax(124px, 0.7fr)",
        },
        {
          title: text("errors"),
          sort: "errors",
          render: ({ errors }) => String(errors),
          className: "tnum",
          width: "minmax(84px, 0.4fr)",
        },
        {
          title: text("lost"),
          sort: "lost",
          render: ({ lost }) => String(lost),
          className: "tnum",
          width: "minmax(84px, 0.4fr)",
        },
        {
          key: "outbox",
          title: text("outbox"),
          render: ({ outbox }) => String(outbox),
          className: "tnum",
          width: "minmax(96px, 0.5fr)",
        },
        {
          title: text("started"),
          sort: "startTime",
          render: ({ startTime }) => formatDate(Date.parse(startTime)),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        { key: "os", title: text("os"), verbatim: true, render: ({ os }) => os },
        {
          key: "reported",
          title: text("reported"),
          render: ({ reportTime }) => formatDate(Date.parse(reportTime), "{h}:{i}:{s}"),
          className: "tnum",
          width: "minmax(88px, 0.5fr)",
        },
      ]}
      {...(may("fleet.core")
        ? {
            renderDetails: ({ id }: { readonly id: string }) => <CoreDetails id={id} />,
            find: (id: string) => rest.call({ call: "fleet.core", params: { id } }),
          }
        : {})}
    />
  );
}
