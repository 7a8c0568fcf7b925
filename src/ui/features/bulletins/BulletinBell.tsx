/** The bell of the header: how many bulletins are unread, and the newest ones. */
import { Button } from "@arco-design/web-react";
import { IconNotification } from "@arco-design/web-react/icon";
import { lazy, useState } from "react";
import { CountBadge } from "../../components/Badge.tsx";
import { HeaderPanel } from "../../components/HeaderPanel.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { BULLETIN_TEXTS } from "./texts.ts";
import { Part } from "../../components/Part.tsx";
import "./bulletins.css";

const BulletinList = lazy(() => retrying(() => import("./BulletinList.tsx")));
const BulletinReader = lazy(() => retrying(() => import("./BulletinReader.tsx")));
const STEP = 20;
/** Most bulletins that the list of the bell shows. */
const MOST = 200;

export function BulletinBell() {
  const text = useTexts(BULLETIN_TEXTS);
  const { supplierId, isGuest, infoLoaded } = useSlice("session");
  const [open, setOpen] = useState(false);
  const [limit, setLimit] = useState(STEP);
  const [reading, setReading] = useState<string | null>(null);
  // Guests have no bulletins.
  const may = infoLoaded && supplierId !== null && isGuest !== "1";
  const { answer, again } = useRead(may ? { call: "bulletins.top", query: { limit } } : null);
  if (!may) return null;
  const unread = answer.state === "ready" ? answer.data.unread : 0;
  const list = (
    <Part onFailed={() => setOpen(false)}>
      <BulletinList
        answer={answer}
        onOpen={(noticeId) => {
          setOpen(false);
          setReading(noticeId);
        }}
        onRetry={again}
        onClose={() => setOpen(false)}
        more={limit < MOST ? () => setLimit(limit + STEP) : null}
      />
    </Part>
  );
  return (
    <>
      <HeaderPanel open={open} onOpen={setOpen} panel={list}>
        <Button
          type="text"
          className="header-icon header-bell"
          aria-label={text("bell", { count: unread })}
          title={text("title")}
          icon={
            <span className="bell">
              <IconNotification />
              <CountBadge count={unread} />
            </span>
          }
        />
      </HeaderPanel>
      {reading !== null && (
        <Part onFailed={() => setReading(null)}>
          <BulletinReader noticeId={reading} marks onClose={() => setReading(null)} />
        </Part>
      )}
    </>
  );
}
