/** Pictures as cards: upload with a mask while it runs, a large preview, removal. The limits and texts are those of docs/session.md#upload-rules. */
import { Button, Spin } from "@arco-design/web-react";
import "@arco-design/web-react/es/Spin/style/css.js";
import { IconDelete, IconEye, IconPlus } from "@arco-design/web-react/icon";
import { lazy, useEffect, useRef, useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { FileChooser } from "./FileChooser.tsx";
import { isPending } from "./pending.ts";
import { type FilesProps, useUpload } from "./useUpload.ts";
import { Part } from "../Part.tsx";
import "./image-cards.css";

const PicturePreview = lazy(() => retrying(() => import("../preview/PicturePreview.tsx")));

const TEXTS = texts({
  add: ["上传图片", "Upload a picture"],
  picture: ["图片 {{index}}", "Picture {{index}}"],
  view: ["预览图片 {{index}}", "Preview picture {{index}}"],
  remove: ["删除图片 {{index}}", "Remove picture {{index}}"],
  uploading: ["正在上传", "Uploading"],
});

/** Addresses of stored pictures by their names; the core reads them, since they need a token. */
function useAddresses(names: readonly string[]): Readonly<Record<string, string>> {
  const core = useCore();
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});
  const wanted = names.join();
  useEffect(() => {
    let over = false;
    const made: string[] = [];
    for (const fileName of wanted === "" ? [] : wanted.split(",")) {
      core.commands.files.read({ fileName }).then(
        (blob) => {
          if (over) return;
          const address = URL.createObjectURL(blob);
          made.push(address);
          setAddresses((now) => ({ ...now, [fileName]: address }));
        },
        // the card stays without its picture, and can be removed
        () => undefined,
      );
    }
    return () => {
      over = true;
      for (const address of made) URL.revokeObjectURL(address);
    };
  }, [core, wanted]);
  return addresses;
}

export function ImageCards(props: FilesProps) {
  const { value, rules, disabled = false, describedBy } = props;
  const text = useTexts(TEXTS);
  const chooser = useRef<HTMLInputElement>(null);
  const { busy, add, remove } = useUpload(props);
  const [shown, setShown] = useState<number | null>(null);
  const pictures = value.filter((one) => !isPending(one));
  const addresses = useAddresses(pictures);
  const named = pictures.map((key, at) => ({
    key,
    name: text("picture", { index: at + 1 }),
    src: addresses[key] ?? "",
  }));

  return (
    <div
      className="image-cards"
      role="group"
      aria-label={props.label}
      aria-busy={busy}
      {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
    >
      {named.map(({ key, name, src }, at) => (
        <div key={key} className="image-card">
          {src !== "" && <img src={src} alt={name} />}
          <span className="image-card-tools">
            <Button
              size="small"
              aria-label={text("view", { index: at + 1 })}
              icon={<IconEye />}
              disabled={src === ""}
              onClick={() => setShown(at)}
            />
            <Button
              size="small"
              aria-label={text("remove", { index: at + 1 })}
              icon={<IconDelete />}
              disabled={disabled}
              onClick={() => remove(key)}
            />
          </span>
        </div>
      ))}
      {value.length < rules.files && (
        <button
          type="button"
          className="image-card image-card-add"
          disabled={busy || disabled}
          onClick={() => chooser.current?.click()}
        >
          <IconPlus aria-hidden="true" />
          {text("add")}
        </button>
      )}
      {busy && (
        <div className="image-cards-mask" role="status">
          <Spin /> {text("uploading")}
        </div>
      )}
      <FileChooser input={chooser} rules={rules} onFiles={(files) => void add(files)} />
      {shown !== null && (
        <Part onFailed={() => setShown(null)}>
          <PicturePreview pictures={named} index={shown} onClose={() => setShown(null)} />
        </Part>
      )}
    </div>
  );
}
