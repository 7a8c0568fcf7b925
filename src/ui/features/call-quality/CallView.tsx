/** One measured call, or two of them side by side; of the server or of a file. */
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { type CallFileAnswer, DUMP_PEER, DUMP_SIDE } from "../../../shared/protocol/call-file.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { PlainButton } from "../../components/PlainButton.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useDownloads } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { CALL_QUALITY_TEXTS } from "./texts.ts";
import { Timeline } from "./Timeline.tsx";

/** What a file holds that can be shown. */
export type OpenedFile = Exclude<CallFileAnswer, { readonly fault: string }>;

interface Shown {
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
}

export function StoredCall({ id, ...shown }: Shown & { readonly id: string }) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const downloads = useDownloads();
  const may = useMay();
  const { answer, again } = useRead({ call: "measured.call", params: { id } });
  if (answer.state !== "ready") {
    return (
      <ReadNote
        className="call-quality-none"
        answer={answer}
        failed={text("timelineFailed")}
        onRetry={again}
      />
    );
  }
  const { people, title, startTime, view, names, cut } = answer.data;
  return (
    <article className="call-view">
      <header className="call-view-head">
        <h1>{title === "" ? people.join("、") : title}</h1>
        <span className="tnum">{formatDate(Date.parse(startTime))}</span>
        {may("measured.file") && (
          <PlainButton
            data-call="measured.file"
            onClick={() =>
              void downloads.save(`call-${id}.json`, {
                kind: "call",
                call: "measured.file",
                params: { id },
              })
            }
          >
            {text("export")}
          </PlainButton>
        )}
      </header>
      {cut && <p className="call-quality-none">{text("cut")}</p>}
      <Timeline view={view} names={names} {...shown} />
    </article>
  );
}

export function FileCall({ name, file }: { readonly name: string; readonly file: OpenedFile }) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const [range, setRange] = useState<TimeRange | null>(null);
  return (
    <article className="call-view">
      <header className="call-view-head">
        <h1>{text("fileTitle", { name })}</h1>
      </header>
      <Timeline
        view={file.view}
        names={{ [DUMP_SIDE]: text("thisBrowser"), [DUMP_PEER]: text("otherSide"), ...file.names }}
        range={range}
        onRange={setRange}
      />
    </article>
  );
}
