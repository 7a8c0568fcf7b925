/** One measured call, or two of them side by side; of the server or of a file. */
import { useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { PlainButton } from "../../components/PlainButton.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { type CallFile, writeCallFile } from "./call-file.ts";
import { CALL_QUALITY_TEXTS } from "./texts.ts";
import { Timeline } from "./Timeline.tsx";
import { DUMP_PEER, DUMP_SIDE } from "./webrtc-dump.ts";

/** Saves a text as a file of the browser. */
function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

interface Shown {
  readonly range: TimeRange | null;
  readonly onRange: (range: TimeRange | null) => void;
}

export function StoredCall({ id, ...shown }: Shown & { readonly id: string }) {
  const text = useTexts(CALL_QUALITY_TEXTS);
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
  const { people, title, startTime, timeline, names, cut } = answer.data;
  return (
    <article className="call-view">
      <header className="call-view-head">
        <h1>{title === "" ? people.join("、") : title}</h1>
        <span className="tnum">{formatDate(Date.parse(startTime))}</span>
        <PlainButton onClick={() => save(`call-${id}.json`, writeCallFile({ timeline, names }))}>
          {text("export")}
        </PlainButton>
      </header>
      {cut && <p className="call-quality-none">{text("cut")}</p>}
      <Timeline timeline={timeline} names={names} {...shown} />
    </article>
  );
}

export function FileCall({ name, file }: { readonly name: string; readonly file: CallFile }) {
  const text = useTexts(CALL_QUALITY_TEXTS);
  const [range, setRange] = useState<TimeRange | null>(null);
  return (
    <article className="call-view">
      <header className="call-view-head">
        <h1>{text("fileTitle", { name })}</h1>
      </header>
      <Timeline
        timeline={file.timeline}
        names={{ [DUMP_SIDE]: text("thisBrowser"), [DUMP_PEER]: text("otherSide"), ...file.names }}
        range={range}
        onRange={setRange}
      />
    </article>
  );
}
