/** Records a voice message: a wave while it runs, then sent or thrown away. It opens when the person asks for it, and begins at once. */
import { Button } from "@arco-design/web-react";
import { IconClose, IconSend } from "@arco-design/web-react/icon";
import { useEffect, useRef, useState } from "react";
import { formatDuration } from "../../../../shared/domain/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { useCore } from "../../../state/services.ts";
import { useLeaveWarning } from "../../../components/useLeaveWarning.ts";
import { showMessage, showError } from "../../../state/show-message.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";
import { endingOf, recordSound, type SoundRecording } from "./record-sound.ts";

/** Bars of the wave. */
const BARS = 40;
/** ms after which a recording is sent: nobody listens longer. */
const LONGEST = 60_000;
/** ms below which nothing is sent: a slip of the finger. */
const SHORTEST = 500;

export default function VoiceRecorder(props: {
  readonly chatId: string;
  readonly onClose: () => void;
}) {
  const { chatId, onClose } = props;
  const text = useTexts(CHAT_TEXTS);
  const core = useCore();
  const [levels, setLevels] = useState<readonly number[]>([]);
  const [elapsed, setElapsed] = useState(0);
  const [busy, setBusy] = useState(false);
  const recording = useRef<SoundRecording | null>(null);
  const box = useRef<HTMLDivElement>(null);

  useLeaveWarning(true);
  useEffect(() => {
    let over = false;
    recordSound((level, ms) => {
      if (over) return;
      setLevels((now) => [...now, level].slice(-BARS));
      setElapsed(ms);
    }).then(
      (begun) => {
        if (over) return begun.cancel();
        recording.current = begun;
        box.current?.querySelector<HTMLElement>(".voice-send")?.focus();
      },
      (error: unknown) => {
        if (over) return;
        const denied = error instanceof DOMException && error.name === "NotAllowedError";
        showMessage("warning", text(denied ? "voiceDenied" : "voiceMissing"));
        onClose();
      },
    );
    return () => {
      over = true;
      recording.current?.cancel();
      recording.current = null;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- one recording from mount to unmount
  }, []);

  const send = async (): Promise<void> => {
    const running = recording.current;
    if (running === null || busy) return;
    recording.current = null;
    setBusy(true);
    try {
      const sound = await running.finish();
      if (sound === null || sound.length < SHORTEST) showMessage("warning", text("voiceShort"));
      else {
        const { file, length } = sound;
        await core.commands.chat.sendFile({
          chatId,
          kind: "audio",
          file,
          thumb: null,
          name: `${text("voice")}.${endingOf(file.type)}`,
          width: null,
          height: null,
          length: Math.round(length / 1000),
          key: crypto.randomUUID(),
        });
      }
    } catch (error) {
      showError(error);
    }
    onClose();
  };
  const full = elapsed >= LONGEST;
  useEffect(() => {
    if (full) void send();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- sent once, when it is full
  }, [full]);

  return (
    <div
      ref={box}
      className="voice"
      role="group"
      aria-label={text("recording")}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <span className="voice-time tnum" role="timer">
        {formatDuration(elapsed)}
      </span>
      <span className="voice-wave" aria-hidden="true">
        {Array.from({ length: BARS }, (_, at) => {
          const level = levels[levels.length - BARS + at] ?? 0;
          return <i key={at} style={{ height: `${Math.max(8, Math.round(level * 100))}%` }} />;
        })}
      </span>
      <Button size="small" icon={<IconClose />} onClick={onClose}>
        {text("cancel")}
      </Button>
      <Button
        size="small"
        type="primary"
        className="voice-send"
        loading={busy}
        icon={<IconSend />}
        onClick={() => void send()}
      >
        {text("voiceSend")}
      </Button>
    </div>
  );
}
