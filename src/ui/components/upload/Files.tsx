/** Uploaded files of a form: pictures as cards, others as a list of names. */
import { Button } from "@arco-design/web-react";
import { IconDelete, IconPlus } from "@arco-design/web-react/icon";
import { useRef, useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { ImageCards } from "./ImageCards.tsx";
import { FileChooser } from "./FileChooser.tsx";
import { type FilesProps, useUpload } from "./useUpload.ts";
import "./files.css";

const TEXTS = texts({
  add: ["上传文件", "Upload a file"],
  remove: ["删除文件 {{name}}", "Remove file {{name}}"],
  uploading: ["正在上传", "Uploading"],
  percent: ["{{name}}（已上传 {{percent}}%）", "{{name}} ({{percent}}% uploaded)"],
});

export default function Files(props: FilesProps) {
  return props.rules.pictures ? <ImageCards {...props} /> : <FileNames {...props} />;
}

function FileNames(props: FilesProps) {
  const { value, rules, disabled = false, describedBy } = props;
  const text = useTexts(TEXTS);
  const chooser = useRef<HTMLInputElement>(null);
  /** What the files were called on this machine. */
  const [called, setCalled] = useState<Readonly<Record<string, string>>>({});
  const { busy, pending, add, remove } = useUpload(props, (fileName, name) =>
    setCalled((now) => ({ ...now, [fileName]: name })),
  );
  return (
    <div
      className="file-names"
      role="group"
      aria-label={props.label}
      aria-busy={busy}
      {...(describedBy === undefined ? {} : { "aria-describedby": describedBy })}
    >
      <ul>
        {value.map((key) => {
          const sent = pending.find((one) => one.value === key);
          const name = sent?.name ?? called[key] ?? key;
          return (
            <li key={key}>
              <span className="ellipsis tnum">
                {sent === undefined ? name : text("percent", { name, percent: sent.percent })}
              </span>
              <Button
                type="text"
                size="mini"
                icon={<IconDelete />}
                disabled={disabled}
                aria-label={text("remove", { name })}
                onClick={() => remove(key)}
              />
            </li>
          );
        })}
      </ul>
      {value.length < rules.files && (
        <Button
          icon={<IconPlus />}
          loading={busy}
          disabled={disabled}
          onClick={() => chooser.current?.click()}
        >
          {text(busy ? "uploading" : "add")}
        </Button>
      )}
      <FileChooser input={chooser} rules={rules} onFiles={(files) => void add(files)} />
    </div>
  );
}
