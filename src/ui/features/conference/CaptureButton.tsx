import { IconCamera } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { capturePicture, savePicture } from "../../../rtc-main/index.ts";
import { showError } from "../../state/show-message.ts";

/** Saves the picture that the tile shows now as a file. */
export function CaptureButton({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  const text = t("conference.recording.capture", { name });
  return (
    <button
      type="button"
      title={text}
      aria-label={text}
      onClick={(event) => {
        event.stopPropagation();
        const video = event.currentTarget.closest(".conference-tile")?.querySelector("video");
        if (video === null || video === undefined) return;
        capturePicture(video).then((picture) => savePicture(picture, name, Date.now()), showError);
      }}
    >
      <IconCamera />
    </button>
  );
}
