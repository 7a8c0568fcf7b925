/** Choosing the own picture: a file, and the square of it that others see. Only this square leaves the machine. */
import { Button } from "@arco-design/web-react";
import { useEffect, useId, useRef, useState } from "react";
import Cropper, { type Area } from "react-easy-crop";
import "react-easy-crop/react-easy-crop.css";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import {
  checkOffered,
  PICTURE_RULES,
  saidText,
  type UploadRules,
} from "../../components/upload/rules.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { errorText } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { cropped } from "./crop.ts";
import { PROFILE_TEXTS } from "./texts.ts";

const ZOOM = { least: 1, most: 4, step: 0.1 };
/** The file is only opened here, and a small picture made of it, so it may be larger than an upload. */
const RULES: UploadRules = { ...PICTURE_RULES, files: 1, megabytes: 20 };

export function AvatarDialog(props: {
  /** Whether there is a picture that can be removed. */
  readonly removable: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const { files } = useCore().commands;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [image, setImage] = useState<string | null>(null);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(ZOOM.least);
  const [area, setArea] = useState<Area | null>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  useEffect(
    () => () => {
      if (image !== null) URL.revokeObjectURL(image);
    },
    [image],
  );

  const choose = (file: File | undefined): void => {
    if (file === undefined) return;
    setFailure(null);
    const [wrong] = checkOffered([file], 0, RULES).said;
    if (wrong !== undefined) setFailure(saidText(wrong));
    else {
      createImageBitmap(file).then(
        (bitmap) => {
          bitmap.close();
          setCrop({ x: 0, y: 0 });
          setZoom(ZOOM.least);
          setArea(null);
          setImage(URL.createObjectURL(file));
        },
        () => setFailure(text("pictureBroken")),
      );
    }
  };
  const save = async (picture: () => Promise<Blob | null>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      await files.setAvatar({ picture: await picture() });
      showMessage("success", text("saved"));
      props.onSaved();
      props.onClose();
    } catch (error) {
      setFailure(errorText(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      visible
      title={text("picture")}
      className="form-dialog"
      footer={null}
      onCancel={props.onClose}
    >
      <div className="profile-picture">
        <input
          ref={input}
          type="file"
          accept="image/png,image/jpeg"
          aria-label={text("pictureFile")}
          className="visually-hidden"
          tabIndex={-1}
          onChange={(event) => {
            choose(event.target.files?.[0]);
            // The same file can be chosen again.
            event.target.value = "";
          }}
        />
        {image === null ? (
          <p className="profile-picture-empty">{text("pictureHint")}</p>
        ) : (
          <>
            <div className="profile-crop">
              <Cropper
                image={image}
                crop={crop}
                zoom={zoom}
                minZoom={ZOOM.least}
                maxZoom={ZOOM.most}
                aspect={1}
                cropShape="round"
                showGrid={false}
                disableAutomaticStylesInjection
                onCropChange={setCrop}
                onZoomChange={setZoom}
                onCropComplete={(_, pixels) => setArea(pixels)}
                cropperProps={{ "aria-label": text("pictureMove"), role: "group" }}
              />
            </div>
            <label htmlFor={id}>{text("pictureZoom")}</label>
            <input
              id={id}
              type="range"
              min={ZOOM.least}
              max={ZOOM.most}
              step={ZOOM.step}
              value={zoom}
              onChange={(event) => setZoom(Number(event.target.value))}
            />
          </>
        )}
        {failure !== null && (
          <p role="alert" className="profile-failure">
            {failure}
          </p>
        )}
        <div className="form-buttons">
          {props.removable && image === null && (
            <Button loading={busy} onClick={() => void save(() => Promise.resolve(null))}>
              {text("pictureRemove")}
            </Button>
          )}
          <Button onClick={() => input.current?.click()}>
            {text(image === null ? "pictureChoose" : "pictureOther")}
          </Button>
          {image !== null && (
            <Button
              type="primary"
              loading={busy}
              disabled={area === null}
              onClick={() => {
                if (area !== null) void save(() => cropped(image, area));
              }}
            >
              {text("pictureSave")}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
