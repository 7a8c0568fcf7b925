/** The messages of a combined one. Combined messages in it open in the same dialog. Loaded when the first one is opened. */
import { Button, Modal } from "@arco-design/web-react";
import { IconLeft } from "@arco-design/web-react/icon";
import { useEffect, useRef, useState } from "react";
import type { ChatCombined } from "../../../../shared/protocol/chat-parts.ts";
import type { ChatMessage, CombinedPart } from "../../../../shared/protocol/state.ts";
import { formatDate } from "../../../../shared/domain/format.ts";
import { Avatar } from "../../../components/Avatar.tsx";
import { useFocusBack } from "../../../components/useFocusBack.ts";
import { errorText } from "../../../i18n/index.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useRemarks } from "../../../state/remarks.ts";
import { useCore, useFrozenSlice, useSlice } from "../../../state/services.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { CombinedCard } from "./CombinedCard.tsx";
import { LoadNote } from "../../contacts/LoadNote.tsx";
import { MessageFile } from "./MessageFile.tsx";
import { MessageText } from "./MessageText.tsx";
import { SELECT_TEXTS } from "./select-texts.ts";

interface Loaded {
  readonly url: string;
  readonly parts: readonly CombinedPart[] | null;
  readonly failure: string | null;
}

/** Reads the messages at an address. */
function useParts(url: string) {
  const core = useCore();
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let over = false;
    core.commands.chat.readCombined({ url }).then(
      (parts) => {
        if (!over) setLoaded({ url, parts, failure: null });
      },
      (error: unknown) => {
        if (!over) setLoaded({ url, parts: null, failure: errorText(error) });
      },
    );
    return () => {
      over = true;
    };
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- attempt counts the retry button
  }, [core, url, attempt]);
  const retry = (): void => {
    setLoaded(null);
    setAttempt((n) => n + 1);
  };
  const now = loaded?.url === url ? loaded : null;
  return { parts: now?.parts ?? null, failure: now?.failure ?? null, retry };
}

export default function CombinedViewer(props: {
  readonly combined: ChatCombined;
  readonly onClose: () => void;
}) {
  const text = useTexts(SELECT_TEXTS);
  /** Open combined messages, outermost first; the last one is shown. */
  const [path, setPath] = useState<readonly ChatCombined[]>([props.combined]);
  const shown = path.at(-1) ?? props.combined;
  const { parts, failure, retry } = useParts(shown.url ?? "");
  const list = useRef<HTMLOListElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>(".messages"));
  const go = (next: readonly ChatCombined[]): void => {
    setPath(next);
    // the button that was clicked is gone
    list.current?.focus();
  };
  const title = shown.title === "" ? text("history") : shown.title;
  return (
    <Modal
      visible
      className="combined-viewer"
      title={
        <span className="combined-head">
          {path.length > 1 && (
            <Button
              size="small"
              type="text"
              aria-label={text("back")}
              title={text("back")}
              icon={<IconLeft />}
              onClick={() => go(path.slice(0, -1))}
            />
          )}
          <span className="ellipsis">{title}</span>
        </span>
      }
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <LoadNote missing={parts === null} failure={failure} onRetry={retry} />
      {parts?.length === 0 && <p className="combined-none">{text("none")}</p>}
      <ol
        ref={list}
        className="combined-list"
        tabIndex={-1}
        hidden={parts === null || parts.length === 0}
        aria-label={text("messages", { title, count: parts?.length ?? 0 })}
      >
        {parts?.map((part, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- the messages of a combined one never move
          <Part key={at} part={part} at={at} onOpen={(inner) => go([...path, inner])} />
        ))}
      </ol>
    </Modal>
  );
}

function Part(props: {
  readonly part: CombinedPart;
  readonly at: number;
  readonly onOpen: (combined: ChatCombined) => void;
}) {
  const { part, at, onOpen } = props;
  const { names } = useFrozenSlice("chat");
  const { chatUserName, name: self } = useSlice("session");
  const remark = useRemarks();
  const { from, time } = part;
  // Prefer the names known here over the sender's.
  const name = from === chatUserName ? self : remark(from, names[from] ?? part.name ?? from);
  return (
    <li className="combined-part" data-kind={part.type}>
      <Avatar name={name} person={from} size={32} />
      <div className="combined-part-body">
        <div className="combined-part-head">
          <span className="ellipsis">{name}</span>
          <time dateTime={new Date(time).toISOString()}>
            {formatDate(time, "{y}-{m}-{d} {h}:{i}")}
          </time>
        </div>
        <div className="combined-part-text">
          <Content part={part} at={at} onOpen={onOpen} />
        </div>
      </div>
    </li>
  );
}

function Content({ part, at, onOpen }: Parameters<typeof Part>[0]) {
  const text = useTexts(SELECT_TEXTS);
  const chatText = useTexts(CHAT_TEXTS);
  const { type, file, combined } = part;
  const plain = type === "location" || type === "card" || type === "custom";
  if (type === "other" || plain)
    return part.text === "" ? text("other") : `${text("other")} ${part.text}`;
  if (type === "text") return <MessageText text={part.text} />;
  if (type === "combined") {
    return combined === undefined ? (
      text("other")
    ) : (
      <CombinedCard combined={combined} dialog={false} onOpen={() => onOpen(combined)} />
    );
  }
  if (file === undefined || file.url === null) return `${part.text} ${chatText("expired")}`;
  const message: ChatMessage = {
    id: `part-${at}`,
    mid: null,
    chatId: "",
    from: part.from,
    bySelf: false,
    type,
    msg: part.text,
    status: "read",
    time: part.time,
    file,
  };
  return <MessageFile message={message} />;
}
