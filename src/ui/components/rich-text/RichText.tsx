/** Shows the HTML of a bulletin. It is sanitised here once more, because the page must not trust what was stored. */
import { useEffect, useRef } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { safeFragment } from "./safe-fragment.ts";
import { showStored } from "./stored-picture.ts";
import { RICH_TEXTS } from "./texts.ts";
import "./rich-text.css";

export default function RichText({ html }: { readonly html: string }) {
  const core = useCore();
  const text = useTexts(RICH_TEXTS);
  const missing = text("missing");
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fragment = safeFragment(html);
    for (const link of fragment.querySelectorAll("a")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
    const ends = [...fragment.querySelectorAll("img")].map((picture) =>
      showStored(core, picture, picture.dataset["file"] ?? "", picture.alt || missing),
    );
    box.current?.replaceChildren(fragment);
    return () => {
      for (const end of ends) end();
    };
  }, [core, html, missing]);
  return <div ref={box} className="rich-text" />;
}
