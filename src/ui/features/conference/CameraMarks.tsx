/** What a member has made of a camera, on its tile; on the own tile the person ends it. */
import type { CameraState } from "../../../shared/protocol/confr-camera.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError } from "../../state/show-message.ts";
import { CAMERA_TEXTS } from "./camera-texts.ts";
import "./camera-menu.css";

export function CameraMarks(props: { readonly state: CameraState; readonly own: boolean }) {
  const { torch, freezeFrame, zoom } = props.state;
  const text = useTexts(CAMERA_TEXTS);
  const { conference } = useCore().commands;
  const marks = [
    ...(freezeFrame ? [text("frozen")] : []),
    ...(zoom > 1 ? [text("zoomed", { zoom: zoom.toFixed(1) })] : []),
    ...(torch ? [text("lit")] : []),
  ];
  if (marks.length === 0) return null;
  return (
    <span className="conference-camera-marks" role="status">
      {marks.join(" · ")}
      {props.own && (
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation();
            conference.restoreCamera({}).catch(showError);
          }}
        >
          {text("restore")}
        </button>
      )}
    </span>
  );
}
