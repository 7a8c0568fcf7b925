/** Shows a picture of a message large, with the other pictures of its conversation before and after it. */
import { useState } from "react";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import PicturePreview from "../../../components/preview/PicturePreview.tsx";
import { useSlice } from "../../../state/services.ts";
import { picturesAround } from "./pictures-around.ts";

export default function PictureViewer(props: {
  readonly message: ChatMessage;
  readonly src: string;
  readonly onClose: () => void;
}) {
  const { message, src } = props;
  const conversation = useSlice("chat").conversations[message.chatId];
  // What arrives or goes meanwhile must not move the picture that is looked at.
  const [pictures] = useState(() => picturesAround(conversation, message, src));
  return (
    <PicturePreview
      pictures={pictures}
      index={Math.max(
        0,
        pictures.findIndex(({ key }) => key === message.id),
      )}
      onClose={props.onClose}
    />
  );
}
