/** The uploads and downloads of all tabs in the header of every tab (docs/session.md#files): how many and how far; a click opens the list. */
import { IconDownload, IconSwap, IconUpload } from "@arco-design/web-react/icon";
import { useState } from "react";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { HeaderPanel } from "../../components/HeaderPanel.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFrozenSlice } from "../../state/services.ts";
import { totalsOf, type TransferLine, transferLines } from "./lines.ts";
import { TRANSFER_TEXTS } from "./texts.ts";
import { TransferList } from "./TransferList.tsx";
import "./transfers.css";

const KINDS = { uploads: IconUpload, downloads: IconDownload, both: IconSwap } as const;

function kindOf(lines: readonly TransferLine[]): keyof typeof KINDS {
  const down = lines.filter(({ kind }) => kind === "download").length;
  if (down === 0) return "uploads";
  return down === lines.length ? "downloads" : "both";
}

export default function Transfers() {
  const text = useTexts(TRANSFER_TEXTS);
  const uploads = useFrozenSlice("uploads");
  const downloads = useFrozenSlice("downloads");
  const [open, setOpen] = useState(false);
  const lines = transferLines({ uploads, downloads });
  if (lines.length === 0) return null;
  const { running, failed, percent } = totalsOf(lines);
  const moved = lines.reduce((sum, line) => sum + line.moved, 0);
  const share = percent === null ? fileSize(moved) : `${percent}%`;
  const said =
    running > 0
      ? text("going", { count: running, share })
      : failed > 0
        ? text("someFailed", { count: failed })
        : text("allDone");
  const kind = kindOf(lines);
  const title = text(kind);
  const Icon = KINDS[kind];
  const list = <TransferList title={title} lines={lines} onClose={() => setOpen(false)} />;
  return (
    <HeaderPanel open={open} onOpen={setOpen} panel={list}>
      <button
        type="button"
        className="header-import"
        data-failed={failed > 0}
        aria-label={`${title}: ${said}`}
        title={title}
      >
        <Icon aria-hidden="true" />
        <span className="tnum">{said}</span>
      </button>
    </HeaderPanel>
  );
}
