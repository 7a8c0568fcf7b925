/** Calls and conferences of the company for operations: list, one as a timeline, two side by side, files (docs/session.md#quality-of-calls). */
import { type ChangeEvent, useRef, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { readCallFile } from "../../../core-client/call-file-worker.ts";
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import type { Row } from "../../../shared/protocol/rest/page-calls.ts";
import { END_REASON } from "../../../shared/protocol/signalling.ts";
import { CALL_GRADES, CALL_KINDS } from "../../../shared/protocol/rest/quality-of-calls.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { PlainButton } from "../../components/PlainButton.tsx";
import { FileCall, type OpenedFile, StoredCall } from "../../features/call-quality/CallView.tsx";
import { CALL_QUALITY_TEXTS } from "../../features/call-quality/texts.ts";
import { Score } from "../../features/call-records/CallQuality.tsx";
import { CALL_RECORD_TEXTS } from "../../features/call-records/texts.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import "../../features/call-quality/call-quality.css";

type CallRow = Row<"measured.list">;

export default function MeasuredCallsPage() {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const [params, setParams] = useSearchParams();
  const [file, setFile] = useState<{ readonly name: string; readonly call: OpenedFile } | null>(
    null,
  );
  const [call, beside] = [params.get("call"), params.get("with")];
  const change = (next: Readonly<Record<string, string | null>>): void => {
    const now = new URLSearchParams(params);
    for (const [key, value] of Object.entries(next)) {
      if (value === null) now.delete(key);
      else now.set(key, value);
    }
    setParams(now);
  };
  if (file === null && call === null) {
    return (
      <Calls
        chosen={beside}
        onOpen={({ id }) => change({ call: id })}
        onCompare={(row) => change({ with: row?.id ?? null })}
        onFile={setFile}
      />
    );
  }
  const back = (): void => {
    setFile(null);
    change({ call: null, with: null, from: null, to: null });
  };
  const [from, to] = [Number(params.get("from")), Number(params.get("to"))];
  const shown = {
    range: from > 0 && to > from ? { from, to } : null,
    onRange: (range: TimeRange | null) =>
      change({
        from: range === null ? null : `${range.from}`,
        to: range === null ? null : `${range.to}`,
      }),
  };
  return (
    <div className="call-views">
      <div className="call-views-bar">
        <PlainButton onClick={back}>{text("back")}</PlainButton>
        {call !== null && beside === null && (
          <PlainButton onClick={() => change({ call: null, with: call, from: null, to: null })}>
            {text("compare")}
          </PlainButton>
        )}
      </div>
      {file !== null ? (
        <FileCall name={file.name} file={file.call} />
      ) : (
        <div className={beside === null ? undefined : "call-views-both"}>
          {call !== null && <StoredCall key={call} id={call} {...shown} />}
          {beside !== null && <OtherCall key={`beside ${beside}`} id={beside} />}
        </div>
      )}
    </div>
  );
}

/** Another time than that of the first call, so a range of its own. */
function OtherCall({ id }: { readonly id: string }) {
  const [range, setRange] = useState<TimeRange | null>(null);
  return <StoredCall id={id} range={range} onRange={setRange} />;
}

function Calls(props: {
  /** A call that is to stand beside the one that is opened next. */
  readonly chosen: string | null;
  readonly onOpen: (row: CallRow) => void;
  readonly onCompare: (row: CallRow | null) => void;
  readonly onFile: (file: { readonly name: string; readonly call: OpenedFile }) => void;
}) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const words = useTexts(CALL_RECORD_TEXTS);
  const mayAsk = useMay()("measured.reach");
  const { answer } = useRead(mayAsk ? { call: "measured.reach" } : null);
  // The platform's operators have the choice before the answer, so that the filters stay where they are.
  const mayAll = mayAsk && (answer.state !== "ready" || answer.data.all);
  const core = useCore();
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setReading] = useState(false);
  const read = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [chosen] = target.files ?? [];
    target.value = "";
    if (chosen === undefined) return;
    setReading(true);
    const found = await readCallFile(chosen, core).catch((error: unknown) => {
      showError(error);
      return null;
    });
    setReading(false);
    if (found === null) return;
    if ("view" in found) return props.onFile({ name: chosen.name, call: found });
    const { fault, where } = found;
    if (fault === "empty") showMessage("error", text("emptyFile"));
    else if (fault === "no-json") showMessage("error", text("no-json"));
    else showMessage("error", text("unknown", { where: where === "" ? "" : ` (${where})` }));
  };
  const endOf = ({ result, reason, duration }: CallRow): string => {
    if (result !== null) return words(result === "failed" ? "failedCall" : result);
    if (duration === null) return text("lasts");
    if (reason === END_REASON.closed) return text("endedForAll");
    return text(reason === END_REASON.offline ? "lost" : "ended");
  };
  const opens = { label: text("open"), call: "measured.call", onClick: props.onOpen } as const;
  return (
    <ListPage
      call="measured.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      empty={text("empty")}
      nameOf={({ people }) => people.join("、")}
      filterBar={[
        {
          key: "kind",
          label: text("kind"),
          options: CALL_KINDS.map((value) => ({ value, label: text(value) })),
        },
        {
          key: "grade",
          label: text("score"),
          options: CALL_GRADES.map((value) => ({ value, label: words(value) })),
        },
        ...(mayAll
          ? [
              {
                key: "scope" as const,
                label: text("whose"),
                options: [
                  { value: "company", label: text("ofCompany") },
                  { value: "all", label: text("ofAll") },
                ],
              },
            ]
          : []),
      ]}
      actions={
        <>
          <PlainButton disabled={isReading} onClick={() => input.current?.click()}>
            {text("openFile")}
          </PlainButton>
          <input
            ref={input}
            type="file"
            accept=".json,application/json,text/plain"
            hidden
            aria-label={text("openFile")}
            onChange={(event) => void read(event)}
          />
        </>
      }
      summary={
        props.chosen === null ? null : (
          <p className="call-quality-note" role="status">
            {text("comparing")}
            <PlainButton size="mini" onClick={() => props.onCompare(null)}>
              {text("cancelCompare")}
            </PlainButton>
          </p>
        )
      }
      columns={[
        {
          key: "people",
          title: text("people"),
          verbatim: true,
          render: ({ people, title }) => [title, people.join("、")].filter(Boolean).join(" · "),
          className: "ellipsis",
          width: "minmax(180px, 2fr)",
        },
        {
          key: "kind",
          title: text("kind"),
          render: ({ kind }) => text(kind),
          width: "minmax(104px, 0.7fr)",
        },
        {
          title: text("start"),
          sort: "startTime",
          render: ({ startTime }) => formatDate(Date.parse(startTime)),
          cell: ({ startTime }) => new Date(startTime),
          className: "tnum ellipsis",
          width: "minmax(168px, 1fr)",
        },
        {
          title: text("duration"),
          sort: "duration",
          render: ({ duration }) => (duration === null ? null : formatDuration(duration)),
          className: "tnum ellipsis",
          width: "minmax(88px, 0.6fr)",
        },
        {
          title: text("score"),
          sort: "mos",
          render: ({ mos }) => (mos === null ? text("unmeasured") : <Score mos={mos} />),
          cell: ({ mos }) => mos,
          width: "minmax(104px, 0.7fr)",
        },
        {
          key: "end",
          title: text("end"),
          render: endOf,
          width: "minmax(96px, 0.7fr)",
        },
      ]}
      opens={opens}
      rowActions={[
        opens,
        { label: text("compare"), call: "measured.call", onClick: props.onCompare },
      ]}
    />
  );
}
