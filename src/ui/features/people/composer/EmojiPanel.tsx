/** A small set of emoji for the composer. Arrow keys move, Escape closes. */
import { useEffect, useRef, type KeyboardEvent } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { CHAT_TEXTS } from "../common/chat-texts.ts";

const EMOJI = [
  "😀 😄 😁 😂 🤣 😊 😇 🙂 😉 😍",
  "😘 😋 😜 🤔 🤗 😎 🥳 😏 😌 😴",
  "😅 😓 😭 😢 😤 😡 😱 😳 🤒 🙄",
  "👍 👎 👌 👏 🙏 💪 🤝 ✌️ 👋 🙌",
  "❤️ 💔 🔥 🎉 🎂 🌹 ☕ 🍻 ✅ ❌",
].flatMap((row) => row.split(" "));
/** Emoji in a row, as in the style sheet. */
const COLUMNS = 10;

export function EmojiPanel(props: {
  readonly onPick: (emoji: string) => void;
  readonly onClose: () => void;
}) {
  const text = useTexts(CHAT_TEXTS);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.querySelector("button")?.focus(), []);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key === "Escape") {
      event.preventDefault();
      return props.onClose();
    }
    const steps: Readonly<Record<string, number>> = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -COLUMNS,
      ArrowDown: COLUMNS,
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const at = buttons.findIndex((button) => button === document.activeElement);
    buttons[at + step]?.focus();
  };

  return (
    <div
      ref={panel}
      className="emoji"
      role="group"
      aria-label={text("emoji")}
      onKeyDown={onKeyDown}
    >
      {EMOJI.map((emoji, at) => (
        <button
          key={emoji}
          type="button"
          tabIndex={at === 0 ? 0 : -1}
          onClick={() => props.onPick(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}
