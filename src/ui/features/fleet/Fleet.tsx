/** 运行总览 (docs/session.md#fleet): all cores now, and their figures over one time, which the address keeps. */
import { useNavigate, useLocation } from "react-router-dom";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ReadShape } from "../../components/ReadShape.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { addressNow } from "../../components/list/address.ts";
import { Choice } from "./Choice.tsx";
import { FleetCharts } from "./FleetCharts.tsx";
import { FleetHead } from "./FleetHead.tsx";
import { FleetFigures } from "./FleetFigures.tsx";
import { type FleetView, readView, TIME_NAMES, viewAddress } from "./fleet-view.ts";
import { FLEET_TEXTS } from "./texts.ts";
import { useSteadyRead } from "./useSteadyRead.ts";
import "../../components/table.css";
import "./fleet.css";

/** ms between two reads of the figures of now. */
const EVERY = 10_000;
/** Figures of a small company. */
const SHAPE = {
  all: false,
  people: 1,
  cores: 1,
  tabs: 1,
  visible: 1,
  outbox: 0,
  builds: [{ name: "1", cores: 1 }],
  browsers: [{ name: "1", cores: 1 }],
  companies: [],
};

export function Fleet() {
  const text = useTexts(FLEET_TEXTS);
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const view = readView(search);
  const { scope } = view;
  const { answer, again } = useSteadyRead({ call: "fleet.figures", query: { scope } }, EVERY);
  const change = (part: Partial<FleetView>): void => {
    // The address may be newer than the last rendering, so it is read again.
    const next = { ...readView(addressNow().search), ...part };
    void navigate({ pathname, search: viewAddress(next) }, { replace: true });
  };
  const mayAll = scope === "all" || (answer.state === "ready" && answer.data.all);
  return (
    <div className="fleet">
      <FleetHead title={text("title")} subtitle={text("subtitle")}>
        {mayAll && (
          <Choice
            label={text("scope")}
            options={(["company", "all"] as const).map((value) => [value, text(value)])}
            value={scope}
            onChange={(value) => change({ scope: value })}
          />
        )}
      </FleetHead>
      {answer.state === "ready" ? (
        <FleetFigures figures={answer.data} scope={scope} />
      ) : (
        <ReadShape shape={<FleetFigures figures={SHAPE} scope={scope} />}>
          <ReadNote
            className="panel fleet-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        </ReadShape>
      )}
      <FleetCharts
        view={view}
        onZoom={(zoom) => change({ zoom })}
        choice={
          <Choice
            label={text("time")}
            options={TIME_NAMES.map((value) => [value, text(value)])}
            value={view.time}
            onChange={(time) => change({ time, zoom: null })}
          />
        }
      />
    </div>
  );
}
