/** A text of which only the beginning is shown until a person asks for all of it. */
import { useState } from "react";
import { texts, useTexts } from "../i18n/texts.ts";
import "./long-text.css";

const TEXTS = texts({
  more: ["显示全部", "Show all"],
  less: ["收起", "Show less"],
});
/** Characters that are always shown; a text that is a little longer is not cut. */
const SHOWN = 120;
const SLACK = 20;

export function LongText({ text }: { readonly text: string }) {
  const label = useTexts(TEXTS);
  const [whole, setWhole] = useState(false);
  const letters = Array.from(text);
  if (letters.length <= SHOWN + SLACK) return <>{text}</>;
  return (
    <>
      {whole ? text : `${letters.slice(0, SHOWN).join("")}…`}{" "}
      <button
        type="button"
        className="long-text-more"
        aria-expanded={whole}
        onClick={() => setWhole(!whole)}
      >
        {label(whole ? "less" : "more")}
      </button>
    </>
  );
}
