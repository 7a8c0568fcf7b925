/** The file of a message: a picture that keeps its place, a card with download, a player; while it is sent, its progress. */
import { Progress } from "@arco-design/web-react";
import "@arco-design/web-react/es/Progress/style/css.js";
import { IconClose, IconDownload, IconFile, IconPlayArrowFill } from "@arco-design/web-react/icon";
import { useEffect, useState } from "react";
import { fileSize } from "../../../../shared/domain/chat-files.ts";
import { formatDuration } from "../../../../shared/domain/format.ts";
import type { ChatFile, ChatMessage } from "../../../../shared/protocol/state.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore, useSlice } from "../../../state/services.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { shownSize } from "./shown-size.ts";
import { useViewers } from "./useViewers.tsx";

/** A picture that only this person's core has so far. */
function useUnsentPicture(message: ChatMessage): string | null {
  const core = useCore();
  const { id, type } = message;
  const wanted = message.file?.url === null && (type === "img" || type === "video");
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!wanted) return;
    let made: string | null = null;
    let over = false;
    core.commands.chat.picture({ id }).then(
      (blob) => {
        if (blob === null || over) return;
        made = URL.createObjectURL(blob);
        setUrl(made);
      },
      // the place stays empty until the upload is over
      () => undefined,
    );
    return () => {
      over = true;
      if (made !== null) URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [core, id, wanted]);
  return wanted ? url : null;
}

export function MessageFile({ message }: { readonly message: ChatMessage }) {
  const { file, type } = message;
  if (file === undefined) return null;
  return (
    <>
      {type === "img" && <Picture message={message} file={file} />}
      {type === "video" && <Film message={message} file={file} />}
      {type === "audio" && <Sound file={file} />}
      {type === "file" && <Card file={file} />}
      <Sending message={message} file={file} />
    </>
  );
}

function Picture({ message, file }: { readonly message: ChatMessage; readonly file: ChatFile }) {
  const text = useTexts(CHAT_TEXTS);
  const unsent = useUnsentPicture(message);
  const { openPicture } = useViewers();
  const [broken, setBroken] = useState(false);
  const small = unsent ?? file.thumb ?? file.url;
  const size = shownSize(file.width, file.height);
  if (broken) return <Card file={{ ...file, url: null }} note={text("expired")} />;
  return (
    <button
      type="button"
      className="message-picture"
      style={size}
      aria-label={text("viewer", { name: file.name })}
      disabled={file.url === null}
      onClick={() => {
        if (file.url !== null) openPicture(message, file.url);
      }}
    >
      {small !== null && (
        <img
          src={small}
          alt={text("picture", { name: file.name })}
          width={size.width}
          height={size.height}
          loading="lazy"
          draggable={false}
          onError={() => setBroken(true)}
        />
      )}
    </button>
  );
}

/** A film is loaded when it is played first. */
function Film({ message, file }: { readonly message: ChatMessage; readonly file: ChatFile }) {
  const text = useTexts(CHAT_TEXTS);
  const unsent = useUnsentPicture(message);
  const [plays, setPlays] = useState(false);
  const [bare, setBare] = useState(false);
  const size = shownSize(file.width, file.height);
  const poster = unsent ?? file.thumb;
  if (plays && file.url !== null) {
    return (
      <>
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- people send films without captions */}
        <video
          className="message-picture"
          style={size}
          src={file.url}
          controls
          autoPlay
          playsInline
          aria-label={file.name}
        />
        <Card file={file} />
      </>
    );
  }
  return (
    <>
      <button
        type="button"
        className="message-picture message-film"
        style={size}
        aria-label={text("play", { name: file.name })}
        disabled={file.url === null}
        onClick={() => setPlays(true)}
      >
        {poster !== null && !bare && (
          <img
            src={poster}
            alt=""
            width={size.width}
            height={size.height}
            loading="lazy"
            onError={() => setBare(true)}
          />
        )}
        <IconPlayArrowFill aria-hidden="true" />
        {file.length !== null && <span>{formatDuration(file.length * 1000)}</span>}
      </button>
      <Card file={file} />
    </>
  );
}

function Sound({ file }: { readonly file: ChatFile }) {
  return (
    <>
      {file.url !== null && (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- people send sounds without captions
        <audio
          className="message-sound"
          src={file.url}
          controls
          preload="none"
          aria-label={file.name}
        />
      )}
      <Card file={file} />
    </>
  );
}

function Card(props: { readonly file: ChatFile; readonly note?: string }) {
  const text = useTexts(CHAT_TEXTS);
  const { name, size, url } = props.file;
  return (
    <div className="message-card">
      <IconFile aria-hidden="true" />
      <span className="message-card-text">
        <span className="message-card-name">{name}</span>
        <span className="message-card-size">{props.note ?? fileSize(size)}</span>
      </span>
      {url !== null && (
        <a
          className="message-card-get"
          href={url}
          download={name}
          aria-label={text("download", { name })}
        >
          <IconDownload aria-hidden="true" />
        </a>
      )}
    </div>
  );
}

function Sending({ message, file }: { readonly message: ChatMessage; readonly file: ChatFile }) {
  const text = useTexts(CHAT_TEXTS);
  const core = useCore();
  const share = useSlice("chat").uploads[message.id];
  const { chatId, id, status } = message;
  if (file.url !== null || (status !== "sending" && status !== "failed")) return null;
  const name = file.name;
  const cancel = (): void => {
    core.commands.chat.cancel({ chatId, id }).then((cancelled) => {
      if (!cancelled) showMessage("info", text("cancelLate"));
    }, showError);
  };
  return (
    <div className="message-progress">
      {status === "sending" && (
        <Progress
          size="small"
          percent={Math.round((share ?? 0) * 100)}
          aria-label={text("uploading", { name })}
        />
      )}
      <button type="button" aria-label={text("cancelUpload", { name })} onClick={cancel}>
        <IconClose aria-hidden="true" />
      </button>
    </div>
  );
}
