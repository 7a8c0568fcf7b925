/** The queue of uploads in the header of every tab (docs/session.md#uploads): how many and how far; a click opens the list. */
import { Trigger } from "@arco-design/web-react";
import { IconUpload } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice } from "../../state/services.ts";
import { UPLOADS_TEXTS } from "./texts.ts";
import { totalsOf } from "./totals.ts";
import { UploadList } from "./UploadList.tsx";
import "../../components/header-panel.css";
import "./uploads.css";

export default function Uploads() {
  const text = useTexts(UPLOADS_TEXTS);
  const { byKey, chat } = useFrozenSlice("uploads");
  const [open, setOpen] = useState(false);
  const { running, failed, percent } = totalsOf([...Object.values(byKey), ...Object.values(chat)]);
  const said =
    running > 0
      ? text("going", { count: running, percent })
      : failed > 0
        ? text("someFailed", { count: failed })
        : text("allDone");
  const list = <UploadList byKey={byKey} chat={chat} onClose={() => setOpen(false)} />;
  return (
    <Trigger
      popupVisible={open}
      onVisibleChange={setOpen}
      trigger="click"
      position="br"
      popupAlign={{ bottom: 8 }}
      unmountOnExit
      popup={() => list}
    >
      <button
        type="button"
        className="header-import"
        data-failed={failed > 0}
        aria-label={`${text("title")}: ${said}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        title={text("title")}
      >
        <IconUpload aria-hidden="true" />
        <span className="tnum">{said}</span>
      </button>
    </Trigger>
  );
}
