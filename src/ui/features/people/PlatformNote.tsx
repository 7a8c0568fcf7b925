/** Stands in the composer's place where the platform itself writes (docs/server.md#sending-alerts). */
import { useTexts } from "../../i18n/texts.ts";
import { CHAT_TEXTS } from "./common/chat-texts.ts";

export function PlatformNote() {
  const text = useTexts(CHAT_TEXTS);
  return (
    <div className="message-blocked">
      <p role="status">{text("fromPlatform")}</p>
    </div>
  );
}
