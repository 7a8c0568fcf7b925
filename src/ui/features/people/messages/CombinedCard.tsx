/** A combined message in its bubble: title and first lines. */
import type { ChatCombined } from "../../../../shared/protocol/chat-parts.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { SELECT_TEXTS } from "./select-texts.ts";
import "./selection.css";

export function CombinedCard(props: {
  readonly combined: ChatCombined;
  /** A click opens a dialog, and not the dialog in which the card stands. */
  readonly dialog: boolean;
  readonly onOpen: () => void;
}) {
  const { combined } = props;
  const text = useTexts(SELECT_TEXTS);
  const title = combined.title === "" ? text("history") : combined.title;
  return (
    <button
      type="button"
      className="combined"
      aria-label={text("open", { title })}
      aria-haspopup={props.dialog ? "dialog" : undefined}
      disabled={combined.url === null}
      onClick={props.onOpen}
    >
      <span className="combined-title">{title}</span>
      <span className="combined-summary">{combined.summary}</span>
      <span className="combined-kind">{text("history")}</span>
    </button>
  );
}
