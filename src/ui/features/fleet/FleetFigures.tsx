/** The numbers of now, and how many cores there are by build and by browser. Each leads to the list of those cores. */
import { Link } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { useTexts } from "../../i18n/texts.ts";
import { coresAddress, type Scope } from "./fleet-view.ts";
import { FLEET_TEXTS } from "./texts.ts";

type Figures = PageCallData<"fleet.figures">;

export function FleetFigures({
  figures,
  scope,
}: {
  readonly figures: Figures;
  readonly scope: Scope;
}) {
  const text = useTexts(FLEET_TEXTS);
  return (
    <div className="fleet-now">
      <ul className="fleet-cards">
        {(["people", "cores", "tabs", "visible", "outbox"] as const).map((name) => (
          <li key={name} className="panel" data-figure={name}>
            <Link to={coresAddress(scope, name === "outbox" ? { having: "outbox" } : {})}>
              <span>{text(name)}</span>
              <strong className="tnum">{figures[name]}</strong>
            </Link>
          </li>
        ))}
      </ul>
      {figures.cores === 0 && <p className="panel fleet-panel fleet-note">{text("none")}</p>}
      {figures.cores > 0 && (
        <div className="fleet-halves">
          <Shares by="build" shares={figures.builds} scope={scope} total={figures.cores} />
          <Shares by="browser" shares={figures.browsers} scope={scope} total={figures.cores} />
        </div>
      )}
    </div>
  );
}

function Shares(props: {
  readonly by: "build" | "browser";
  readonly shares: Figures["builds"];
  readonly scope: Scope;
  readonly total: number;
}) {
  const text = useTexts(FLEET_TEXTS);
  const title = text(props.by === "build" ? "byBuild" : "byBrowser");
  return (
    <section className="panel fleet-panel" aria-label={title}>
      <h2>{title}</h2>
      <ul className="fleet-shares">
        {props.shares.map(({ name, cores }) => (
          <li key={name} data-share={name}>
            <Link
              to={coresAddress(props.scope, name === "" ? {} : { [props.by]: name })}
              aria-label={text("coresOf", { name: name || text("unknown"), count: cores })}
            >
              <span className="ellipsis" translate="no">
                {name || text("unknown")}
              </span>
              <i aria-hidden="true">
                <b style={{ width: `${(100 * cores) / Math.max(1, props.total)}%` }} />
              </i>
              <strong className="tnum">{cores}</strong>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
