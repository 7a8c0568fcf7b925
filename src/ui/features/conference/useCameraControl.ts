/** Controls another member's camera from its tile: what that member accepts, and what a choice does (docs/conferences.md#remote-camera). */
import { useState } from "react";
import {
  type CameraControl,
  type CameraKind,
  opsFor,
} from "../../../shared/protocol/confr-camera.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import { CAMERA_TEXTS } from "./camera-texts.ts";
import { nameOf, type Tile } from "./view.ts";

const KINDS: readonly CameraKind[] = ["zoom", "torch", "freeze", "capture", "focus", "switch"];
const TEXT_OP = 1003;
/** How much one step of the menu zooms. */
const STEP = 1.5;

/** What the member accepts; nothing of an own tile, a screen, or a picture that does not arrive. */
export function cameraChoices({ member, stream, self, kind }: Tile): readonly CameraKind[] {
  const arrives =
    !self && kind === "camera" && stream !== null && stream.video && stream.voff === 0;
  if (!arrives || stream.connection !== "connected" || !member.acptOps.includes(TEXT_OP)) return [];
  return KINDS.filter((one) => opsFor(one).every((op) => member.acptOps.includes(op)));
}

function save(picture: string, name: string): void {
  const [, type = "jpeg"] = /^data:image\/(\w+)/.exec(picture) ?? [];
  const link = document.createElement("a");
  link.href = picture;
  link.download = `${name}.${type === "jpeg" ? "jpg" : type}`;
  link.click();
}

export function useCameraControl(tile: Tile) {
  const { conference } = useCore().commands;
  const text = useTexts(CAMERA_TEXTS);
  const [busy, setBusy] = useState(false);
  const streamId = tile.stream?.id ?? "";
  async function run(control: CameraControl): Promise<void> {
    setBusy(true);
    try {
      const { picture } = await conference.controlCamera({ streamId, control });
      if (picture !== null) {
        save(picture, text("fileName", { name: nameOf(tile.member) }));
        showMessage("success", text("saved"));
      }
      if (control.kind === "focus") showMessage("success", text("focused"));
      if (control.kind === "switch") showMessage("success", text("switched"));
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  }
  return {
    busy,
    zoom: (more: boolean) => void run({ kind: "zoom", by: more ? STEP : 1 / STEP }),
    torch: (on: boolean) => void run({ kind: "torch", on }),
    freeze: (on: boolean) => void run({ kind: "freeze", on }),
    capture: () => void run({ kind: "capture" }),
    focus: (x: number, y: number) => void run({ kind: "focus", x, y }),
    next: () => void run({ kind: "switch" }),
  };
}
