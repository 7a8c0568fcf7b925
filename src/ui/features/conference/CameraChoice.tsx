/** Whether others may control the own camera, in the dialog of devices; and its word to the core. */
import { Switch } from "@arco-design/web-react";
import { useEffect } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { useAppearance, useCore, useSlice } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { CAMERA_TEXTS } from "./camera-texts.ts";

export function CameraChoice() {
  const text = useTexts(CAMERA_TEXTS);
  const [{ cameraControl }, setAppearance] = useAppearance();
  return (
    <div className="effect-choice">
      <span aria-hidden="true">{text("allow")}</span>
      <Switch
        aria-label={text("allow")}
        checked={cameraControl}
        onChange={(on) => setAppearance({ cameraControl: on })}
      />
    </div>
  );
}

/** Tells the core what the person chose, in the tab that owns the media: one tab is enough. */
export function useCameraConsent(ownsMedia: boolean): void {
  const { conference } = useCore().commands;
  const [{ cameraControl: wanted }] = useAppearance();
  const { status, local } = useSlice("conference");
  const differs = ownsMedia && status === "joined" && local.cameraControl !== wanted;
  useEffect(() => {
    if (differs) conference.allowCameraControl({ on: wanted }).catch(showError);
  }, [conference, differs, wanted]);
}
