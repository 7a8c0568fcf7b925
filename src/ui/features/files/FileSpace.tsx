/** How much of its file space a company has used, as a bar above the list of its files. */
import { fileSize } from "../../../shared/domain/chat-files.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ReadShape } from "../../components/ReadShape.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useRead } from "../../state/useRead.ts";
import { shareOf } from "./share.ts";
import { STORED_FILE_TEXTS } from "./texts.ts";
import "./files.css";

const SHAPE: PageCallData<"storedFiles.space"> = {
  files: 0,
  bytes: 0,
  unused: { files: 0, bytes: 0 },
  waiting: 0,
  limit: 1,
};

export function FileSpace() {
  const text = useTexts(STORED_FILE_TEXTS);
  const { answer, again } = useRead({ call: "storedFiles.space" }, true);
  return (
    <section className="file-space" aria-label={text("space")}>
      {answer.state !== "ready" && (
        <ReadShape shape={<Known space={SHAPE} />}>
          <ReadNote
            className="file-space-note"
            answer={answer}
            failed={text("spaceFailed")}
            onRetry={again}
          />
        </ReadShape>
      )}
      {answer.state === "ready" && <Known space={answer.data} />}
    </section>
  );
}

function Known({ space }: { readonly space: PageCallData<"storedFiles.space"> }) {
  const text = useTexts(STORED_FILE_TEXTS);
  const { bytes, unused, waiting, limit } = space;
  const { percent, said, state } = shareOf(bytes + waiting, limit);
  return (
    <div className="file-space-known">
      <p className="file-space-said tnum">
        <span>{text("spaceUsed", { bytes: fileSize(bytes), limit: fileSize(limit) })}</span>
        <span>{text("spacePercent", { percent: said })}</span>
        {waiting > 0 && <span>{text("spaceWaiting", { bytes: fileSize(waiting) })}</span>}
        {unused.files > 0 && (
          <span>{text("spaceUnused", { count: unused.files, bytes: fileSize(unused.bytes) })}</span>
        )}
      </p>
      <progress max={100} value={percent} data-state={state} aria-label={text("space")} />
      {state !== "free" && (
        <p className="file-space-warning" role="status">
          {text(state === "full" ? "spaceFull" : "spaceNear")}
        </p>
      )}
      <p className="file-space-note file-space-chat">{text("chat")}</p>
    </div>
  );
}
