/** The announcement on top of a group's messages; one line until it is opened. */
import { IconDown, IconSound, IconUp } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTexts } from "../../../i18n/texts.ts";
import { GROUP_TEXTS } from "../common/group-texts.ts";

export function GroupBanner({ announcement }: { readonly announcement: string }) {
  const text = useTexts(GROUP_TEXTS);
  const [open, setOpen] = useState(false);
  if (announcement === "") return null;
  return (
    <section className="group-banner" aria-label={text("announcement")}>
      <IconSound aria-hidden="true" />
      <p data-open={open}>{announcement}</p>
      <button
        type="button"
        aria-expanded={open}
        aria-label={text(open ? "foldAnnouncement" : "showAnnouncement")}
        onClick={() => setOpen((now) => !now)}
      >
        {open ? <IconUp aria-hidden="true" /> : <IconDown aria-hidden="true" />}
      </button>
    </section>
  );
}
