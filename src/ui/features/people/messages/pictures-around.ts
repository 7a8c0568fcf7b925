/** The pictures that can be looked at one after the other. Pure. */
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import type { PreviewPicture } from "../../../components/preview/PicturePreview.tsx";
import type { ConversationView } from "../common/conversations.ts";

/** @returns the pictures of the conversation, oldest first; the one of the message alone if the conversation lacks it */
export function picturesAround(
  conversation: Pick<ConversationView, "order" | "messages"> | undefined,
  message: Pick<ChatMessage, "id" | "file">,
  src: string,
): readonly PreviewPicture[] {
  const all = (conversation?.order ?? []).flatMap((id): PreviewPicture[] => {
    const shown = conversation?.messages[id];
    const url = shown?.file?.url;
    if (shown?.type !== "img" || typeof url !== "string" || shown.status === "recall") return [];
    return [{ key: id, name: shown.file?.name ?? "", src: url }];
  });
  if (all.some(({ key }) => key === message.id)) return all;
  // a message inside of a combined one belongs to no conversation
  return [{ key: message.id, name: message.file?.name ?? "", src }];
}
